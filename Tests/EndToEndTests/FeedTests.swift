import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// A program of 70 lines that joins two nodes which do not see each other.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: Lab.has("python3"), "this needs python3"))
    struct FeedTests {
        private func node(_ name: String, on stage: Stage) async throws -> (shell: PersonShell, peer: Peer) {
            let shell = PersonShell(stage, name)
            let node = try stage.run(
                ["run", "--name", name, "--discovery", "off", "--room", "#park"], as: name, home: shell.home)
            try await eventually("\(name) can be asked") {
                if let code = node.child.exitCode { throw NeverHappened(what: "\(name) ended with \(code)") }
                return try await shell.all("stats", exitCode: nil).first?["event"] as? String == "node_stats"
            }
            return (shell, node)
        }

        private func bridge(_ one: PersonShell, _ other: PersonShell, on stage: Stage) throws -> Peer {
            try stage.run(
                [
                    Program.root + "tools/examples/feed/feed.py", "\(one.home)/lattice/alice/control.sock",
                    "\(other.home)/lattice/bob/control.sock", "\(stage.folder)/position",
                ], as: "bridge", under: ["python3"], isProgram: false)
        }

        private func park(_ shell: PersonShell) async throws -> [String] {
            try await shell.all("history", "park").compactMap { $0["text"] as? String }
        }

        @Test func whatIsSaidAtOneNodeIsReadAtTheOtherAndNothingGoesRound() async throws {
            try await onStage { stage in
                let alice = try await node("alice", on: stage).shell
                let bob = try await node("bob", on: stage).shell
                _ = try await alice.one("say", "park", "before", "--wait", "0")
                let watch = try stage.run(["watch", "--name", "bob", "--json"], as: "watch", home: bob.home)
                let first = try bridge(alice, bob, on: stage)
                try await eventually("bob has the first line") { try await park(bob) == ["before"] }
                _ = try await alice.one("say", "park", "there", "--wait", "0")
                try await watch.hears("there")
                _ = try await bob.one("say", "park", "back", "--wait", "0")
                try await eventually("alice has all") { try await park(alice) == ["before", "there", "back"] }
                first.child.send(SIGKILL)
                _ = try await first.exitCode()
                _ = try await alice.one("say", "park", "meanwhile", "--wait", "0")
                #expect(try await park(bob).contains("meanwhile") == false)
                let kept = try String(contentsOfFile: "\(stage.folder)/position.there", encoding: .utf8)
                let second = try bridge(alice, bob, on: stage)
                let all = ["before", "there", "back", "meanwhile"]
                try await eventually("bob has all") { try await park(bob) == all }
                #expect(try await park(alice) == all)
                try await eventually("the position goes on") {
                    try String(contentsOfFile: "\(stage.folder)/position.there", encoding: .utf8) != kept
                }
                #expect(second.child.exitCode == nil)
                #expect(watch.output.text.components(separatedBy: "\"there\"").count == 2, "it is shown once")
            }
        }

        @Test func theBridgeEndsWithANode() async throws {
            try await onStage { stage in
                let alice = try await node("alice", on: stage).shell
                let (bob, peer) = try await node("bob", on: stage)
                let joined = try bridge(alice, bob, on: stage)
                _ = try await alice.one("say", "park", "hello", "--wait", "0")
                try await eventually("bob has the line") { try await park(bob) == ["hello"] }
                peer.child.send(SIGTERM)
                #expect(try await joined.exitCode() == 1)
            }
        }

        /// A node has at most 64 of them.
        @Test func aFeedEndsWithItsConnection() async throws {
            try await onStage { stage in
                let alice = try await node("alice", on: stage).shell
                for number in 0..<65 {
                    // The node may hear of the end of a connection after the next one has begun.
                    try await eventually("feed \(number) is open") {
                        let socket = try UnixSocket("\(alice.home)/lattice/alice/control.sock")
                        socket.send(##"{"id":1,"method":"records.subscribe"}"## + "\n")
                        return socket.line().contains("records.subscribed")
                    }
                }
            }
        }
    }
}
