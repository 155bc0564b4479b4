import Foundation
import Testing

extension EndToEnd {
    /// A person at a terminal.
    @Suite(.timeLimit(.minutes(10))) struct TerminalTests {
        @Test func whatIsTypedIsSentAndWhatArrivesStandsAboveTheHalfTypedLine() async throws {
            try await onStage { stage in
                let (alice, bob) = try await stage.aliceAndBob()
                try await alice.prompts("")
                alice.type("hello bob\r")
                try await bob.hears("hello bob")
                try await alice.shows("her own line") { lines in
                    lines.contains { $0.wholeMatch(of: /\d\d:\d\d  alice  hello bob/) != nil }
                }
                alice.type("half ty")
                try await alice.prompts("half ty")
                bob.say("hello alice")
                try await alice.shows("bob's line above her own") { lines in
                    lines.last == "#lobby> half ty"
                        && lines.dropLast().last?.wholeMatch(
                            of: /\d\d:\d\d  bob    hello alice|▌\d\d:\d\d bob    hello alice/) != nil
                }
                alice.type("ped\r")
                try await bob.hears("half typed")
                try await alice.prompts("")
            }
        }

        @Test func aLineIsEditedBeforeItIsSent() async throws {
            try await onStage { stage in
                let (alice, bob) = try await stage.aliceAndBob()
                // Home, an insertion, End, two words taken away, one letter by Backspace.
                alice.type("b c d e\u{1}a \u{5}\u{17}\u{17}xy\u{7F}\r")
                try await bob.hears("a b c x")
                // Up brings the line back to be edited; once more, what was typed. Cursor keys.
                try await alice.shows("her line") { lines in lines.contains { $0.hasSuffix("a b c x") } }
                alice.type("\u{1B}[A")
                try await alice.prompts("/edit 1 a b c x")
                alice.type("\u{1B}[A\u{1B}[D\u{1B}[Dé\r")
                try await bob.hears("a b cé x")
                alice.type("bo\t")
                try await alice.prompts("bob:")
                alice.type("hi\r")
                try await bob.hears("bob: hi")
            }
        }

        @Test func linesAreNumberedWhileACommandAboutOneIsTyped() async throws {
            try await onStage { stage in
                let (alice, bob) = try await stage.aliceAndBob()
                bob.say("two seats left", "see http://lake.example/map.")
                try await alice.shows("both lines") { lines in lines.contains { $0.hasSuffix("lake.example/map.") } }
                let link = "\u{1B}]8;;http://lake.example/map\u{1B}\\http://lake.example/map\u{1B}]8;;\u{1B}\\."
                #expect(alice.raw.contains(link))
                alice.type("/reply ")
                try await alice.shows("the lines with their numbers") { lines in
                    lines.contains(" 1  bob: two seats left") && lines.contains(" 2  bob: see http://lake.example/map.")
                }
                alice.type("\t")
                try await alice.prompts("/reply 2")
                alice.type("\t")
                try await alice.prompts("/reply 1")
                alice.type("one :beer_m\t\r")
                try await bob.hears("one 🍺")
                #expect(alice.raw.matches(of: /1  bob: two seats left/).count == 1)
                // An edit of her line; Ctrl-W takes the emoji away.
                // The command itself ends the same way, and stands there first.
                try await alice.shows("her answer") { lines in
                    lines.contains { $0.hasSuffix("alice  ↳ bob: two seats left") }
                        && lines.contains("              one 🍺")
                }
                alice.type("\u{1B}[A")
                try await alice.prompts("/edit 3 one 🍺")
                alice.type("\u{17}for me\r")
                try await bob.event("the edit") { $0.event == "line_changed" }
                #expect(bob.output.lines.contains { $0.contains("\"text\":\"one for me\"") })
            }
        }

        @Test func controlCIsAGoodbyeAndGivesTheTerminalBack() async throws {
            try await onStage { stage in
                let (alice, bob) = try await stage.aliceAndBob()
                try await alice.prompts("")
                #expect(try alice.mode() != alice.before)
                alice.type("never sent\u{3}")
                try await alice.shows("Line cleared. Press Ctrl-C again to leave.")
                try await alice.prompts("")
                alice.type("\u{3}")
                #expect(try await alice.exitCode() == 0)
                #expect(try alice.mode() == alice.before)
                let left = try await bob.event("alice left") { $0.event == "peer" && $0.state == "notConnected" }
                #expect(left.reason == "they left")
                #expect(try bob.heard().isEmpty)
                // Bracketed paste is off again, and no prompt is left.
                try await alice.shows("no prompt") { lines in !lines.contains { $0.hasPrefix("#lobby>") } }
                try await eventually("the last word is that") { alice.raw.hasSuffix("\u{1B}[?2004l") }
            }
        }

        @Test func aPasteOfSeveralLinesIsTextAndWaitsForEnter() async throws {
            try await onStage { stage in
                let (alice, bob) = try await stage.aliceAndBob()
                alice.type("\u{1B}[200~/part\r/nick mallory\r  indented\r\u{1B}[201~")
                try await alice.shows("Pasted 3 lines:")
                try await alice.shows("the question") { $0.last == "Send 3 lines? Enter sends, Ctrl-C drops:" }
                #expect(try bob.heard().isEmpty)
                alice.type("\u{3}")
                try await alice.prompts("")
                alice.type("\u{1B}[200~/part\r/nick mallory\r  indented\r\u{1B}[201~\r")
                try await bob.hears("/part\n/nick mallory\n  indented")
                try await alice.shows("one message of three lines") { lines in
                    lines.contains { $0.hasSuffix("alice  /part") } && lines.contains("              /nick mallory")
                        && lines.contains("                indented")
                }
                try await alice.prompts("")
                #expect(try bob.heard().count == 1)
            }
        }

        @Test func aBareCommandWordIsAskedAbout() async throws {
            try await onStage { stage in
                let (alice, bob) = try await stage.aliceAndBob()
                try await alice.shows("Type to talk. /help for commands, /quit to leave.")
                alice.type("quit\r")
                try await alice.shows("Did you mean /quit?")
                #expect(try bob.heard().isEmpty)
                alice.type("quit\r")
                try await bob.hears("quit")
            }
        }

        @Test func controlCEndsTheWaitForPeersToo() async throws {
            try await onStage { stage in
                let alice = try stage.terminal("alice", ["--discovery", "off", "--wait", "1"])
                try await alice.prompts("")
                alice.type("typed ahead\r\u{3}")
                #expect(try await alice.exitCode() == 0)
                #expect(try alice.mode() == alice.before)
            }
        }

        @Test func controlDOnAnEmptyLineEndsTheChat() async throws {
            try await onStage { stage in
                let alice = try stage.terminal("alice", ["--discovery", "off"])
                try await alice.prompts("")
                alice.type("\u{4}")
                #expect(try await alice.exitCode() == 0)
                #expect(try alice.mode() == alice.before)
            }
        }

        @Test func theHistoryOutlivesTheChat() async throws {
            try await onStage { stage in
                let first = try stage.terminal("alice", ["--discovery", "off"], home: stage.folder)
                try await first.prompts("")
                first.type("remember me\r")
                try await first.shows("alice  remember me")
                first.type("\u{3}")
                #expect(try await first.exitCode() == 0)
                let second = try stage.terminal("alice", ["--discovery", "off"], home: stage.folder)
                try await second.prompts("")
                // The first Up is for the line that is on the screen.
                try await second.shows("what was said before") { lines in lines.contains { $0.hasSuffix("remember me") }
                }
                second.type("\u{1B}[A\u{1B}[A")
                try await second.prompts("remember me")
            }
        }

        @Test func itWorksOnAVerySmallTerminal() async throws {
            try await onStage { stage in
                let (alice, bob) = try await stage.aliceAndBob(columns: 20, rows: 5)
                let words = (1...30).map { "word\($0)" }.joined(separator: " ") + " 漢字"
                alice.type(words + "\r")
                try await bob.hears(words)
                try alice.resize(columns: 40, rows: 10)
                alice.type("after\r")
                try await bob.hears("after")
            }
        }

        @Test func whoIsNamedIsRungFor() async throws {
            try await onStage { stage in
                let (alice, bob) = try await stage.aliceAndBob()
                bob.say("malice is no name of hers", "over")
                try await alice.shows("bob  over")
                #expect(!alice.raw.contains("\u{7}"))
                bob.say("Alice, are you there?")
                try await eventually("the bell rings") { alice.raw.contains("\u{7}") }
            }
        }

        /// Who works in another window of tmux hears each mention.
        @Test func everyMentionRingsFromABackgroundWindowOfTmux() async throws {
            try await onStage { stage in
                let bob = try stage.host("bob")
                let socket = "\(stage.folder)/tmux"
                let chat = "\(Program.path) chat --name alice --discovery off --peer \(try await bob.address())"
                _ = try stage.run(["tmux", "-S", socket, "-f", "/dev/null", "-D"], isProgram: false)
                try await eventually("tmux listens") { FileManager.default.fileExists(atPath: socket) }
                let screen = try stage.terminal(running: ["tmux", "-S", socket, "new-session", chat])
                try await bob.event("alice is here") { $0.event == "presence" && $0.name == "alice" }
                // A line that comes earlier is one of those from before the chat, which ring nowhere.
                try await screen.shows("the chat") { lines in lines.contains { $0.hasSuffix("bob is connected") } }
                let tmux = try stage.run(["tmux", "-S", socket, "new-window", "cat"], isProgram: false)
                #expect(try await tmux.exitCode() == 0)
                try await screen.shows("the other window") { lines in lines.contains { $0.contains("1:cat*") } }
                for number in 1...20 {
                    bob.say("alice: \(number)", "not for her")
                    try await eventually("mention \(number) rings") {
                        screen.raw.unicodeScalars.count { $0 == "\u{7}" } == number
                    }
                }
                let quit = ["tmux", "-S", socket, "send-keys", "-t", ":0", "/quit", "Enter"]
                #expect(try await stage.run(quit, isProgram: false).exitCode() == 0)
                try await eventually("the window of the chat is gone") {
                    try await stage.run(["tmux", "-S", socket, "list-panes", "-t", ":0"], isProgram: false)
                        .exitCode() != 0
                }
            }
        }

        @Test func aSignalGivesTheTerminalBackToo() async throws {
            try await onStage { stage in
                let alice = try stage.terminal("alice", ["--discovery", "off"])
                try await alice.prompts("")
                alice.child.send(15)
                #expect(try await alice.exitCode() == 0)
                #expect(try alice.mode() == alice.before)
            }
        }

        @Test func aTerminalThatKnowsNoSequencesGetsPlainLines() async throws {
            try await onStage { stage in
                let (alice, bob) = try await stage.aliceAndBob(variables: ["TERM": "dumb"])
                alice.type("hello\n")
                try await bob.hears("hello")
                bob.say("hello yourself")
                try await alice.shows("bob's line") { $0.contains("<bob> hello yourself") }
                #expect(!alice.raw.contains("\u{1B}"))
                #expect(try alice.mode() == alice.before)
            }
        }

        @Test func nothingThatAPeerSaysMovesTheCursor() async throws {
            try await onStage { stage in
                let (alice, bob) = try await stage.aliceAndBob(["--no-color"])
                bob.say(
                    "\u{1B}[2J\u{1B}[Hgone\u{7}", "\u{1B}]0;title\u{7}", "\u{9B}2J\u{90}q\u{9C}", "a\rb\u{8}c",
                    "\u{202E}reversed\u{2066}", "over")
                try await alice.shows("bob  over")
                let raw = alice.raw
                for sent in [
                    "\u{1B}[2J", "\u{1B}[H", "\u{1B}]", "\u{7}", "\u{9B}", "\u{90}", "\u{9C}", "\u{8}", "\u{202E}",
                ] {
                    #expect(!raw.unicodeScalars.contains(sent.unicodeScalars), "\(sent.debugDescription)")
                }
                for line in ["[2J[Hgone", "]0;title", "a", "reversed"] {
                    #expect(alice.lines.contains { $0.hasSuffix("bob  \(line)") }, "\(line)")
                }
                // A carriage return ends a row, and does not overwrite it.
                #expect(alice.lines.contains { $0.hasPrefix(" ") && $0.hasSuffix(" bc") })
            }
        }

        @Test(arguments: [true, false])
        func coloursAreThereUnlessNobodyWantsThem(isWanted: Bool) async throws {
            try await onStage { stage in
                let (alice, bob) = try await stage.aliceAndBob(variables: isWanted ? [:] : ["NO_COLOR": "1"])
                bob.say("hello")
                try await alice.shows("hello")
                let colours = alice.raw.matches(of: /\u{1B}\[[0-9;]*m/)
                #expect(colours.isEmpty == !isWanted)
            }
        }
    }
}

extension Collection where Element: Equatable {
    fileprivate func contains(_ part: some Collection<Element>) -> Bool {
        indices.contains { self[$0...].starts(with: part) }
    }
}
