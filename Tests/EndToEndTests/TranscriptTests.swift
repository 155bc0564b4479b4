import Foundation
import Testing

extension EndToEnd {
    /// The sessions that README and the guide show are played by `tools/transcripts`, with the program that was built with these tests.
    @Suite(
        .timeLimit(.minutes(10)),
        .enabled(
            if: Lab.isPossible && Lab.has("nft") && Lab.has("tmux") && Lab.has("python3"),
            "this needs root, iproute2, nftables, tmux, python3"))
    struct TranscriptTests {
        private static let page = Program.root + "Sources/lattice/lattice.docc/Settings.md"

        private func transcripts(_ stage: Stage, _ arguments: String...) async throws -> Peer {
            let playing = try stage.run(
                ["--program", Program.path] + arguments, as: "transcripts", under: [Program.root + "tools/transcripts"],
                isProgram: false)
            playing.endInput()
            try await playing.exitCode()
            return playing
        }

        @Test func theProgramDoesWhatThePagesShow() async throws {
            try await onStage { stage in
                let played = try await transcripts(stage)
                #expect(played.child.exitCode == 0, "\(played.output.text)\(played.error.text)")
            }
        }

        @Test func aChangedLineIsFoundAndCorrectedAndNothingElseChanges() async throws {
            try await onStage { stage in
                let whole = try String(contentsOfFile: Self.page, encoding: .utf8)
                let copy = "\(stage.folder)/Settings.md"
                let changed = whole.replacing("option --ttl", with: "option --hops")
                #expect(changed != whole)
                try changed.write(toFile: copy, atomically: true, encoding: .utf8)

                let told = try await transcripts(stage, "--page", copy, "config")
                #expect(told.child.exitCode == 1, "\(told.transcript)")
                for (sign, option) in [("-", "--hops"), ("+", "--ttl")] {
                    let isTold = told.output.lines.contains { $0.hasPrefix(sign) && $0.hasSuffix(option) }
                    #expect(isTold, "\(told.transcript)")
                }
                #expect(try String(contentsOfFile: copy, encoding: .utf8) == changed)

                let written = try await transcripts(stage, "--page", copy, "--write", "config")
                #expect(written.child.exitCode == 0, "\(written.transcript)")
                #expect(try String(contentsOfFile: copy, encoding: .utf8) == whole)
            }
        }
    }
}
