import Foundation
import Lattice
import LatticeTesting
import Testing

/// What is left when sessions have ended, and what they never open.
@Suite(.timeLimit(.minutes(10))) struct EndTests {
    /// In a process of its own: other tests open sockets.
    @Test func noSocketIsOpened() async throws {
        await #expect(processExitsWith: .success) {
            let before = try openSockets()
            let network = InMemoryNetwork(seed: 31)
            try await Meeting.of(["ada", "bob", "cleo"], on: network) { sessions in
                try await Meeting.complete(sessions)
                try await sessions[0].send([1], to: sessions[0].connectedPeers)
                #expect(try await Meeting.next(sessions[1]).bytes == [1])
                #expect(try openSockets() == before)
            }
            #expect(try openSockets() == before)
        }
    }

    /// The check is checked: a session on the machine's network does.
    @Test func aSocketIsCounted() async throws {
        await #expect(processExitsWith: .success) {
            let before = try openSockets()
            var configuration = Configuration(name: "ada", mesh: "sockets")
            configuration.discovery = .off
            try await withSession(configuration) { session in
                _ = try await session.port
                #expect(try openSockets().count > before.count)
            }
        }
    }

    @Test func nothingOfANetworkIsLeftOnceItsSessionsHaveEnded() async throws {
        weak var network: InMemoryNetwork?
        weak var session: Session?
        try await {
            let made = InMemoryNetwork(
                seed: 32, conditions: InMemoryNetwork.Conditions(latency: .milliseconds(1) ... .milliseconds(5)))
            network = made
            try await Meeting.of(["ada", "bob", "cleo"], on: made) { sessions in
                session = sessions[0]
                try await Meeting.complete(sessions)
                made.cut(try await sessions[0].me.id, try await sessions[1].me.id)
            }
        }()
        // Timers of links that have ended hold it a little longer.
        while network != nil || session != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test func aSessionThatEndsWithoutAGoodbyeIsMissed() async throws {
        let network = InMemoryNetwork(seed: 33)
        try await Meeting.of(["ada"], on: network) { sessions in
            let ada = sessions[0]
            let bob = try Meeting.session("bob", on: network)
            let id = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await bob.run() }
                let peer = try await Meeting.peer(bob, of: ada)
                group.cancelAll()
                return peer.id
            }
            for await update in ada.peerUpdates where update.peer.id == id && update.state != .connected { break }
            #expect(ada.connectedPeers.isEmpty)
        }
    }
}

/// The sockets that this process has open, by their numbers in the kernel.
private func openSockets() throws -> Set<String> {
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let targets = descriptors.compactMap { name -> String? in
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        } catch {
            return nil  // It was that of the folder itself.
        }
    }
    return Set(targets.filter { $0.hasPrefix("socket:") })
}
