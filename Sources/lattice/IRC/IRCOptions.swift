import ArgumentParser
import LatticeCore
import LatticeHost
import LatticeSettings

/// `lattice run --irc …`
struct IRCOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve IRC clients here; an address that others can reach needs TLS and a password.",
            valueName: "host:port"),
        transform: Arguments.listenAddress)
    var irc: PeerAddress?

    @Option(
        help: ArgumentHelp("The name of the IRC server. (default: lattice.local)", valueName: "name"),
        transform: Arguments.serverName)
    var ircServerName: String?

    @Option(
        help: ArgumentHelp("IRC clients must send the first line of this file as password (PASS).", valueName: "file"))
    var ircPasswordFile: String?

    @Option(help: ArgumentHelp("Serve IRC over TLS with this certificate (PEM).", valueName: "file"))
    var ircTlsCertificate: String?

    @Option(
        help: ArgumentHelp("The TLS key (PEM), in a file that no other user can read.", valueName: "file"))
    var ircTlsKey: String?

    var choice: IRCChoice {
        IRCChoice(
            .init(
                prefix: "--irc-", listen: "--irc", address: irc, serverName: ircServerName,
                passwordFile: ircPasswordFile, certificate: ircTlsCertificate, key: ircTlsKey))
    }
}

extension IRCChoice {
    /// As `check`, in words of the parser of arguments.
    func validate() throws {
        do {
            try check()
        } catch {
            throw ValidationError(error.description)
        }
    }
}
