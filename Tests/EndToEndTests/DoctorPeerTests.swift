import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Why there is no link with somebody who is near, and what this machine lacks: provoked and recognised.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: Lab.isPossible, "a lab of hosts needs root and iproute2"))
    struct DoctorPeerTests {
        private static let embedded = ["--discovery", "embedded"]
        private static let camp = ["--mesh", "secretcamp"]

        @Test func anotherMesh() async throws {
            try await inLab("pair") { stage, _ in
                let bob = try stage.start("bob", on: "b", Self.embedded + ["--mesh", "other"])
                try await bob.ready()
                let found = try await stage.examine("alice", on: "a", until: ["otherMesh"])
                #expect(found.causes == ["otherMesh"], "\(found)")
                #expect(found.message.contains("bob"))
                // The other mesh is found at a given address, too.
                let home = "\(stage.folder)/alice"
                let alice = try stage.start("alice", on: "a", Self.embedded, home: home)
                alice.say("/connect 10.77.1.2:\(try #require(try await bob.ready().port))")
                try await alice.notConnected(to: bob)
                let dialled = try await stage.examine("alice", on: "a", until: ["otherMesh"])
                #expect(Set(dialled.causes) == ["otherMesh"], "\(dialled)")
                let elsewhere = try await stage.examine("alice", on: "a", ["--mesh", "camp"], home: home)
                let note = try #require(elsewhere.findings.first { $0.code == "nothingRuns" }, "\(elsewhere)")
                #expect(note.message.contains("your node runs in the open mesh lattice"))
                #expect(note.remedy?.hasSuffix("lattice chat --mesh camp") == true)
            }
        }

        /// The machine's own service announces what a later program would.
        @Test(.enabled(if: Lab.hasAvahi, "this needs avahi-daemon and dbus"))
        func anotherVersion() async throws {
            try await inLab("pair") { stage, lab in
                try await lab.avahi("b", "start")
                let later = try stage.run(
                    [
                        "avahi-publish-service", "--no-fail", "bob", "_lattice._tcp", "4444", "txtvers=1",
                        "id=00000000000000b2", "mesh=e1c68f81", "v=2,3",
                    ], as: "bob", on: "b", isProgram: false)
                try await eventually("it is announced") { later.error.text.contains("Established") }
                // At the address that it announces nothing runs here.
                let found = try await stage.examine("alice", on: "a", until: ["otherVersion", "closedPort"])
                #expect(found.causes == ["otherVersion", "closedPort"], "\(found)")
                #expect(found.message.contains("bob"))
            }
        }

        @Test func anotherPassphrase() async throws {
            try await inLab("pair") { stage, _ in
                let (right, wrong) = (try passphrase("right", in: stage), try passphrase("wrong", in: stage))
                let bob = try stage.start("bob", on: "b", Self.embedded + Self.camp + right)
                let port = try #require(try await bob.ready().port)
                let sighted = try await stage.examine("alice", on: "a", Self.camp + wrong, until: ["otherPassphrase"])
                #expect(sighted.causes == ["otherPassphrase"], "\(sighted)")
                let well = try await stage.examine("alice", on: "a", Self.camp + right, until: [])
                #expect(well.verdict == "well", "\(well)")
                let open = try await stage.examine("alice", on: "a", until: ["otherMesh"])
                #expect(open.causes == ["otherMesh"], "\(open)")
                let alice = try stage.start(
                    "alice", on: "a", Self.embedded + Self.camp + wrong + ["--peer", "10.77.1.2:\(port)"])
                try await alice.event("why nobody answers") { $0.code == "unreachable" }
                // What runs knows the key; nobody has to give the passphrase again.
                let dialled = try await stage.examine("alice", on: "a", until: ["wrongPassphrase", "otherPassphrase"])
                #expect(dialled.causes == ["wrongPassphrase", "otherPassphrase"], "\(dialled)")
            }
        }

        @Test func whoBlocksAndWhoIsBlocked() async throws {
            try await inLab("pair") { stage, _ in
                let alice = try stage.start("alice", on: "a", Self.embedded)
                let bob = try stage.start("bob", on: "b", Self.embedded)
                try await alice.connected(to: bob)
                try await bob.connected(to: alice)
                bob.say("/block alice")
                try await alice.notConnected(to: bob)
                let there = try await stage.examine("alice", on: "a", until: ["blockedThere"])
                #expect(there.causes == ["blockedThere"], "\(there)")
                let here = try await stage.examine("bob", on: "b", until: ["blockedHere"])
                #expect(Set(here.causes) == ["blockedHere"], "\(here)")
            }
        }

        @Test func whoLetsNobodyIn() async throws {
            try await inLab("pair") { stage, _ in
                let bob = try stage.start("bob", on: "b", Self.embedded + ["--invitations", "none"])
                let port = try #require(try await bob.ready().port)
                let alice = try stage.start("alice", on: "a", Self.embedded + ["--peer", "10.77.1.2:\(port)"])
                try await alice.notConnected(to: bob)
                let there = try await stage.examine("alice", on: "a", until: ["policyThere"])
                #expect(there.causes == ["policyThere"], "\(there)")
                let here = try await stage.examine("bob", on: "b")
                #expect(here.codes.contains("policyHere"), "\(here)")
            }
        }

        // MARK: - This machine

        @Test(.enabled(if: SmallDisk.isPossible, "a small disk needs root"))
        func aFullDiskAndAFolderThatCannotBeWritten() async throws {
            try await inLab("pair") { stage, _ in
                let disk = try SmallDisk(at: "\(stage.folder)/disk", bytes: 1 << 20)
                defer { disk.end() }
                let small = try await stage.examine("alice", on: "a", ["--data-dir", disk.path])
                #expect(small.codes.contains("diskNearlyFull"))
                try disk.fill()
                let full = try await stage.examine("alice", on: "a", ["--data-dir", disk.path])
                #expect(full.causes == ["diskFull"], "\(full)")
                let folder = "\(stage.folder)/sealed"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let seal = [
                    "unshare", "--mount", "sh", "-ec", "mount -t tmpfs -o ro none '\(folder)'; exec \"$@\"", "sh",
                ]
                let sealed = try await stage.examine("alice", on: "a", ["--data-dir", folder], under: seal)
                #expect(sealed.causes == ["dataFolder"], "\(sealed)")
            }
        }

        @Test func soFewFilesThatNoChatBegins() async throws {
            try await inLab("pair") { stage, _ in
                let few = ["sh", "-c", "ulimit -n 60; exec \"$@\"", "sh"]
                let found = try await stage.examine("alice", on: "a", under: few)
                #expect(found.causes == ["fewDescriptors"], "\(found)")
                #expect(found.findings.first?.remedy?.contains("ulimit -n") == true)
            }
        }

        @Test func aPortThatIsTaken() async throws {
            try await inLab("pair") { stage, _ in
                let bob = try stage.start("bob", on: "a", ["--discovery", "off", "--port", "4444"])
                try await bob.ready()
                let found = try await stage.examine("alice", on: "a", ["--port", "4444"], until: ["portTaken"])
                #expect(found.causes == ["portTaken"], "\(found)")
                #expect(found.message.contains("lattice"))
            }
        }

        // MARK: - In a chat

        @Test func aChatThatIsAloneNamesTheDoctorWhoFindsOutWhy() async throws {
            try await inLab("pair") { stage, lab in
                try await lab.run("a", "ip", "link", "set", "eth0", "down")
                let alice = try stage.start("alice", on: "a", Self.embedded, json: false)
                try await eventually("the hint") { alice.error.text.contains("/doctor") }
                #expect(alice.error.lines.count { $0.contains("/doctor") } == 1)
                alice.say("/doctor")
                let verdict = "this machine is not on a network: eth0 is down"
                try await eventually("the verdict") { (alice.output.text + alice.error.text).contains(verdict) }
                // A second front of the same node asks as well.
                let other = try stage.start("alice", on: "a")
                try await other.ready()
                other.say("/doctor")
                try await eventually("the verdict") { other.output.text.contains(#""code":"noInterface""#) }
            }
        }

        private func passphrase(_ text: String, in stage: Stage) throws -> [String] {
            let path = "\(stage.folder)/\(text)"
            try Data("\(text) passphrase\n".utf8).write(to: URL(filePath: path))
            chmod(path, 0o600)
            return ["--passphrase-file", path]
        }
    }
}
