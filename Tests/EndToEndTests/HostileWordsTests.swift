import Foundation
import Testing

extension EndToEnd {
    /// Words that came from somebody else and were pasted behind a command, or stand in a file: a link, a name, a list.
    @Suite(.timeLimit(.minutes(10))) struct HostileWordsTests {
        private static let words = "\u{1B}[31m\u{9B}1m\u{202E}x\u{2066}y\u{7}\u{85}\u{200B}z"

        private static let encoded =
            words.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? words

        /// Written out here, so that the test does not ask the code what the code does.
        private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
            default: false
            }
        }

        private static let commands: [[String]] =
            [
                ["join", "lattice://join/\(encoded)?v=1&at=127.0.0.1:1"], ["join", "lattice://\(words)"],
                ["join", "lattice://join/camp?v=\(encoded)"], ["join", "lattice://join/camp?v=1&at=\(encoded)"],
                ["join", "lattice://join/camp?v=1&id=\(encoded)"], ["join", "lattice://join/camp?v=1&\(words)"],
                ["chat", "--peer", words], ["chat", "--mesh", words], ["chat", "--room", words], ["chat", words],
                ["chat", "--interface", words], ["chat", "--\(words)"], ["chat", "--passphrase-file", words],
                ["chat", "--log", words], [words],
                ["send", words, "hi"], ["messages", words], ["history", words], ["show", words],
                ["comment", words, "hi"],
                ["like", words], ["follow", words], ["profile", words], ["event", words], ["near", words],
                ["post", "hi", "--at", words], ["here", words], ["import", words],
                ["export", "--bundle", "-o", "/\(words)/x"],
                ["export", "--by", words], ["store", words], ["store", "keep", "--only", words],
                ["contacts", "verify", words], ["contacts", "add", words], ["block", words], ["unblock", words],
                ["mute", words], ["sync", words], ["invite", words],
            ]

        @Test func whateverIsPastedActsOnNoScreen() async throws {
            try await onStage { stage in
                for (number, command) in Self.commands.enumerated() {
                    let options = number.isMultiple(of: 2) ? [] : ["--json"]
                    let run = try stage.run(command + options, home: "\(stage.folder)/alone")
                    _ = try await run.exitCode()
                    let said = run.output.text + run.error.text
                    #expect(!said.isEmpty, "\(command)")
                    #expect(!said.unicodeScalars.contains(where: Self.isForbidden), "\(said.debugDescription)")
                }
            }
        }

        /// Files that somebody else may have had a hand in.
        @Test func whatStandsInAFileActsOnNoScreen() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alone"
                let first = try stage.run(["here", "1,2", "--name", "alice"], home: home)
                #expect(try await first.exitCode() == 0)
                let folder = "\(home)/lattice/alice"
                let key = String(repeating: "a", count: 64)
                let people = """
                    # lattice people 1
                    peer\t\(key)\t\(Self.words)\t\t\(Self.words)\t\t\t\t\t\t
                    room\t\(Self.words)\t#\(Self.words)
                    \(Self.words)

                    """
                try Data(people.utf8).write(to: URL(filePath: "\(folder)/people"))
                let list = "\(stage.folder)/list"
                try Data("\(key) \(Self.words)\n\(Self.words)\n".utf8).write(to: URL(filePath: list))
                for command in [
                    ["contacts"], ["block", "import", list], ["block"], ["mute"], ["contacts", "--json"],
                ] {
                    let run = try stage.run(command + ["--name", "alice"], home: home)
                    _ = try await run.exitCode()
                    let said = run.output.text + run.error.text
                    #expect(!said.unicodeScalars.contains(where: Self.isForbidden), "\(said.debugDescription)")
                }
            }
        }
    }
}
