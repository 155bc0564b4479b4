import Foundation
import Testing

extension EndToEnd {
    /// The programs of `tools/examples`, on terminals of two hosts that find each other.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: Lab.isPossible, "this needs root and iproute2"))
    struct ExampleTests {
        /// `ada` on one host and `bob` on the other, with the same further words.
        private func play(
            _ example: String, _ words: (_ name: String) -> [String] = { [$0] },
            _ body: (_ ada: Terminal, _ bob: Terminal) async throws -> Void
        ) async throws {
            try await inLab("pair") { stage, lab in
                let program = URL(filePath: Program.path).deletingLastPathComponent()
                    .appending(path: "example-\(example)")
                let ada = try stage.terminal(running: lab.way(to: "a") + [program.path] + words("ada"))
                let bob = try stage.terminal(running: lab.way(to: "b") + [program.path] + words("bob"))
                try await body(ada, bob)
                for terminal in [ada, bob] {
                    terminal.type("\u{4}")
                    #expect(try await terminal.exitCode() == 0)
                }
            }
        }

        /// - Returns: how an example ended that is not to run at all, and what it wrote to standard error.
        private func failure(of example: String, _ words: [String]) async throws -> (code: Int32, words: String) {
            var end: (code: Int32, words: String) = (0, "")
            try await onStage { stage in
                let program = URL(filePath: Program.path).deletingLastPathComponent()
                    .appending(path: "example-\(example)")
                let words = words.map { $0.replacing("FOLDER", with: "\(stage.folder)/kept") }
                let peer = try stage.run([program.path] + words, isProgram: false)
                peer.endInput()
                let code = try await peer.exitCode()
                #expect(peer.output.text == "")
                end = (code, peer.error.text)
            }
            return end
        }

        /// A line that begins with a peer of this name, and ends so.
        private func shows(_ terminal: Terminal, from name: String, _ end: String) async throws {
            try await terminal.shows("\(name)#…\(end)") { lines in
                lines.contains { $0.hasPrefix("\(name)#") && $0.hasSuffix(end) }
            }
        }

        @Test(arguments: [
            ("chat", []), ("whiteboard", []), ("sensors", ["FOLDER", "52.5", "13.4"]), ("game", []),
        ])
        func whatFailsIsALineAndNoBacktrace(example: String, words: [String]) async throws {
            let name = String(repeating: "n", count: 64)
            let failure = try await failure(of: example, [name] + words)
            #expect(failure.code == 1)
            #expect(failure.words.hasPrefix("\(example): ") && failure.words.hasSuffix("\n"))
            #expect(failure.words.contains("at most 63") && failure.words.count { $0 == "\n" } == 1, "\(failure.words)")
        }

        @Test(arguments: [
            ("whiteboard", []), ("whiteboard", ["ada", "http"]), ("whiteboard", ["ada", "0", "nowhere"]),
            ("sensors", ["ada", "FOLDER", "91", "13.4"]), ("sensors", ["ada", "FOLDER", "52.5", "13.4", "soon"]),
            ("game", []), ("game", ["ada", "bob"]), ("drop", ["send", "FOLDER"]),
        ])
        func wrongUsageSaysWhatIsRight(example: String, words: [String]) async throws {
            let failure = try await failure(of: example, words)
            #expect(failure.code == 2)
            #expect(failure.words.hasPrefix("\(example): say '\(example) "), "\(failure.words)")
        }

        @Test func helloTalks() async throws {
            try await play("hello") { ada, bob in
                try await shows(ada, from: "bob", " is here")
                try await shows(bob, from: "ada", " is here")
                ada.type("hi bob\n")
                try await shows(bob, from: "ada", ": hi bob")
                bob.type("hi ada\n")
                try await shows(ada, from: "bob", ": hi ada")
            }
        }

        @Test func chatInvitesAndTalks() async throws {
            try await play("chat") { ada, bob in
                try await ada.shows(": connected")
                try await bob.shows(": connected")
                for terminal in [ada, bob] {
                    try await terminal.shows("an invitation, or its answer") { lines in
                        lines.contains { $0.hasPrefix("invited by ") || $0.hasPrefix("linked with ") }
                    }
                }
                bob.type("hi ada\n")
                try await shows(ada, from: "bob", ": hi ada")
            }
        }

        @Test func whiteboardShowsStrokesAndCursors() async throws {
            try await play("whiteboard") { ada, bob in
                for terminal in [ada, bob] { terminal.type("peers 1\n") }
                ada.type("draw 1,2 3,4\nmove 1\n")
                try await bob.shows(" draws 1,2 3,4")
                // Its cursor may be lost now and then, and moves on for a second.
                try await eventually("bob sees the cursor") {
                    bob.type("show\n")
                    try await bob.shows("strokes")
                    return bob.lines.contains { $0.hasPrefix("ada#") && $0.contains(" is at ") } ? () : nil
                }
                try await bob.shows("1 strokes")
            }
        }

        @Test func dropSendsAFile() async throws {
            try await inLab("pair") { stage, lab in
                let program = URL(filePath: Program.path).deletingLastPathComponent().appending(path: "example-drop")
                let home = URL(filePath: stage.folder)
                let (file, folder) = (home.appending(path: "a file.bin"), home.appending(path: "in"))
                let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 251) })
                try content.write(to: file)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                let receiver = try stage.terminal(
                    running: lab.way(to: "a") + [program.path, "receive", folder.path, "ada"])
                let sender = try stage.terminal(running: lab.way(to: "b") + [program.path, "send", file.path, "ada"])
                #expect(try await sender.exitCode() == 0)
                try await receiver.shows("a file.bin: 100 %, 300000 bytes")
                #expect(try Data(contentsOf: folder.appending(path: "a file.bin")) == content)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a file.bin"])
                let missing = try stage.terminal(
                    running: lab.way(to: "b") + [program.path, "send", "\(file.path)2", "ada"])
                try await missing.shows("drop: \(file.path)2: No such file or directory") { lines in
                    lines.joined().contains("a file.bin2: No such file or directory")
                }
                #expect(try await missing.exitCode() == 1)
                receiver.type("\u{3}")
                _ = try await receiver.exitCode()
            }
        }

        @Test func sensorsShowReadingsNearby() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-\(UUID().uuidString)").path
            let places = ["ada": "52.500", "bob": "52.501"]
            let words = { (name: String) in [name, "\(folder)-\(name)", places[name] ?? "", "13.4", "1"] }
            try await play("sensors", words) { ada, bob in
                for (terminal, other) in [(ada, "bob"), (bob, "ada")] {
                    try await terminal.shows("a reading of \(other)") { lines in
                        lines.contains { $0.hasPrefix("\(other)#") && $0.contains(", 111 m away: load ") }
                    }
                }
            }
            for name in places.keys { try FileManager.default.removeItem(atPath: "\(folder)-\(name)") }
        }

        @Test func whoIsTouchedInTheGameIsIt() async throws {
            try await play("game") { ada, bob in
                let first = try await chaser(of: [ada, bob], after: "")
                // On one field, but not on that where all begin.
                for terminal in [ada, bob] { terminal.type("d\n") }
                let second = try await chaser(of: [ada, bob], after: first)
                #expect(Set([first, second].map { $0.prefix(4) }) == ["ada#", "bob#"])
            }
        }

        /// - Returns: the line that both show last about who is it, once it is another.
        private func chaser(of terminals: [Terminal], after old: String) async throws -> String {
            try await eventually("both say who is it, and not: \(old)") {
                let last = Set(terminals.map { $0.lines.last { $0.hasSuffix(" is it") } ?? "" })
                return last.count == 1 && last != [old] && last != [""] ? last.first : nil
            }
        }
    }
}
