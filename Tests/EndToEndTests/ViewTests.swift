import Foundation
import TestPictures
import Testing

extension EndToEnd {
    /// Pictures that are drawn in a terminal.
    @Suite(.timeLimit(.minutes(10))) struct ViewTests {
        private func picture(_ name: String, width: Int = 600, height: Int = 450, on stage: Stage) throws -> String {
            let path = "\(stage.folder)/\(name)"
            try Data(PictureFile.png(1, width: width, height: height)).write(to: URL(filePath: path))
            return path
        }

        @Test func aPhotoOfAPostIsDrawnByACommand() async throws {
            try await onStage { stage in
                let path = try picture("bridge.png", on: stage)
                _ = try await stage.node("alice", ["--discovery", "off"])
                let posted = try await stage.ask(
                    "alice", "post", "Bridge out", "--at", "40.7,-74", "--photo", path, "--alt", "a broken bridge",
                    "--wait", "0")
                let short = String(try #require(posted.output.text.firstMatch(of: /posted ([0-9a-f]{6})/)).1)
                func isDescription(_ text: String?) -> Bool {
                    text?.wholeMatch(of: /photo of post [0-9a-f]{6} by alice, 560×420, [0-9]+ kB: a broken bridge\n?/)
                        != nil
                }
                let piped = try await stage.ask("alice", "view", short)
                #expect(isDescription(piped.output.text))
                #expect(piped.error.text.contains("--ascii draws this one"))
                let ascii = try await stage.ask("alice", "view", short, "--ascii").output.lines
                #expect(ascii.count == 22 && isDescription(ascii.last))
                for row in ascii.dropLast() {
                    #expect(row.count == 56 && row.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
                }
                let sixel = try await stage.ask("alice", "view", short, "--format", "sixel").output.text
                #expect(sixel.hasPrefix("\u{1B}P") && sixel.contains("\"1;1;448;336"))
                for (columns, rows, wide, high) in [(80, 24, 56, 21), (40, 12, 24, 9)] {
                    let terminal = try stage.terminal(
                        running: [Program.path, "view", short, "--name", "alice"], home: "\(stage.folder)/alice",
                        columns: columns, rows: rows)
                    try await terminal.shows("a broken bridge")
                    #expect(try await terminal.exitCode() == 0)
                    let lines = terminal.lines
                    let drawn = lines.prefix { !$0.hasPrefix("photo of") }
                    #expect(drawn.count == high && drawn.allSatisfy { $0.count <= wide }, "\(terminal.transcript)")
                    #expect(terminal.raw.contains("\u{1B}[38;2;") || terminal.raw.contains("\u{1B}[48;2;"))
                    #expect(lines.last?.hasSuffix("a broken bridge") == true)
                }
            }
        }

        @Test(arguments: [(80, 24), (40, 12)])
        func aSharedPictureIsDrawnInTheChat(columns: Int, rows: Int) async throws {
            try await onStage { stage in
                let path = try picture("lake.png", on: stage)
                let (alice, bob) = try await stage.aliceAndBob(columns: columns, rows: rows)
                bob.say("/send \(path)")
                try await alice.shows("how to see it") { lines in lines.contains { $0.contains("/view 1") } }
                alice.type("half")
                try await alice.prompts("half")
                // Ctrl-U takes it away.
                alice.type("\u{15}/view 1\r")
                try await alice.shows("lake.png by bob, 811 kB")
                try await alice.prompts("")
                let lines = alice.lines
                let last = try #require(lines.lastIndex { $0.hasPrefix("lake.png by bob") })
                let first = try #require(lines.lastIndex { $0.hasPrefix("/view 1") })
                #expect(last - first - 1 == rows - 3, "\(alice.transcript)")
                #expect(lines.count == last + 2, "nothing but the prompt stands below")
            }
        }

        @Test func aPictureThatComesIsGivenUpByControlC() async throws {
            try await onStage { stage in
                let path = try picture("large.png", width: 800, height: 600, on: stage)
                let (alice, bob) = try await stage.aliceAndBob()
                bob.say("/send \(path)")
                try await alice.shows("how to see it") { lines in lines.contains { $0.contains("/view 1") } }
                bob.end()
                try await alice.shows("bob is not connected")
                alice.type("/view 1\r")
                try await alice.shows("that it is fetched") { lines in
                    lines.last?.contains("waiting: nobody has it now") == true
                }
                alice.type("\u{3}")
                try await alice.shows("the picture was cancelled")
                try await alice.prompts("")
                alice.type("/quit\r")
                #expect(try await alice.exitCode() == 0)
            }
        }
    }
}
