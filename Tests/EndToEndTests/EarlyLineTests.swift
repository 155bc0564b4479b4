import Glibc
import Testing

extension EndToEnd {
    /// What is said before anybody is there.
    @Suite(.timeLimit(.minutes(10))) struct EarlyLineTests {
        @Test func linesTypedBeforeAnybodyIsThereArriveWhenSomebodyComes() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                try await alice.ready()
                alice.say("first", "second")
                try await alice.event("that lines wait") { $0.event == "notice" && $0.code == "waiting" }
                let bob = try await stage.guest("bob", of: alice)
                try await bob.hears("second")
                #expect(try bob.heard() == ["first", "second"])
            }
        }

        @Test func moreEarlyLinesThanTheMeshHoldsArriveAllTheSame() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let lines = (1...1_100).map { "line \($0)" }
                alice.say(lines)
                try await eventually("all are shown") {
                    try alice.events().count { $0.event == "message" } == lines.count
                }
                let bob = try await stage.guest("bob", of: alice)
                try await eventually("all are there") { try Set(bob.heard()).count == lines.count }
                try #require(try bob.heard().sorted() == lines.sorted())
            }
        }

        @Test func whoeverWaitsInVainEndsWith75AndLeavesTheInputUnread() async throws {
            try await onStage { stage in
                let reader = try Pipe.reader(of: "never read\n")
                defer { close(reader) }
                let alice = try stage.start(
                    "alice", ["--discovery", "off", "--wait", "1", "--timeout", "1"], json: false, input: reader)
                #expect(try await alice.exitCode() == 75)
                #expect(alice.output.text == "")
                #expect(alice.error.lines.last == "lattice: Only 0 of 1 peers connected within 1 s; try again later.")
                var left = [UInt8](repeating: 0, count: 64)
                let count = read(reader, &left, left.count)
                #expect(String(decoding: left.prefix(max(0, count)), as: UTF8.self) == "never read\n")
            }
        }

        @Test func theEndOfInputWithNobodyThereIsTold() async throws {
            try await onStage { stage in
                let alice = try stage.start("alice", ["--discovery", "off", "--timeout", "1"], json: false)
                alice.say("is anybody there?")
                alice.endInput()
                #expect(try await alice.exitCode() == 69)
                #expect(alice.output.text == "")
                let told = try #require(alice.error.lines.last)
                #expect(told.hasPrefix("lattice: 1 line reached nobody"))
                #expect(told.contains("--wait 1"))
            }
        }

        @Test func whoSaysNothingEndsWell() async throws {
            try await onStage { stage in
                let alice = try stage.start("alice", ["--discovery", "off"], json: false)
                alice.endInput()
                #expect(try await alice.exitCode() == 0)
                #expect(alice.output.text == "")
            }
        }
    }
}
