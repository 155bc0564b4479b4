import Foundation
import Lattice
import Testing

/// Sessions on the loopback that look for nobody and link with whom a test says.
enum Loopback {
    struct Ended: Error {}

    static func configuration(
        _ name: String, to others: [PeerAddress] = [], in folder: URL? = nil
    ) -> Configuration {
        var configuration = Configuration(name: name, mesh: "loopback")
        configuration.discovery = .off
        // Links are made only to the addresses, so that a chain stays a chain.
        configuration.invitations = .none
        configuration.addresses = others
        if let folder { configuration.storage = .folder(folder) }
        return configuration
    }

    static func open(
        _ name: String, to others: [PeerAddress] = [], in folder: URL? = nil
    ) -> Configuration {
        var configuration = configuration(name, to: others, in: folder)
        configuration.invitations = .automatic
        return configuration
    }

    static func address(of session: Session) async throws -> PeerAddress {
        try #require(PeerAddress(host: "127.0.0.1", port: try await session.port))
    }

    /// - Returns: `other`, as `session` sees it once it can reach it.
    static func peer(_ other: Session, of session: Session) async throws -> Peer {
        let id = try await other.me.id
        for await update in session.peerUpdates where update.peer.id == id && update.state == .connected {
            return update.peer
        }
        throw Ended()
    }

    /// Two sessions that are linked.
    nonisolated(nonsending) static func pair(
        folders: [URL?] = [nil, nil],
        _ body: nonisolated(nonsending) (_ ada: Session, _ bob: Session) async throws -> Void
    ) async throws {
        try await withSession(open("ada", in: folders[0])) { ada in
            let address = try await address(of: ada)
            try await withSession(open("bob", to: [address], in: folders[1])) { bob in
                _ = try await peer(bob, of: ada)
                _ = try await peer(ada, of: bob)
                try await body(ada, bob)
            }
        }
    }

    /// A folder that is removed after the test.
    nonisolated(nonsending) static func folder(
        _ body: nonisolated(nonsending) (URL) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-\(UUID().uuidString)")
        do {
            try await body(folder)
        } catch {
            try FileManager.default.removeItem(at: folder)
            throw error
        }
        try FileManager.default.removeItem(at: folder)
    }
}

/// Expects an error with this code.
func expect<Value>(
    _ code: LatticeError.Code, location: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    do {
        _ = try await body()
        Issue.record("nothing was thrown instead of \(code)", sourceLocation: location)
    } catch let error as LatticeError {
        #expect(error.code == code, "\(error)", sourceLocation: location)
    } catch {
        Issue.record("\(error) instead of \(code)", sourceLocation: location)
    }
}
