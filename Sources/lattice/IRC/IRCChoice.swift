import ArgumentParser
import LatticeCore

/// What is said of a gateway, before anything of it is looked at.
struct IRCChoice: Equatable {
    var address: PeerAddress?
    var serverName: String?
    var passwordFile: String?
    var certificate: String?
    var key: String?

    /// With what the settings say of what it says nothing of.
    var settled: IRCChoice {
        let settings = Settings.current
        return IRCChoice(
            address: address ?? settings.value(.ircListen, IRCFront.address),
            serverName: serverName ?? settings.value(.ircServerName, IRCFront.name),
            passwordFile: passwordFile ?? settings.text(.ircPasswordFile),
            certificate: certificate ?? settings.text(.ircTLSCertificate), key: key ?? settings.text(.ircTLSKey))
    }

    /// - Parameter prefix: of the options' names.
    /// - Throws: `ValidationError` for what does not go together.
    func check(prefix: String) throws {
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--\(prefix)tls-certificate and --\(prefix)tls-key go together; give both")
        }
        guard let address, !IRCFront.isLoopback(address.host), passwordFile == nil || certificate == nil else { return }
        throw ValidationError(
            "\(address.host) can be reached by others: give --\(prefix)tls-certificate, --\(prefix)tls-key and "
                + "--\(prefix)password-file, or listen at 127.0.0.1")
    }

    func front() throws -> IRCFront? {
        guard let address else { return nil }
        return try IRCFront(
            at: address, serverName: serverName, passwordFile: passwordFile, certificate: certificate, key: key)
    }
}
