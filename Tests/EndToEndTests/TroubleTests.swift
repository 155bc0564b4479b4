import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// What the machine refuses, and how a chat ends.
    @Suite(.timeLimit(.minutes(10))) struct TroubleTests {
        @Test func aPortThatIsInUseIsToldWithItsRemedy() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let port = try #require(try await alice.ready().port)
                let bob = try stage.start("bob", ["--discovery", "off", "--port", "\(port)"], json: false)
                #expect(try await bob.exitCode() == 1)
                #expect(bob.error.lines.count == 1)
                #expect(bob.error.text.contains("port \(port) is in use"))
                #expect(bob.error.text.contains("--port"))
            }
        }

        @Test func anIdentityInUseNamesTheProcessThatHasIt() async throws {
            try await onStage { stage in
                let first = try stage.start("alice", ["--discovery", "off"], home: stage.folder)
                try await first.ready()
                // In the same mesh it would talk through the first.
                let second = try stage.start(
                    "alice", ["--discovery", "off", "--mesh", "other"], json: false, home: stage.folder)
                #expect(try await second.exitCode() == 69)
                #expect(second.output.text == "")
                #expect(second.error.lines.count == 1)
                #expect(second.error.text.contains("process \(first.child.pid)"))
                #expect(second.error.text.contains("--name"))
                // The error does not suggest to wipe another identity.
                let wipe = try stage.run(["wipe", "--name", "alice", "--yes"], home: stage.folder)
                #expect(try await wipe.exitCode() == 69)
                #expect(wipe.error.text.hasSuffix("end that process first; nothing was removed\n"))
                // Another name is another person.
                let bob = try stage.start(
                    "bob", ["--discovery", "off", "--peer", try await first.address()], home: stage.folder)
                try await bob.connected(to: first)
                // A lock dies with its process, however that ends.
                first.child.send(SIGKILL)
                #expect(try await first.exitCode() == 128 + SIGKILL)
                let third = try stage.start("alice", ["--discovery", "off"], home: stage.folder)
                #expect(try await third.ready().id == first.ready().id)
            }
        }

        @Test func aKeyThatOthersMayReadIsRefusedAndLeftAsItIs() async throws {
            try await onStage { stage in
                let path = try await Self.makeIdentity(on: stage)
                #expect(chmod(path, 0o644) == 0)
                let key = try Data(contentsOf: URL(filePath: path))
                let alice = try stage.start("alice", ["--discovery", "off"], json: false, home: stage.folder)
                #expect(try await alice.exitCode() == 1)
                #expect(alice.error.lines.count == 1)
                #expect(alice.error.text.contains("chmod 600 \(path)"))
                #expect(try Data(contentsOf: URL(filePath: path)) == key)
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o644)
            }
        }

        @Test(arguments: ["", "nonsense\n", "half"])
        func aDamagedKeyIsRefusedAndLeftAsItIs(damage: String) async throws {
            try await onStage { stage in
                let path = try await Self.makeIdentity(on: stage)
                let key = try Data(contentsOf: URL(filePath: path))
                let damaged = damage == "half" ? key.prefix(key.count / 2) : Data(damage.utf8)
                // Written into the file itself, which keeps its mode.
                try damaged.write(to: URL(filePath: path))
                for command in [["chat", "--name", "alice", "--discovery", "off"], ["id", "--name", "alice"]] {
                    let alice = try stage.run(command, as: "alice", home: stage.folder)
                    #expect(try await alice.exitCode() == 1)
                    #expect(alice.output.text == "")
                    #expect(alice.error.lines.count == 1)
                    #expect(alice.error.text.contains(path))
                    #expect(alice.error.text.contains("backup"))
                    #expect(try Data(contentsOf: URL(filePath: path)) == damaged)
                }
            }
        }

        @Test(.enabled(if: Lab.isPossible, "mounting a folder read-only needs root"))
        func aFolderThatCannotBeWrittenIsTold() async throws {
            try await onStage { stage in
                let folder = "\(stage.folder)/sealed"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let seal = [
                    "unshare", "--mount", "sh", "-ec", "mount -t tmpfs -o ro none '\(folder)'; exec \"$@\"", "sh",
                ]
                for arguments in [["--data-dir", folder], ["--data-dir", "\(folder)/deeper"]] {
                    let alice = try stage.run(
                        ["chat", "--name", "alice", "--discovery", "off"] + arguments, as: "alice", under: seal)
                    #expect(try await alice.exitCode() == 1)
                    #expect(alice.output.text == "")
                    #expect(alice.error.lines.count == 1)
                    #expect(alice.error.text.contains(folder))
                    #expect(alice.error.text.contains("--data-dir"))
                }
            }
        }

        @Test func theEndOfTheReaderEndsTheChat() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let bob = try stage.start(
                    "bob", ["--discovery", "off", "--peer", try await alice.address()], json: false, reader: .gone)
                try await alice.event("somebody is connected") { $0.event == "peer" && $0.state == "connected" }
                alice.say("who reads this?")
                #expect(try await bob.exitCode() == 1)
                let told = bob.error.lines.filter { $0.hasPrefix("lattice: ") }
                #expect(told == ["lattice: standard output was closed; left"])
                let left = try await alice.event("bob left") { $0.event == "peer" && $0.state == "notConnected" }
                #expect(left.reason == "they left")
            }
        }

        /// Else the next file or socket would get its number, and what is meant for people.
        @Test func aClosedOutputIsToldOfAndNothingIsWrittenElsewhere() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let bob = try stage.run(
                    [
                        "-c", "exec \"$@\" >&-", "sh", Program.path, "chat", "--name", "bob", "--discovery", "off",
                        "--peer",
                        try await alice.address(),
                    ], as: "bob", under: ["/bin/sh"], isProgram: false)
                try await alice.event("somebody is connected") { $0.event == "peer" && $0.state == "connected" }
                alice.say("who reads this?")
                #expect(try await bob.exitCode() == 1)
                #expect(bob.error.lines.last == "lattice: standard output was closed; left")
                let left = try await alice.event("bob left") { $0.event == "peer" && $0.state == "notConnected" }
                #expect(left.reason == "they left")
            }
        }

        @Test func aReaderThatStallsHoldsUpNoGoodbye() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let bob = try stage.start(
                    "bob", ["--discovery", "off", "--peer", try await alice.address()], json: false, reader: .stalled)
                try await alice.event("somebody is connected") { $0.event == "peer" && $0.state == "connected" }
                // Ten times what a pipe holds.
                alice.say((1...160).map { "\($0) " + String(repeating: "x", count: 4_000) } + ["over"])
                try await alice.event("its last line") { $0.text == "over" }
                bob.child.send(SIGTERM)
                try await bob.exitCode()
                let left = try await alice.event("bob left") { $0.event == "peer" && $0.state == "notConnected" }
                #expect(left.reason == "they left")
            }
        }

        @Test func aSignalEndsTheWaitForPeers() async throws {
            try await onStage { stage in
                let alice = try stage.start("alice", ["--discovery", "off", "--wait", "1"], json: false)
                _ = try await alice.plainAddress()
                alice.child.send(SIGINT)
                #expect(try await alice.exitCode() == 0)
                #expect(alice.output.text == "")
            }
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
        func aSignalIsAGoodbye(signal: Int32) async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let bob = try await stage.guest("bob", of: alice)
                bob.child.send(signal)
                #expect(try await bob.exitCode() == 0)
                #expect(try await alice.notConnected(to: bob).reason == "they left")
                #expect(bob.error.text == "")
            }
        }

        @Test(arguments: ["/quit", "/q"])
        func quittingIsAGoodbyeAfterAllThatWasSaid(command: String) async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let bob = try await stage.guest("bob", of: alice)
                bob.say("bye", command)
                #expect(try await bob.exitCode() == 0)
                #expect(try await alice.notConnected(to: bob).reason == "they left")
                #expect(try alice.heard() == ["bye"])
            }
        }

        @Test func anAddressOfOneselfIsTold() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                alice.say("/connect \(try await alice.address())")
                try await alice.event("that it is alone") { $0.event == "error" && $0.code == "dialledSelf" }
                alice.say("/connect 127.0.0.1:1")
                try await alice.event("that nobody is there") { $0.event == "error" && $0.code == "unreachable" }
            }
        }

        /// - Returns: the path of alice's key.
        private static func makeIdentity(on stage: Stage) async throws -> String {
            let maker = try stage.run(["id", "--name", "alice"], home: stage.folder)
            try #require(try await maker.exitCode() == 0)
            return "\(stage.folder)/lattice/alice/identity"
        }
    }
}
