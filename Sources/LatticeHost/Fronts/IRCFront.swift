import Glibc
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeCrypto
package import LatticeIRC
package import LatticeNode
import LatticeSettings
import LatticeSocket
package import Logging

/// The IRC front: listening address, TLS and password.
package struct IRCFront: Sendable {
    let address: NamedValue<PeerAddress>
    var serverName = IRCSettings.defaultName
    var password: TypedKey?
    var security: TLSIdentity?

    init(_ choice: IRCChoice, at address: NamedValue<PeerAddress>) throws(Failure) {
        self.address = address
        if let serverName = choice.serverName { self.serverName = serverName.value }
        if let file = choice.passwordFile { password = try Self.password(file) }
        guard let certificate = choice.certificate, let key = choice.key else { return }
        security = try TLSFiles(certificate: certificate, key: key).identity()
    }

    private static func password(_ file: NamedValue<String>) throws(Failure) -> TypedKey {
        do {
            var line = try PassphraseReader.password(file: file.value)
            return TypedKey(wiping: &line)
        } catch {
            throw Failure(error.kind, "\(file.name): \(error)")
        }
    }

    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    package func server(of host: Host, in directory: DataDirectory, logger: Logger) async throws -> IRCServer {
        var settings = IRCSettings(
            serverName: serverName, mesh: host.me.mesh, version: ProgramVersion.number, password: password,
            begun: Surroundings.present(), dateText: { LocalCalendar.here.text($0) })
        settings.page = { directory.webPlace()?.link }
        let marks = IRCMarksFile(directory)
        do {
            return try await IRCServer.listening(
                at: address.value, node: host.node, settings: settings, security: security, marks: marks.text(),
                date: Surroundings.present, keep: { marks.keep($0, logger) }, logger: logger)
        } catch {
            throw Failure(.failed, "\(address.name): \(error)")
        }
    }
}

extension IRCServer {
    package func tell() { Report.remark("listening \(address)") }

    /// Serves while `body` runs; then sends every client an ERROR.
    package func serving(_ body: @escaping @Sendable () async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await run() }
            await body()
            group.cancelAll()
        }
    }
}
