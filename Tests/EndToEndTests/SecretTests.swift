import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// The identity at rest: passphrase, wipe, and what never shows it.
    @Suite(.timeLimit(.minutes(10))) struct SecretTests {
        /// Runs a command to its end, in a session without a terminal.
        private func run(
            _ stage: Stage, _ arguments: [String], home: String, code: Int32 = 0
        ) async throws -> (output: String, error: String) {
            let command = try stage.run(
                arguments + ["--name", "alice"], as: arguments.joined(separator: " "), home: home,
                under: ["setsid", "--wait"])
            try #require(try await command.exitCode() == code, "\(arguments): \(command.error.text)")
            return (command.output.text, command.error.text)
        }

        private func secretFile(_ stage: Stage, _ text: String, mode: Int = 0o600) throws -> String {
            let path = "\(stage.folder)/\(UUID().uuidString)"
            try Data("\(text)\nnot a part of it\n".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return path
        }

        private func seal(_ stage: Stage, home: String, _ passphrase: String) async throws {
            let file = try secretFile(stage, passphrase)
            _ = try await run(stage, ["id"], home: home)
            _ = try await run(stage, ["passphrase", "set", "--new-passphrase-file", file], home: home)
        }

        @Test func aPassphraseIsSetChangedAndRemoved() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alone"
                let place = ["here", "1,2"]
                let before = try await run(stage, ["id"], home: home).output
                try await seal(stage, home: home, "first")
                // Who one is is no secret.
                #expect(try await run(stage, ["id"], home: home).output == before)
                let refused = try await run(stage, place, home: home, code: 1)
                #expect(refused.error.contains("--identity-passphrase-file"))
                let (first, second) = (try secretFile(stage, "first"), try secretFile(stage, "second"))
                let option = "--identity-passphrase-file"
                _ = try await run(stage, place + [option, first], home: home)
                let wrong = try await run(stage, place + [option, second], home: home, code: 1)
                #expect(wrong.error == "lattice: the passphrase is wrong\n")
                let open = try secretFile(stage, "first", mode: 0o644)
                let told = try await run(stage, place + [option, open], home: home, code: 1).error
                #expect(told.contains("chmod 600"))
                _ = try await run(
                    stage, ["passphrase", "change", option, first, "--new-passphrase-file", second], home: home)
                _ = try await run(stage, place + [option, first], home: home, code: 1)
                _ = try await run(stage, ["passphrase", "set", "--new-passphrase-file", first], home: home, code: 1)
                _ = try await run(stage, ["passphrase", "remove", option, second], home: home)
                _ = try await run(stage, ["passphrase", "remove", option, second], home: home, code: 1)
                _ = try await run(stage, place, home: home)
                #expect(try await run(stage, ["id"], home: home).output == before)
            }
        }

        @Test func theTerminalAsksWithoutShowingAndTriesAgain() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alone"
                try await seal(stage, home: home, "open sesame")
                let alice = try stage.terminal("alice", ["--discovery", "off"], home: home)
                try await alice.shows("Passphrase of")
                try await eventually("nothing is echoed") { try alice.mode() != alice.before }
                alice.type("wrong one\r")
                try await alice.shows("try again")
                try await eventually("the second question") { alice.raw.ranges(of: "Passphrase of").count == 2 }
                alice.type("open sesame\r")
                try await alice.prompts("")
                #expect(!alice.raw.contains("wrong one") && !alice.raw.contains("sesame"))
                alice.type("\u{3}")
                #expect(try await alice.exitCode() == 0)
                #expect(try alice.mode() == alice.before)
            }
        }

        @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
        func aSignalWhileItAsksGivesTheTerminalBack(_ number: Int32) async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alone"
                try await seal(stage, home: home, "open sesame")
                let alice = try stage.terminal("alice", ["--discovery", "off"], home: home)
                try await alice.shows("Passphrase of")
                alice.type("half a pass")
                alice.child.send(number)
                #expect(try await alice.exitCode() == 128 + number)
                #expect(try alice.mode() == alice.before)
            }
        }

        @Test func wipeRemovesThePersonAndNobodyElse() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alone"
                _ = try await run(stage, ["here", "1,2"], home: home)
                let folder = "\(home)/lattice/alice"
                try Data("mine".utf8).write(to: URL(filePath: "\(folder)/notes.txt"))
                let refused = try await run(stage, ["wipe"], home: home, code: 2)
                #expect(refused.error.contains("--yes"))
                let chat = try stage.start("alice", ["--discovery", "off"], home: home)
                try await chat.ready()
                _ = try await run(stage, ["wipe", "--yes"], home: home, code: 69)
                chat.child.send(SIGTERM)
                _ = try await chat.exitCode()
                #expect(FileManager.default.fileExists(atPath: "\(folder)/identity"))
                let wiped = try await run(stage, ["wipe", "--yes", "--json"], home: home).output
                #expect(wiped.hasPrefix("{\"event\":\"wiped\",\"name\":\"alice\""))
                #expect(wiped.contains("\"left\":[\"notes.txt\"]"))
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes.txt"])
            }
        }

        @Test func whatIsNoPlainFolderIsToldToProgramsToo() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alone"
                _ = try await run(stage, ["here", "1,2"], home: home)
                let (folder, moved) = ("\(home)/lattice/alice", "\(stage.folder)/moved")
                let identity = "\(folder)/identity"
                try FileManager.default.moveItem(atPath: identity, toPath: moved)
                try FileManager.default.createSymbolicLink(atPath: identity, withDestinationPath: moved)
                let refused = try await run(stage, ["wipe", "--yes"], home: home, code: 1)
                #expect(refused.error.contains("mv \(moved)"))
                unlink(identity)
                try FileManager.default.moveItem(atPath: moved, toPath: identity)
                try FileManager.default.moveItem(atPath: folder, toPath: moved)
                try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: moved)
                let linked = try await run(stage, ["wipe", "--yes", "--json"], home: home, code: 1)
                #expect(linked.output.hasPrefix("{\"event\":\"error\",\"code\":\"failed\""))
                #expect(linked.output.contains("--data-dir \(moved)") && linked.error.isEmpty)
                #expect(FileManager.default.fileExists(atPath: "\(moved)/identity"))
            }
        }

        @Test func aMistypedNameMakesNobody() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alone"
                let file = try secretFile(stage, "first")
                for change in [["set", "--new-passphrase-file", file], ["remove"], ["change"]] {
                    let told = try await run(stage, ["passphrase"] + change, home: home, code: 1).error
                    #expect(told.contains("no identity"), "\(change)")
                    #expect(!FileManager.default.fileExists(atPath: "\(home)/lattice/alice"))
                }
                #expect(!FileManager.default.fileExists(atPath: "\(home)/lattice/.last"))
            }
        }

        /// For a moment both the identity's file and its draft exist; a process killed then leaves the secret unchanged.
        @Test func whoIsKilledWhileChangingLeavesNothingForLong() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alone"
                let draft = "\(home)/lattice/alice/identity.change.new"
                let file = try secretFile(stage, "first")
                let before = try await run(stage, ["id"], home: home).output
                try await eventually("a draft is left") {
                    if FileManager.default.fileExists(atPath: draft) { return true }
                    let text = try String(contentsOfFile: "\(home)/lattice/alice/identity", encoding: .utf8)
                    let isOpen = text.contains("secret")
                    let change =
                        isOpen
                        ? ["set", "--new-passphrase-file", file] : ["remove", "--identity-passphrase-file", file]
                    let command = try stage.run(
                        ["passphrase"] + change + ["--name", "alice"], as: UUID().uuidString, home: home)
                    while command.child.exitCode == nil {
                        if access(draft, F_OK) == 0 { break }
                    }
                    command.child.send(SIGKILL)
                    _ = try await command.exitCode()
                    return false
                }
                #expect(try await run(stage, ["id"], home: home).output == before)
                #expect(!FileManager.default.fileExists(atPath: draft))
            }
        }

        // The files of a process that forbids dumps are open to the superuser alone.
        @Test(.enabled(if: geteuid() == 0))
        func noLogNoEnvironmentNoArgumentAndNoCrashTellsTheSecret() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alone"
                _ = try await run(stage, ["id"], home: home)
                let text = try String(contentsOfFile: "\(home)/lattice/alice/identity", encoding: .utf8)
                let digits = try #require(text.split(separator: "\n")[2].split(separator: " ").last.map(String.init))
                try await seal(stage, home: home, "open sesame 77")
                let file = try secretFile(stage, "open sesame 77")
                let chat = try stage.start(
                    "alice", ["--discovery", "off", "--log", "debug", "--identity-passphrase-file", file], home: home)
                try await chat.ready()
                chat.say("hello", "/peers")
                try await chat.event("its own line") { $0.event == "message" && $0.text == "hello" }
                var seen = try ["environ", "cmdline"].map { name in
                    let descriptor = try #require(FileHandle(forReadingAtPath: "/proc/\(chat.child.pid)/\(name)"))
                    return try descriptor.readToEnd() ?? Data()
                }
                #expect(try #require(seen.last).contains(Data("--log".utf8)))
                let limits = try String(contentsOfFile: "/proc/\(chat.child.pid)/limits", encoding: .utf8)
                let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
                #expect(core.split(separator: " ").contains("0"))
                // A crash, as far as its words go.
                chat.child.send(SIGSEGV)
                _ = try await chat.exitCode()
                seen += [Data(chat.output.bytes), Data(chat.error.bytes)]
                let seed = Data(
                    stride(from: 0, to: 64, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) })
                #expect(seed.count == 32)
                let secrets = [
                    seed, Data(digits.utf8), Data(digits.uppercased().utf8),
                    Data(seed.base64EncodedString().dropLast(2).utf8), Data("open sesame 77".utf8),
                ]
                for (number, place) in seen.enumerated() {
                    #expect(!place.isEmpty || number > 1)
                    for (index, secret) in secrets.enumerated() {
                        #expect(place.firstRange(of: secret) == nil, "secret \(index) at place \(number)")
                    }
                }
                // The file at rest too.
                let rest = try Data(contentsOf: URL(filePath: "\(home)/lattice/alice/identity"))
                #expect(secrets.allSatisfy { rest.firstRange(of: $0) == nil })
            }
        }
    }
}
