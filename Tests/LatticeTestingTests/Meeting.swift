import Lattice
import LatticeTesting
import Testing

/// Sessions on a network in memory.
enum Meeting {
    struct Ended: Error {}

    static func session(
        _ name: String, on network: InMemoryNetwork, _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> Session {
        var configuration = Configuration(name: name, mesh: "memory")
        change(&configuration)
        return try Session.inMemory(configuration, network: network)
    }

    /// Runs sessions with these names as long as `body` does.
    nonisolated(nonsending) static func of(
        _ names: [String], on network: InMemoryNetwork, _ change: (inout Configuration) -> Void = { _ in },
        _ body: nonisolated(nonsending) ([Session]) async throws -> Void
    ) async throws {
        let sessions = try names.map { try session($0, on: network, change) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for session in sessions { group.addTask { try await session.run() } }
            do {
                for session in sessions { try await session.waitUntilRunning() }
                try await body(sessions)
            } catch {
                for session in sessions { await session.close() }
                throw error
            }
            for session in sessions { await session.close() }
            try await group.waitForAll()
        }
    }

    /// Waits until all sessions have links or ways to all others.
    static func complete(_ sessions: [Session]) async throws {
        for session in sessions {
            for other in sessions where other !== session { _ = try await peer(other, of: session) }
        }
    }

    /// Waits until each session has a link with each other one, as up to nine have.
    static func linked(_ sessions: [Session]) async throws {
        for session in sessions {
            for other in sessions where other !== session { try await status(of: other, for: session) { $0.hops == 1 } }
        }
    }

    /// - Returns: `other`, as `session` sees it once it can reach it.
    @discardableResult
    static func peer(_ other: Session, of session: Session) async throws -> Peer {
        try await status(of: other, for: session) { $0.state == .connected }.peer
    }

    @discardableResult
    static func status(
        of other: Session, for session: Session, where isRight: (PeerStatus) -> Bool
    ) async throws -> PeerStatus {
        let id = try await other.me.id
        for await update in session.peerUpdates where update.peer.id == id && isRight(update) { return update }
        throw Ended()
    }

    /// - Returns: what `reader` gets next.
    static func next(_ reader: Session) async throws -> Received {
        for await message in reader.received { return message }
        throw Ended()
    }
}

/// Expects an error with this code.
func expect<Value>(
    _ code: LatticeError.Code, location: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
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
