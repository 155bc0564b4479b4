import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// `tools/install`, into a folder of the test.
    @Suite(.timeLimit(.minutes(10))) struct InstallTests {
        private let install = Program.root + "tools/install"

        private func end(_ stage: Stage, _ arguments: String...) async throws -> Peer {
            let peer = try stage.run(
                arguments, as: "install \(arguments)", home: "\(stage.folder)/home", under: [install], isProgram: false)
            peer.endInput()
            _ = try await peer.exitCode()
            return peer
        }

        /// Answers what the script asks of a program: the real one takes seconds for that in a debug build.
        private func standIn(_ stage: Stage) throws -> String {
            let path = "\(stage.folder)/stand-in"
            let script =
                "#!/bin/sh\nif [ \"$1\" = manual ]; then touch \"$2/lattice.1\" \"$2/lattice-run.1\" \"$2/lattice-getting-started.7\"; else echo x; fi\n"
            try #require(
                FileManager.default.createFile(
                    atPath: path, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755]))
            return path
        }

        private func files(_ folder: String) -> [String] {
            (FileManager.default.subpaths(atPath: folder) ?? []).sorted()
        }

        @Test(arguments: ["--user", "--system"])
        func whatIsInstalledIsAllThatIsRemoved(mode: String) async throws {
            try await onStage { stage in
                let (prefix, program) = ("\(stage.folder)/prefix", try standIn(stage))
                let mine = "\(prefix)/share/man/man1/mine.1"
                try FileManager.default.createDirectory(
                    atPath: "\(prefix)/share/man/man1", withIntermediateDirectories: true)
                #expect(FileManager.default.createFile(atPath: mine, contents: Data()))
                let before = files(prefix)
                let first = try await end(stage, mode, "--prefix", prefix, "--binary", program)
                try #require(first.child.exitCode == 0, "\(first.transcript)")
                let installed = files(prefix)
                let unit =
                    mode == "--user" ? "share/systemd/user/lattice.service" : "lib/systemd/system/lattice@.service"
                for file in [
                    "bin/lattice", "share/man/man1/lattice.1", "share/man/man1/lattice-run.1",
                    "share/man/man7/lattice-getting-started.7",
                    "share/bash-completion/completions/lattice", "share/zsh/site-functions/_lattice",
                    "share/fish/vendor_completions.d/lattice.fish", unit,
                ] { #expect(installed.contains(file), "\(file)") }
                let text = try String(contentsOfFile: "\(prefix)/\(unit)", encoding: .utf8)
                #expect(text.contains("ExecStart=\(prefix)/bin/lattice run\n"))
                // To do it again changes nothing.
                let again = try await end(stage, mode, "--prefix", prefix, "--binary", program)
                #expect(again.child.exitCode == 0 && files(prefix) == installed, "\(again.transcript)")
                let removed = try await end(stage, mode, "--prefix", prefix, "--uninstall")
                #expect(removed.child.exitCode == 0 && files(prefix) == before, "\(removed.transcript)")
                let nothing = try await end(stage, mode, "--prefix", prefix, "--uninstall")
                #expect(nothing.child.exitCode == 1 && nothing.error.text.contains("nothing is installed"))
                #expect(nothing.error.text.contains("--user, --system or --prefix"))
            }
        }

        @Test func whatIsOfOthersIsNotReplaced() async throws {
            try await onStage { stage in
                let (prefix, program) = ("\(stage.folder)/prefix", try standIn(stage))
                try FileManager.default.createDirectory(atPath: "\(prefix)/bin", withIntermediateDirectories: true)
                #expect(FileManager.default.createFile(atPath: "\(prefix)/bin/lattice", contents: Data("mine".utf8)))
                let refusal = try await end(stage, "--user", "--prefix", prefix, "--binary", program)
                #expect(refusal.child.exitCode == 1 && refusal.error.text.contains("was not installed by this script"))
                #expect(files(prefix) == ["bin", "bin/lattice"])
            }
        }

        @Test func anOptionThatDoesNotExistIsToldAndNothingIsDone() async throws {
            try await onStage { stage in
                let refusal = try await end(stage, "--prefx", "\(stage.folder)/prefix")
                #expect(refusal.child.exitCode == 2 && refusal.error.text.contains("--prefx"))
                #expect(files("\(stage.folder)/prefix") == [])
            }
        }

        /// Every shell that is here takes its completions.
        @Test(arguments: [("bash", "bash", "-n"), ("zsh", "_lattice", "-n"), ("fish", "lattice.fish", "--no-execute")])
        func shellsTakeTheirCompletions(shell: String, name: String, check: String) async throws {
            guard ["/bin", "/usr/bin"].contains(where: { access("\($0)/\(shell)", X_OK) == 0 }) else { return }
            try await onStage { stage in
                let script = try stage.run(["--generate-completion-script", shell])
                #expect(try await script.exitCode() == 0)
                let path = "\(stage.folder)/\(name)"
                #expect(FileManager.default.createFile(atPath: path, contents: Data(script.output.bytes)))
                let read = try stage.run([check, path], under: [shell], isProgram: false)
                #expect(try await read.exitCode() == 0, "\(read.transcript)")
            }
        }
    }
}
