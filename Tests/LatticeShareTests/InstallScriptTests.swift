import Foundation
import Glibc
import Testing

@testable import LatticeShare

/// The script, run by every shell that is here.
@Suite(.timeLimit(.minutes(5))) struct InstallScriptTests {
    /// The ways to call a POSIX shell.
    static let shells = [["/bin/sh"], ["/bin/dash"], ["/bin/bash", "--posix"], ["/bin/busybox", "sh"]].filter {
        access($0[0], X_OK) == 0
    }

    private struct Ended {
        let code: Int32
        let text: String
    }

    /// - Parameters:
    ///   - home: `nil` is a person without one.
    ///   - tools: a folder with the only programs there are; `nil` are all.
    private static func run(
        _ script: String, by shell: [String], home: String?, tools: String? = nil, _ arguments: [String] = []
    ) async throws -> Ended {
        let (process, input, output) = (Process(), Foundation.Pipe(), Foundation.Pipe())
        process.executableURL = URL(filePath: shell[0])
        process.arguments = shell.dropFirst() + (arguments.isEmpty ? [] : ["-s", "--"] + arguments)
        var environment = ["PATH": tools ?? "/usr/bin:/bin"]
        environment["HOME"] = home
        process.environment = environment
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
        try process.run()
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
                        try input.fileHandleForWriting.close()
                        let text = try output.fileHandleForReading.readToEnd() ?? Data()
                        process.waitUntilExit()
                        return Ended(code: process.terminationStatus, text: String(decoding: text, as: UTF8.self))
                    })
            }
        }
    }

    private static func script(_ rig: ShareRig) -> String { InstallScript(rig.offer, rig.base).text }

    private static func make(_ path: String, _ content: String) throws {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
        try #require(
            FileManager.default.createFile(atPath: path, contents: Data(content.utf8), attributes: attributes))
    }

    private static func files(_ folder: String) -> [String] {
        (FileManager.default.subpaths(atPath: folder) ?? []).sorted()
    }

    private static func content(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    @Test(arguments: shells)
    func theProgramComesToItsPlace(shell: [String]) async throws {
        try await ShareRig.serving { rig in
            let home = "\(rig.folder)/home of bob"
            let target = "\(home)/.local/bin/lattice"
            let end = try await Self.run(Self.script(rig), by: shell, home: home)
            #expect(end.code == 0, "\(end.text)")
            #expect(try Self.content(target) == Self.content(ShareRig.program))
            #expect(access(target, X_OK) == 0)
            #expect(Self.files("\(home)/.local/bin") == ["lattice"])
            #expect(end.text.contains("SHA-256 \(rig.offer.program.sum)"))
            #expect(end.text.contains("Next: \(target) join 'lattice://join/it%27s?v=1&closed=1'"), "\(end.text)")
            #expect(rig.server.counts.count(of: .program) == 1)
            // A second time nothing is fetched.
            let again = try await Self.run(Self.script(rig), by: shell, home: home)
            #expect(again.code == 0 && again.text.contains("is there already"), "\(again.text)")
            #expect(rig.server.counts.count(of: .program) == 1)
        }
    }

    /// Whatever is cut off, half a script does nothing.
    @Test(arguments: shells)
    func halfAScriptDoesNothing(shell: [String]) async throws {
        try await ShareRig.serving { rig in
            let script = Array(Self.script(rig).utf8)
            let last = script.count - 40
            let places = Array(stride(from: 0, to: last, by: 397)) + Array(last..<script.count - 1)
            for place in places {
                let half = String(decoding: script[..<place], as: UTF8.self)
                let end = try await Self.run(half, by: shell, home: rig.folder)
                #expect(!end.text.contains("Fetching"), "\(place): \(end.text)")
            }
            #expect(!FileManager.default.fileExists(atPath: "\(rig.folder)/.local"))
            #expect(rig.server.counts.isEmpty)
        }
    }

    @Test(arguments: shells)
    func anotherVersionIsReplacedAndAnotherProgramIsNot(shell: [String]) async throws {
        try await ShareRig.serving { rig in
            let target = "\(rig.folder)/bin/lattice"
            try Self.make(target, "#!/bin/sh\necho lattice 0.0.1\n")
            let replaced = try await Self.run(
                Self.script(rig), by: shell, home: nil, ["--dir", "\(rig.folder)/bin", "--no-start"])
            #expect(replaced.code == 0, "\(replaced.text)")
            #expect(replaced.text.contains("Replaced lattice 0.0.1 in \(target)"))
            #expect(try Self.content(target) == Self.content(ShareRig.program))
            for other in ["#!/bin/sh\necho latex\n", "#!/bin/sh\nexit 1\n", "not a program\n"] {
                try Self.make(target, other)
                let refused = try await Self.run(
                    Self.script(rig), by: shell, home: nil, ["--dir=\(rig.folder)/bin"])
                #expect(refused.code == 1 && refused.text.contains("is another program"), "\(refused.text)")
                #expect(try Self.content(target) == Data(other.utf8))
            }
        }
    }

    /// What is there stays if the download is damaged.
    @Test(arguments: shells)
    func aDamagedDownloadIsRemoved(shell: [String]) async throws {
        try await ShareRig.serving { rig in
            let target = "\(rig.folder)/.local/bin/lattice"
            try Self.make(target, "#!/bin/sh\necho lattice 0.0.1\n")
            let other = String(repeating: "0", count: 64)
            let script = Self.script(rig).replacing(rig.offer.program.sum, with: other)
            let end = try await Self.run(script, by: shell, home: rig.folder)
            #expect(end.code == 1 && end.text.contains("damaged"), "\(end.text)")
            #expect(end.text.contains(rig.offer.program.sum) && end.text.contains(other))
            #expect(Self.files("\(rig.folder)/.local/bin") == ["lattice"])
            #expect(try Self.content(target) == Data("#!/bin/sh\necho lattice 0.0.1\n".utf8))
        }
    }

    @Test(arguments: shells)
    func anEarlierPartIsCompleted(shell: [String]) async throws {
        try await ShareRig.serving { rig in
            let (folder, name) = ("\(rig.folder)/.local/bin", ".lattice-\(rig.offer.program.sum.prefix(12)).part")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let part = try Self.content(ShareRig.program).prefix(10_000)
            try #require(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: part))
            let end = try await Self.run(Self.script(rig), by: shell, home: rig.folder)
            #expect(end.code == 0, "\(end.text)")
            #expect(try Self.content("\(folder)/lattice") == Self.content(ShareRig.program))
            // Only the rest was fetched, so it counts as no whole file.
            #expect(rig.server.counts.isEmpty)
        }
    }

    /// A program that needs what is not here replaces nothing.
    @Test(arguments: shells)
    func aProgramThatDoesNotStartIsRemoved(shell: [String]) async throws {
        try await ShareRig.inFolder { folder in
            var content = Array(try Self.content(ShareRig.program))
            let loader = try #require(content.firstRange(of: Array("/ld-linux".utf8)))
            content[loader.lowerBound + 1] = UInt8(ascii: "x")
            let program = "\(folder)/broken"
            try #require(FileManager.default.createFile(atPath: program, contents: Data(content)))
            try await ShareRig.serving(program: program) { rig in
                let end = try await Self.run(Self.script(rig), by: shell, home: rig.folder)
                #expect(end.code == 1 && end.text.contains("does not start on this system"), "\(end.text)")
                #expect(Self.files("\(rig.folder)/.local/bin") == [])
            }
        }
    }

    @Test(arguments: [
        ("uname -m", "mips", "this machine is mips"), ("uname -s", "Darwin", "this is Darwin"),
        ("df -Pk", "Filesystem 1024-blocks Used Available\n/dev/x 100 99 1 99% /", "no room on the disk"),
    ])
    func aMachineThatDoesNotFitIsRefused(call: String, answer: String, words: String) async throws {
        try await ShareRig.serving { rig in
            let tools = "\(rig.folder)/tools"
            let parts = call.split(separator: " ")
            let other = "exec /usr/bin/\(parts[0]) \"$@\""
            try Self.make(
                "\(tools)/\(parts[0])",
                "#!/bin/sh\nif [ \"$1\" = \(parts[1]) ]; then printf '%s\\n' '\(answer)'; else \(other); fi\n")
            let end = try await Self.run(
                Self.script(rig), by: ["/bin/sh"], home: rig.folder, tools: "\(tools):/usr/bin:/bin")
            #expect(end.code == 1 && end.text.contains(words), "\(end.text)")
            #expect(!FileManager.default.fileExists(atPath: "\(rig.folder)/.local/bin/lattice"))
        }
    }

    /// wget stands in for curl, other tools for sha256sum; the script says when none is there.
    @Test(
        arguments: [
            (["curl", "sha256sum"], nil), (["wget", "openssl"], nil), (["wget", "sha256sum"], nil),
            (["curl", "shasum"], nil), (["curl"], "install sha256sum"), (["sha256sum"], "needs curl or wget"),
        ] as [([String], String?)])
    func otherToolsDoAsWell(tools: [String], refusal: String?) async throws {
        guard tools.allSatisfy({ access("/usr/bin/\($0)", X_OK) == 0 }) else { return }
        try await ShareRig.serving { rig in
            let folder = "\(rig.folder)/tools"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let usual = ["uname", "wc", "mkdir", "rm", "mv", "chmod", "sed", "awk", "df", "sleep", "grep", "perl"]
            for tool in usual + tools {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/\(tool)", withDestinationPath: "/usr/bin/\(tool)")
            }
            let end = try await Self.run(Self.script(rig), by: ["/bin/sh"], home: rig.folder, tools: folder)
            #expect(end.code == (refusal == nil ? 0 : 1), "\(end.text)")
            if let refusal { #expect(end.text.contains(refusal), "\(end.text)") }
        }
    }

    @Test(arguments: [
        (["--frob"], 2, "unknown option --frob"), (["--dir"], 1, "--dir needs a folder"),
        (["--dir", "/dev/null/x"], 1, "cannot make the folder"), (["--dir", "/proc/self"], 1, "cannot"),
    ])
    func wrongOptionsAreRefused(arguments: [String], code: Int32, words: String) async throws {
        try await ShareRig.serving { rig in
            let end = try await Self.run(Self.script(rig), by: ["/bin/sh"], home: rig.folder, arguments)
            #expect(end.code == code && end.text.contains(words), "\(end.text)")
        }
    }

    @Test func withoutAHomeAFolderIsAskedFor() async throws {
        try await ShareRig.serving { rig in
            let end = try await Self.run(Self.script(rig), by: ["/bin/sh"], home: nil)
            #expect(end.code == 1 && end.text.contains("HOME is not set"), "\(end.text)")
        }
    }

    @Test func wordsKeepTheirMeaningInAShell() async throws {
        let words = ["join", "it's", "$(id)", "a b", "*", "", "lattice://join/camp?v=1&at=[fd00::1]:4000"]
        let script = "printf '<%s>' \(ShellWords.text(words))\n"
        for shell in Self.shells {
            let end = try await Self.run(script, by: shell, home: nil)
            #expect(end.text == words.map { "<\($0)>" }.joined())
        }
    }
}
