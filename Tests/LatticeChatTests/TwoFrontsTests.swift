import Foundation
import LatticeAPI
import LatticeControl
import LatticeCore
import Logging
import Testing

@testable import LatticeChat

/// Two chats on one node, over a real control socket.
@Suite(.timeLimit(.minutes(10))) struct TwoFrontsTests {
    private struct Pair {
        let node: SharedNode
        let first: FakeScreen
        let second: FakeScreen

        func until(_ what: Comment, _ holds: () async throws -> Bool) async throws {
            for _ in 0..<60_000 {
                if try await holds() { return }
                try await Task.sleep(for: .milliseconds(1))
            }
            Issue.record(what)
            throw CancellationError()
        }
    }

    private func play(_ body: @Sendable (Pair) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "two-fronts-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "socket").path
        let pair = Pair(node: SharedNode(try Samples.me()), first: FakeScreen(), second: FakeScreen())
        let server = try await ControlServer.listening(
            at: path, node: pair.node, names: SharedNode.names,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run(events: pair.node.stream) }
            for screen in [pair.first, pair.second] {
                group.addTask { try await Self.chat(on: screen, path) }
            }
            defer { group.cancelAll() }
            try await pair.until("both are there") {
                [pair.first, pair.second].allSatisfy { screen in screen.error.contains { $0.hasPrefix("* you are") } }
            }
            try await body(pair)
            for screen in [pair.first, pair.second] { screen.type("/quit") }
            try await pair.until("both have left") { pair.first.hasLeft && pair.second.hasLeft }
        }
    }

    private static func chat(on screen: FakeScreen, _ path: String) async throws {
        let client = try await ControlClient.connected(to: path)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            defer { group.cancelAll() }
            do {
                let me = try await client.hello().me
                let events = await client.events()
                var settings = ChatSettings(
                    room: try RoomName("#lobby"), isInteractive: true, now: { Samples.at })
                settings.keepsTyped = true
                let front = ChatFront(
                    node: client, me: me, screen: screen, renderer: Samples.plainRenderer, settings: settings)
                _ = await front.run(events: events) {
                    do { try await Task.sleep(for: .seconds(3_600)) } catch {}
                }
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test func whatIsSaidInOneIsShownInTheOther() async throws {
        try await play { pair in
            pair.first.type("from the first")
            try await pair.until("the second shows it") { pair.second.output == ["<alice> from the first"] }
            pair.second.type("from the second")
            try await pair.until("the first shows it") { pair.first.output == ["<alice> from the second"] }
            #expect(pair.second.output.count == 1, "what is typed here stands here already")
        }
    }

    @Test func eachTalksInItsOwnRoomAndBothAreInAll() async throws {
        try await play { pair in
            pair.first.type("/join #park", "in the park")
            try await pair.until("the second is notified") {
                pair.second.error.contains { $0.contains("You are now also in #park") }
            }
            try await pair.until("the second hears it") { pair.second.output == ["#park <alice> in the park"] }
            #expect(pair.second.context.room?.text == "#lobby")
            pair.second.type("in the lobby")
            try await pair.until("the first hears it") { pair.first.output == ["#lobby <alice> in the lobby"] }
        }
    }

    @Test func aNameIsTheSameInBoth() async throws {
        try await play { pair in
            pair.first.type("/nick carol")
            try await pair.until("the second is notified") {
                pair.second.error.contains { $0.contains("You are now called carol, renamed by another") }
            }
            #expect(!pair.first.error.contains { $0.contains("renamed by another") })
        }
    }

    /// What was meant for everybody does not go to members, nor the other way round.
    @Test func whenARoomBecomesPrivateInOneTheOtherSaysSo() async throws {
        try await play { pair in
            pair.first.type("/join #camp")
            pair.second.type("/join #camp")
            try await pair.until("both talk there") {
                pair.first.context.room?.text == "#camp" && pair.second.context.room?.text == "#camp"
            }
            pair.first.type("/create #camp")
            try await pair.until("the second's prompt has a star") { pair.second.context.isPrivate }
            try await pair.until("the other is warned") {
                pair.second.error.contains { $0.contains("#camp is now private") }
            }
            pair.second.type("for members")
            try await pair.until("it is said to them") { pair.first.output == ["<alice> for members"] }
            pair.second.type("/forget #camp")
            try await pair.until("the first talks nowhere") { pair.first.context.room == nil }
            try await pair.until("the first is warned") {
                pair.first.error.contains { $0.contains("You are no longer in #camp") }
            }
            pair.first.type("secret")
            try await pair.until("it is not said") {
                pair.first.error.contains { $0.contains("You are not in a room") }
            }
            #expect(!pair.second.output.contains { $0.contains("secret") })
            #expect(await pair.node.refused.isEmpty)
        }
    }
}
