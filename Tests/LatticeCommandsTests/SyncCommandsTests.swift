import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeNode
import Testing

@testable import LatticeCommands

/// What `lattice sync` and `lattice history` ask and answer.
@Suite struct SyncCommandsTests {
    /// A store of one line that knows nobody.
    private actor PastNode: MeshNode {
        private var asked: [any Request] = []

        /// In order.
        nonisolated var requests: [AnyHashable] { get async { await asked.map { AnyHashable($0) } } }

        func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
            asked.append(request)
            let reply: any Sendable
            switch request {
            case is HistoryQuery: reply = HistoryPage(lines: [], hasMore: false)
            case is ShowSyncStatus: reply = SyncStatus(progress: nil, caughtUpAt: nil, groups: [], peers: [])
            default: throw RequestError.other(code: .stopped, message: "this test does not answer \(R.name)")
            }
            guard let reply = reply as? R.Reply else { preconditionFailure("\(R.name) has another reply") }
            return reply
        }

        func events() -> NodeEvents { .over }
    }

    private func run(_ words: String...) async throws -> (CommandOutput, [AnyHashable]) {
        let node = PastNode()
        let command = try #require(try CommandsRoot.parseAsRoot(words) as? any SharedCommand)
        let output = await command.output(on: node, context: CommandContext(now: CommandNode.item.at))
        return (output, await node.requests)
    }

    @Test func aHistoryIsAskedForAsItIsTyped() async throws {
        let (lobby, park) = (try RoomName("#lobby"), try RoomName("#park"))
        #expect(try await run("history").1 == [HistoryQuery(room: lobby, limit: 50)])
        #expect(try await run("history", "park", "-n", "200").1 == [HistoryQuery(room: park, limit: 200)])
        #expect(try await run("history", "#park", "--lines", "1").1 == [HistoryQuery(room: park, limit: 1)])
        for count in ["0", "10001", "many"] {
            #expect(throws: (any Error).self) { try CommandsRoot.parseAsRoot(["history", "-n", count]) }
        }
    }

    @Test func aStatusNeedsNoNode() async throws {
        let (output, requests) = try await run("sync", "status")
        #expect(requests == [ShowSyncStatus()] && output.lines.first == "never caught up" && output.exitCode == 0)
    }

    @Test func syncAloneComparesNow() throws {
        let command = try #require(try CommandsRoot.parseAsRoot(["sync", "--wait", "5"]) as? SyncNowCommand)
        #expect(command.options.wait == 5 && !command.options.json)
        #expect(try CommandsRoot.parseAsRoot(["sync", "now"]) is SyncNowCommand)
        for wait in ["0", "86401", "soon"] {
            #expect(throws: (any Error).self) { try CommandsRoot.parseAsRoot(["sync", "--wait", wait]) }
        }
    }

    @Test func everyEndHasItsWordsAndItsCode() {
        let done = SyncProgress(isCaughtUp: true, fetched: 1, total: 1, peers: 2)
        let half = SyncProgress(isCaughtUp: false, fetched: 1, total: 3, peers: 2)
        let ends: [(StoreSession.SyncEnd, Int32, String, Int)] = [
            (.caughtUp(done), 0, "caught up: 1 record from 2 peers", 1),
            (
                .nobodyThere, 69,
                "nobody is there to sync with; peers need the same mesh and network, or give an address: --peer HOST:PORT",
                1
            ),
            (
                .unfinished(half), 75,
                "not caught up yet: 1 of 3 records after 9 s; received records are kept. To continue: lattice sync", 2
            ),
            (
                .byRunningNode, 0, "your running chat syncs all the time; type /sync there to sync now",
                1
            ),
        ]
        for (end, code, words, objects) in ends {
            let output = SyncAnswer.output(end, seconds: 9)
            #expect(output.exitCode == code)
            #expect(output.lines + output.remarks + (output.failure?.lines ?? []) == [words])
            #expect(output.json.count == objects)
        }
    }

    @Test func theyExplainThemselvesWithExamplesThatAreUnderstood() throws {
        for type in SharedCommands.withParts(SharedCommands.past) {
            let manual = type.manual
            #expect(!manual.examples.isEmpty && manual.abstract.hasSuffix("."), "\(manual.words)")
            for example in manual.examples {
                let words = try WordSplitter.words(of: example).map { $0.replacing("'", with: "") }
                #expect(throws: Never.self, "\(example)") { try CommandsRoot.parseAsRoot(words) }
            }
            #expect(
                SharedCommands.named(manual.words.split(separator: " ").map(String.init))?.manual.words == manual.words)
        }
        // The chat has forms of its own.
        #expect(SharedCommands.past.allSatisfy { CommandWord(rawValue: $0.manual.words) != nil })
    }
}
