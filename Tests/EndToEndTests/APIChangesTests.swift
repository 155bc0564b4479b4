import Foundation
import Testing

extension EndToEnd {
    /// `tools/api-changes`, in a repository of its own, with a stand-in for the compiler.
    @Suite(.timeLimit(.minutes(5))) struct APIChangesTests {
        private let source = "Sources/Lattice/Session.swift"

        /// - Returns: the exit code, and all that was printed.
        private func run(_ stage: Stage, _ script: String) async throws -> (code: Int32, text: String) {
            let peer = try stage.run(["sh", "-ec", "cd '\(stage.folder)/tree'\n\(script)"], isProgram: false)
            peer.endInput()
            let code = try await peer.exitCode()
            return (code, peer.output.text + peer.error.text)
        }

        private func commit(_ stage: Stage, _ text: String) async throws {
            try text.write(toFile: "\(stage.folder)/tree/\(source)", atomically: true, encoding: .utf8)
            let name = "-c user.name=ada -c user.email=ada@example.org"
            let made = try await run(stage, "git add -A && git \(name) commit -q -m 'a change'")
            try #require(made.code == 0, "\(made.text)")
        }

        @Test func versionsAreComparedFromTheFirstTagOnAndOnlyIfTheLibraryHasChanged() async throws {
            try await onStage { stage in
                let tree = "\(stage.folder)/tree"
                for folder in ["tools", "bin", "Sources/Lattice"] {
                    try FileManager.default.createDirectory(
                        atPath: "\(tree)/\(folder)", withIntermediateDirectories: true)
                }
                try FileManager.default.copyItem(
                    atPath: Program.root + "tools/api-changes", toPath: "\(tree)/tools/api-changes")
                let compiler = """
                    #!/bin/sh
                    echo "$*" >>asked
                    case "$*" in
                    *-dump-sdk*) while [ "$1" != -o ]; do shift; done; echo a dump >"$2" ;;
                    *-diagnose-sdk*) cat breaks >&2 ;;
                    esac
                    """
                try compiler.write(toFile: "\(tree)/bin/swift", atomically: true, encoding: .utf8)
                let compare = "PATH=$PWD/bin:$PATH tools/api-changes"
                _ = try await run(stage, "chmod +x bin/swift && git init -q .")
                try await commit(stage, "// One.")
                var told = try await run(stage, compare)
                #expect(told.code == 77 && told.text.contains("there is no tag yet"), "\(told)")
                _ = try await run(stage, "git tag 1.0.0")
                told = try await run(stage, compare)
                #expect(told.code == 0 && told.text.contains("nothing has changed since 1.0.0"), "\(told)")
                try await commit(stage, "// Two.")
                _ = try await run(stage, "echo '/* Removed Decls */' >breaks")
                for _ in 0..<2 {
                    told = try await run(stage, compare)
                    #expect(told.code == 0, "\(told)")
                }
                // The last version is built once.
                told = try await run(stage, "grep -c -- --disable-default-traits asked; grep -c diagnose-sdk asked")
                #expect(told.text == "1\n2\n")
                _ = try await run(stage, "echo 'Lattice: Var Place.longitude has been removed' >>breaks")
                told = try await run(stage, "\(compare) meant")
                #expect(told.code == 1 && told.text.contains("Var Place.longitude has been removed"), "\(told)")
                told = try await run(stage, "tail -n 1 asked")
                #expect(told.text.contains(" -breakage-allowlist-path meant\n"), "\(told)")
            }
        }
    }
}
