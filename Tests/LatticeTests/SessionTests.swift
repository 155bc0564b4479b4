import Foundation
import Testing

@testable import Lattice

@Suite struct SessionTests {
    @Test(arguments: [
        Configuration(name: "", mesh: "m"), Configuration(name: "a<b", mesh: "m"), Configuration(name: "a", mesh: ""),
        Configuration(name: String(repeating: "a", count: 64), mesh: "m"), configuration { $0.passphrase = "" },
        configuration { $0.passphrase = String(repeating: "p", count: 1_025) },
        configuration { $0.addresses = Array(repeating: PeerAddress("127.0.0.1:1"), count: 65).compactMap(\.self) },
        configuration { $0.storage = .folder(URL(string: "https://example.org/x") ?? URL(filePath: "/")) },
    ])
    func aConfigurationThatCannotBeIsRefused(configuration: Configuration) {
        let error = #expect(throws: LatticeError.self) { try Session(configuration) }
        #expect(error?.code == .invalid)
    }

    @Test func aSessionGoesThroughItsPhasesOnce() async throws {
        let session = try Session(Loopback.configuration("ada"))
        #expect(session.phase == .idle)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await session.run() }
            try await session.waitUntilRunning()
            #expect(session.phase == .running)
            await session.close()
            #expect(session.phase == .closed)
            try await group.waitForAll()
        }
        await expect(.closed) { try await session.run() }
        await expect(.closed) { try await session.waitUntilRunning() }
        await expect(.closed) { try await session.send([], to: []) }
        await session.close()
    }

    @Test func aSessionThatWasClosedBeforeNeverRuns() async throws {
        let session = try Session(Loopback.configuration("ada"))
        await session.close()
        #expect(session.phase == .closed)
        await expect(.closed) { try await session.run() }
    }

    @Test func cancellingTheTaskEndsTheSession() async throws {
        let session = try Session(Loopback.configuration("ada"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await session.run() }
            try await session.waitUntilRunning()
            group.cancelAll()
        }
        #expect(session.phase == .closed)
    }

    @Test func aTakenPortIsAnErrorOfTheNetworkForAllThatWait() async throws {
        try await withSession(Loopback.configuration("ada")) { ada in
            var configuration = Loopback.configuration("bob")
            configuration.port = try await ada.port
            let bob = try Session(configuration)
            await expect(.network) { try await bob.run() }
            await expect(.network) { try await bob.waitUntilRunning() }
            await expect(.network) { try await withSession(configuration) { _ in } }
        }
    }

    @Test func allSequencesEndWithTheSession() async throws {
        let session = try Session(Loopback.configuration("ada"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await session.run() }
            group.addTask { for await _ in session.received {} }
            group.addTask { for await _ in session.streams {} }
            group.addTask { for await _ in session.peerUpdates {} }
            let events = try await session.records.events
            group.addTask { for await _ in events {} }
            await session.close()
            try await group.waitForAll()
        }
    }

    @Test func theErrorOfTheBodyIsThrown() async throws {
        await #expect(throws: Loopback.Ended.self) {
            try await withSession(Loopback.configuration("ada")) { _ in throw Loopback.Ended() }
        }
    }

    @Test func aSessionRunsAsLongAsABodyDoes() async throws {
        let session = try Session(Loopback.configuration("ada"))
        #expect(try await session.run { session.phase } == .running)
        #expect(session.phase == .closed)
        await expect(.closed) { try await session.run {} }
    }

    @Test func aBodyDoesNotTakeOverASessionThatRuns() async throws {
        let session = try Session(Loopback.configuration("ada"))
        async let running: Void = session.run()
        try await session.waitUntilRunning()
        await expect(.closed) { try await session.run { Issue.record("the body was called") } }
        #expect(session.phase == .running)
        await session.close()
        try await running
    }

    @Test func aFolderKeepsTheIdentityAndServesOneSessionAtATime() async throws {
        try await Loopback.folder { folder in
            let configuration = Loopback.configuration("ada", in: folder)
            let first = try await withSession(configuration) { session in
                await expect(.storage) { try await withSession(configuration) { _ in } }
                return try await session.me.id
            }
            let second = try await withSession(configuration) { try await $0.me.id }
            #expect(first == second)
            let other = try await withSession(Loopback.configuration("ada")) { try await $0.me.id }
            #expect(first != other)
        }
    }

    // What a graceful shutdown does, but for `ServiceLifecycle`, which only apps with that trait build.
    @Test func aShutdownClosesTheSessionAndTheOthersHearAGoodbye() async throws {
        try await withSession(Loopback.open("ada")) { ada in
            let bob = try Session(Loopback.open("bob", to: [try await Loopback.address(of: ada)]))
            let (shutdown, input) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await bob.run() }
                group.addTask {
                    await bob.close(after: {
                        for await _ in shutdown { return }
                        throw CancellationError()
                    })
                }
                _ = try await Loopback.peer(bob, of: ada)
                #expect(bob.phase == .running)
                input.yield()
                try await group.waitForAll()
            }
            #expect(bob.phase == .closed)
            // A session that is cancelled says no goodbye, and others see a broken connection.
            for await update in ada.peerUpdates where update.state == .notConnected {
                #expect(update.reason == nil)
                break
            }
        }
    }

    @Test func aSessionThatEndsWaitsForNoShutdown() async throws {
        let session = try Session(Loopback.configuration("ada"))
        async let running: Void = session.run()
        try await session.waitUntilRunning()
        await session.close(after: { throw CancellationError() })
        #expect(session.phase == .running)
        await session.close()
        try await running
    }

    private static func configuration(_ change: (inout Configuration) -> Void) -> Configuration {
        var configuration = Configuration(name: "a", mesh: "m")
        change(&configuration)
        return configuration
    }
}
