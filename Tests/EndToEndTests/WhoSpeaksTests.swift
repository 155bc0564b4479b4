import Foundation
import Testing

extension EndToEnd {
    /// Whom a command without a name is about, and in which rooms they are.
    @Suite(.timeLimit(.minutes(10))) struct WhoSpeaksTests {
        @Test func aCommandSpeaksAsThePersonWhoRunsAndNotAsTheOneUsedLast() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let carol = try stage.start("carol", ["--discovery", "off"], home: home)
                let id = try await carol.ready().id
                let gate = try stage.run(["id", "--name", "gate"], home: home)
                #expect(try await gate.exitCode() == 0)
                let said = try stage.run(["say", "lobby", "by carol", "--wait", "0"], home: home)
                #expect(try await said.exitCode() == 0)
                try await carol.event("what she said") { $0.event == "message" && $0.text == "by carol" }
                let shown = try stage.run(["id"], home: home)
                #expect(try await shown.exitCode() == 0)
                #expect(shown.output.text.hasPrefix("carol \(id ?? "-")"))
            }
        }

        @Test func withSeveralWhoRunANameIsAskedFor() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let carol = try stage.start("carol", ["--discovery", "off"], home: home)
                try await carol.ready()
                let gate = try stage.start("gate", ["--discovery", "off"], home: home)
                try await gate.ready()
                let said = try stage.run(["say", "lobby", "hello", "--wait", "0"], home: home)
                #expect(try await said.exitCode() == 2)
                #expect(said.error.text.contains("carol and gate are running here"))
                #expect(said.error.text.contains("--name carol"))
                let named = try stage.run(["say", "lobby", "hello", "--wait", "0", "--name", "gate"], home: home)
                #expect(try await named.exitCode() == 0)
                try await gate.event("what gate said") { $0.event == "message" && $0.text == "hello" }
                gate.endInput()
                #expect(try await gate.exitCode() == 0)
                let again = try stage.run(["say", "lobby", "by carol", "--wait", "0"], home: home)
                #expect(try await again.exitCode() == 0)
                try await carol.event("what she said") { $0.event == "message" && $0.text == "by carol" }
            }
        }

        @Test func aChatOpensInTheRoomItWasInLastAndHasTheOthersJoined() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                /// - Returns: the room that it opens in, and all that are joined then.
                func chat(_ options: [String], _ lines: String...) async throws -> [String] {
                    let chat = try stage.start("carol", ["--discovery", "off"] + options, home: home)
                    try await chat.ready()
                    try await chat.ask("/rooms")
                    let line = try #require(chat.output.lines.first { $0.contains("\"rooms\"") })
                    let answer = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                    let rooms = try #require(answer["rooms"] as? [[String: Any]])
                    let joined = rooms.filter { $0["joined"] as? Bool == true }
                    let current = joined.filter { $0["current"] as? Bool == true }
                    chat.say(lines)
                    chat.endInput()
                    #expect(try await chat.exitCode() == 0)
                    return (current + joined.filter { $0["current"] as? Bool != true }).compactMap {
                        $0["room"] as? String
                    }
                }
                let first = try await chat([], "/join #park", "/join #music", "/part #music")
                #expect(first == ["#lobby"])
                let again = try await chat([])
                #expect(again == ["#park", "#lobby"])
                let named = try await chat(["--room", "#lobby"])
                #expect(named == ["#lobby", "#park"])
                let last = try await chat([])
                #expect(last == ["#lobby", "#park"])
            }
        }
    }
}
