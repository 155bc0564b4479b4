import Foundation
import Testing

extension EndToEnd {
    /// `tools/package`, of a program that is none: the real one takes minutes to build as a package needs it.
    @Suite(.timeLimit(.minutes(10))) struct PackageTests {
        private static let standIn = """
            #include <stdio.h>
            #include <string.h>
            int main(int count, char **words) {
                char path[4096];
                if (count == 2 && strcmp(words[1], "--version") == 0) { puts("lattice 1.2.3 (0123456789ab)\\nsession 1"); }
                if (count == 3 && strcmp(words[1], "manual") == 0) {
                    snprintf(path, sizeof path, "%s/lattice.1", words[2]);
                    fclose(fopen(path, "w"));
                }
                return 0;
            }
            """

        private func end(_ stage: Stage, _ command: [String]) async throws -> Peer {
            let peer = try stage.run(
                Array(command.dropFirst()), as: command.joined(separator: " "), home: "\(stage.folder)/home",
                under: Array(command.prefix(1)), isProgram: false)
            peer.endInput()
            _ = try await peer.exitCode()
            return peer
        }

        private func packed(_ stage: Stage, into output: String, program: String) async throws {
            let pack = Program.root + "tools/package"
            let packing = try await end(stage, [pack, "--output", output, "--binary", program])
            try #require(packing.child.exitCode == 0, "\(packing.transcript)")
            let made = try FileManager.default.contentsOfDirectory(atPath: output)
            let wanted = [
                /lattice_1\.2\.3\+git[0-9]{12}\.0123456789ab_[a-z0-9]+\.deb/,
                /lattice-1\.2\.3\+git[0-9]{12}\.0123456789ab-linux-[a-z0-9_]+/,
                /lattice-1\.2\.3\+git[0-9]{12}\.0123456789ab-linux-[a-z0-9_]+\.tar\.xz/,
            ]
            for pattern in wanted { #expect(made.contains { $0.wholeMatch(of: pattern) != nil }, "\(made)") }
            #expect(made.count == wanted.count, "\(made)")
        }

        @Test func aPackageHoldsWhatIsInstalledAndIsTheSameEachTime() async throws {
            try await onStage { stage in
                let (folder, program) = (stage.folder, "\(stage.folder)/stand-in")
                try Self.standIn.write(toFile: "\(program).c", atomically: true, encoding: .utf8)
                let compiling = try await end(stage, ["clang", "-o", program, "\(program).c"])
                try #require(compiling.child.exitCode == 0, "\(compiling.transcript)")
                for output in ["first", "again"] {
                    try await packed(stage, into: "\(folder)/\(output)", program: program)
                }
                let same = try await end(stage, ["diff", "-r", "\(folder)/first", "\(folder)/again"])
                #expect(same.child.exitCode == 0, "\(same.transcript)")

                let name = try #require(
                    try FileManager.default.contentsOfDirectory(atPath: "\(folder)/first").first {
                        $0.hasSuffix(".deb")
                    })
                let depends = try await end(stage, ["dpkg-deb", "--field", "\(folder)/first/\(name)", "Depends"])
                #expect(depends.output.text.contains("libc6 "), "\(depends.transcript)")
                let unpacking = try await end(stage, ["dpkg-deb", "-x", "\(folder)/first/\(name)", "\(folder)/tree"])
                try #require(unpacking.child.exitCode == 0, "\(unpacking.transcript)")
                let files = Set(FileManager.default.subpaths(atPath: "\(folder)/tree") ?? [])
                for file in [
                    "usr/bin/lattice", "usr/share/man/man1/lattice.1.gz", "usr/share/doc/lattice/README.Debian",
                    "usr/share/doc/lattice/LatticeControl.md", "usr/share/doc/lattice/Chat.md",
                    "usr/share/doc/lattice/library/AChatIn25Lines.md", "usr/share/doc/lattice/library/Streams.md",
                    "usr/share/doc/lattice/Resources/page.png",
                    "usr/share/bash-completion/completions/lattice", "usr/share/zsh/vendor-completions/_lattice",
                    "usr/share/fish/vendor_completions.d/lattice.fish", "usr/lib/systemd/user/lattice.socket",
                    "etc/ufw/applications.d/lattice", "usr/share/doc/lattice/copyright",
                    "usr/share/doc/lattice/changelog.gz",
                ] { #expect(files.contains(file), "\(file)") }
                for unit in ["user/lattice.service", "system/lattice@.service"] {
                    let text = try String(contentsOfFile: "\(folder)/tree/usr/lib/systemd/\(unit)", encoding: .utf8)
                    #expect(text.contains("ExecStart=/usr/bin/lattice run\n"), "\(unit)")
                }
            }
        }

        /// `tools/package-program`, with a compiler that builds the stand-in: all else that it does is as for the real program.
        @Test func aProgramForPackagesIsLinkedAndMarked() async throws {
            try await onStage { stage in
                let (folder, tree) = (stage.folder, "\(stage.folder)/tree")
                let files = FileManager.default
                for path in ["tools", "bin"] {
                    try files.createDirectory(atPath: "\(tree)/\(path)", withIntermediateDirectories: true)
                }
                for path in ["tools/package-program", "tools/package-files"] {
                    try files.copyItem(atPath: Program.root + path, toPath: "\(tree)/\(path)")
                }
                let marked =
                    Self.standIn + "__attribute__((section(\".lattice_commit\"), used)) char commit[64] = {1};\n"
                try marked.write(toFile: "\(tree)/stand-in.c", atomically: true, encoding: .utf8)
                let found = try await end(stage, ["sh", "-c", "command -v swift"])
                let swift = found.output.text.trimmingCharacters(in: .newlines)
                let compiler = """
                    #!/bin/sh
                    if [ "$1" = -print-target-info ]; then exec '\(swift)' "$1"; fi
                    printf '%s\\n' "$@" >asked
                    mkdir -p .build/package/release && exec clang -o .build/package/release/lattice stand-in.c
                    """
                try compiler.write(toFile: "\(tree)/bin/swift", atomically: true, encoding: .utf8)
                try "#!/bin/sh\n".write(toFile: "\(tree)/tools/page", atomically: true, encoding: .utf8)
                let linking = try await end(
                    stage,
                    [
                        "sh", "-c",
                        "chmod +x \(tree)/bin/swift \(tree)/tools/page; PATH=\(tree)/bin:$PATH exec \(tree)/tools/package-program \(folder)/linked",
                    ])
                try #require(linking.child.exitCode == 0, "\(linking.transcript)")
                let asked = try String(contentsOfFile: "\(tree)/asked", encoding: .utf8)
                for word in ["--static-swift-stdlib", "--icf=all", "-T/mnt/tools/package-files/package.ld"] {
                    #expect(asked.contains("\(word)\n"), "\(asked)")
                }
                let running = try await end(stage, ["\(folder)/linked", "--version"])
                #expect(running.output.text.hasPrefix("lattice 1.2.3"), "\(running.transcript)")
            }
        }

        @Test func whatNeedsMoreThanGlibcIsNotPackedAlone() async throws {
            try await onStage { stage in
                let program = "\(stage.folder)/stand-in"
                try Self.standIn.write(toFile: "\(program).c", atomically: true, encoding: .utf8)
                let compiling = try await end(
                    stage, ["clang", "-o", program, "\(program).c", "-Wl,--no-as-needed", "-lsodium"])
                try #require(compiling.child.exitCode == 0, "\(compiling.transcript)")
                let pack = Program.root + "tools/package"
                let packing = try await end(stage, [pack, "--output", "\(stage.folder)/out", "--binary", program])
                #expect(packing.child.exitCode == 1)
                #expect(packing.error.text.contains("needs libsodium.so."), "\(packing.transcript)")
            }
        }

        @Test func whatIsNoProgramIsNotPacked() async throws {
            try await onStage { stage in
                let pack = Program.root + "tools/package"
                let packing = try await end(stage, [pack, "--output", "\(stage.folder)/out", "--binary", "/bin/true"])
                #expect(packing.child.exitCode == 1)
                #expect(packing.error.text.contains("/bin/true does not print its version"), "\(packing.transcript)")
                let usage = try await end(stage, [pack, "--nothing"])
                #expect(usage.child.exitCode == 2)
            }
        }
    }
}
