import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Several chats on one node, and what becomes of them when it ends.
    @Suite(.timeLimit(.minutes(10))) struct AttachingTests {
        private func running(_ stage: Stage, _ home: String, _ options: [String] = []) async throws -> Peer {
            let node = try stage.run(
                ["run", "--name", "alice", "--discovery", "off"] + options, as: "node", home: home)
            try await eventually("it can be asked") {
                if let code = node.child.exitCode { throw NeverHappened(what: "it ended with \(code)") }
                let shell = PersonShell(stage, "alice", home: home)
                return try await shell.all("stats", exitCode: nil).first?["event"] as? String == "node_stats"
            }
            return node
        }

        @Test func aSecondChatTalksThroughTheFirst() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alice"
                let first = try stage.start("alice", ["--discovery", "off"], home: home)
                try await first.ready()
                let bob = try await stage.guest("bob", of: first)
                let second = try stage.start("alice", ["--discovery", "off"], home: home)
                #expect(try await second.ready().id == first.ready().id)
                second.say("by the second")
                try await bob.hears("by the second")
                try await first.event("what the second said") { $0.event == "message" && $0.text == "by the second" }
                bob.say("to both")
                try await second.hears("to both")
                // It leaves alone.
                second.endInput()
                #expect(try await second.exitCode() == 0)
                first.say("still here")
                try await bob.hears("still here")
            }
        }

        @Test func whenTheNodeEndsAChatGoesOnByItselfAndNothingTypedIsLost() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alice"
                let node = try await running(stage, home)
                let chats = [
                    try stage.start("alice", ["--discovery", "off"], home: home),
                    try stage.start("alice", ["--discovery", "off"], home: home),
                ]
                for chat in chats { try await chat.ready() }
                chats[0].say("before")
                for chat in chats { try await chat.event("the line") { $0.text == "before" } }
                node.child.send(SIGKILL)
                #expect(try await node.exitCode() == 128 + SIGKILL)
                chats[0].say("between 1")
                chats[1].say("between 2")
                // A chat that finds the new node at once shows no error.
                try await eventually("a chat shows the error") {
                    try chats.contains { try $0.events().contains { $0.event == "error" && $0.code == "nodeEnded" } }
                }
                for chat in chats {
                    for text in ["between 1", "between 2"] {
                        try await chat.event(text) { $0.event == "message" && $0.text == text }
                    }
                }
                let lines = try await PersonShell(stage, "alice", home: home).all("history")
                #expect(Set(lines.compactMap { $0["text"] as? String }) == ["before", "between 1", "between 2"])
                #expect(lines.count == 3, "none is said twice")
            }
        }

        /// What is started anew in a moment has its folder.
        @Test func aNodeThatIsStartedAnewIsUsedAgain() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alice"
                let first = try await running(stage, home)
                let chat = try stage.start("alice", ["--discovery", "off", "--room", "#park"], home: home)
                try await chat.ready()
                first.child.send(SIGTERM)
                #expect(try await first.exitCode() == 0)
                let second = try await running(stage, home)
                chat.say("again")
                try await chat.event("the line") { $0.event == "message" && $0.text == "again" }
                #expect(second.child.exitCode == nil)
                #expect(try !chat.events().contains { $0.code == "ownNode" })
                // The rooms go along.
                let rooms = try await chat.ask("/rooms")
                #expect(rooms.event == "rooms")
            }
        }

        @Test func twoTerminalsSeeTheSameRooms() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alice"
                let first = try stage.terminal("alice", ["--discovery", "off"], home: home)
                try await first.prompts("")
                let second = try stage.terminal("alice", ["--discovery", "off"], home: home)
                try await second.prompts("")
                first.type("/create #camp\r")
                try await second.shows("it is reported") { lines in
                    lines.contains { $0.contains("You are now also in #camp*") }
                }
                second.type("/join #camp\r")
                try await second.shows("its prompt") { $0.last == "#camp*> " || $0.last == "#camp*>" }
                second.type("for members\r")
                try await first.shows("the line") { lines in lines.contains { $0.hasSuffix("alice  for members") } }
                first.type("/forget #camp\r")
                try await second.shows("no room") { lines in
                    lines.contains { $0.contains("You are no longer in #camp") }
                }
                second.type("lost?\r")
                try await second.shows("nothing is said") { lines in
                    lines.contains { $0.contains("You are not in a room") }
                }
                second.type("\u{3}")
                #expect(try await second.exitCode() == 0)
                first.type("\u{3}")
                #expect(try await first.exitCode() == 0)
            }
        }

        @Test func commandsAtOnceDoNotRunIntoOneAnother() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alice"
                let says = try (1...5).map { number in
                    try stage.run(
                        ["say", "lobby", "line \(number)", "--name", "alice", "--discovery", "off", "--wait", "1"],
                        as: "say \(number)", home: home)
                }
                for say in says {
                    #expect(try await say.exitCode() == 69)
                    #expect(say.error.text.contains("it is stored"), "\(say.transcript)")
                }
                #expect(try await PersonShell(stage, "alice", home: home).all("history").count == 5)
            }
        }

        @Test func aNodeThatIsStoppedIsToldOf() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alice"
                let node = try await running(stage, home)
                node.child.send(SIGSTOP)
                let peers = try stage.run(["peers", "--name", "alice"], as: "peers", home: home)
                #expect(try await peers.exitCode() == 69)
                #expect(peers.error.text.contains("does not answer") && peers.error.text.contains("kill -CONT"))
                node.child.send(SIGCONT)
                #expect(
                    try await PersonShell(stage, "alice", home: home).one("stats")["event"] as? String == "node_stats")
            }
        }

        @Test func besideANodeOfAnotherMeshNothingIsSaidToBeDone() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alice"
                let node = try await running(stage, home)
                let shell = PersonShell(stage, "alice", home: home)
                let sync = try await shell.one("sync", "--mesh", "other", "--wait", "1", exitCode: 69)
                #expect((sync["message"] as? String)?.contains("mesh lattice") == true)
                let chat = try stage.run(
                    ["chat", "--name", "alice", "--mesh", "other", "--discovery", "off"], as: "chat", home: home)
                #expect(try await chat.exitCode() == 69)
                #expect(chat.error.text.contains("in use") && chat.error.text.contains("open mesh lattice"))
                #expect(node.child.exitCode == nil)
            }
        }

        /// A person means the mesh that they see, and what strangers have read cannot be taken back.
        @Test func besideANodeOfAnotherMeshNothingIsWrittenUnlessThatIsNamed() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alice"
                _ = try await running(stage, home, ["--mesh", "camp"])
                let shell = PersonShell(stage, "alice", home: home)
                for words in [["post", "hi", "--at", park], ["send", String(repeating: "ab", count: 32), "hi"]] {
                    let command = try stage.run(words + ["--name", "alice"], home: home)
                    #expect(try await command.exitCode() == 69)
                    #expect(command.error.text.contains("--mesh camp for that one, or --mesh lattice for the open one"))
                }
                let near = try stage.run(["near", park, "--name", "alice"], home: home)
                #expect(try await near.exitCode() == 0)
                #expect(near.error.text.contains("the open mesh camp, but this shows mesh lattice"))
                let posted = try await shell.one("post", "hi", "--at", park, "--mesh", "lattice", "--wait", "0")
                #expect(posted["event"] as? String == "item")
                #expect(
                    try await !shell.all("near", park, "--mesh", "camp").contains { $0["event"] as? String == "item" })
            }
        }
    }
}
