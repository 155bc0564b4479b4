import Testing

extension EndToEnd {
    /// The link to the page as a QR code, on a terminal of 24 rows.
    @Suite(.timeLimit(.minutes(5))) struct LinkCodeTests {
        private static func isCode(_ line: String) -> Bool {
            line.count > 20 && line.allSatisfy { " ▀▄█".contains($0) }
        }

        private static func standsLast(_ lines: [String]) -> Bool {
            // The rows of light around it are blank.
            let lines = lines.filter { $0.contains { $0 != " " } }
            return lines.last.map(isCode) == true && lines.count(where: isCode) >= 15
        }

        @Test func theCodeOfANodeIsTheLastThingOnTheScreen() async throws {
            try await onStage { stage in
                let words = [
                    Program.path, "run", "--name", "alice", "--discovery", "off", "--http", "0.0.0.0:0", "--metrics",
                    "127.0.0.1:0",
                ]
                let node = try stage.terminal(running: words, columns: 80, rows: 24)
                try await node.shows("the code", where: Self.standsLast)
                #expect(node.raw.contains("; Ctrl-C ends it"))
                let port = try #require(node.raw.firstMatch(of: /port (\d+); Ctrl-C/)).1
                let bob = try stage.host("bob", ["--peer", "127.0.0.1:\(port)"])
                _ = try await bob.event("a link") { $0.event == "peer" && $0.state == "connected" }
                try await node.shows("the code still", where: Self.standsLast)
            }
        }

        @Test func theCodeOfThePageIsTheLastThingOnTheScreen() async throws {
            try await onStage { stage in
                let words = [
                    Program.path, "web", "--name", "alice", "--discovery", "off", "--listen", "0.0.0.0:0", "--no-open",
                ]
                let page = try stage.terminal(running: words, columns: 80, rows: 24)
                try await page.shows("the code", where: Self.standsLast)
                #expect(page.raw.contains("Ctrl-C ends it\r\n"))
                page.type("\u{3}")
                #expect(try await page.exitCode() == 0)
            }
        }
    }
}
