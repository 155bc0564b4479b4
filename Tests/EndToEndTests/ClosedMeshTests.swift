import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Meshes that only those come into who have the passphrase.
    @Suite(.timeLimit(.minutes(10))) struct ClosedMeshTests {
        private static let mesh = ["--mesh", "secretcamp"]

        @Test func whoHasThePassphraseTalksAndNobodyElseIsAnswered() async throws {
            try await onStage { stage in
                let (right, wrong) = (try passphrase("right", in: stage), try passphrase("wrong", in: stage))
                let alice = try stage.host("alice", Self.mesh + right)
                let bob = try await stage.guest("bob", of: alice, Self.mesh + right)
                bob.say("hello")
                try await alice.hears("hello")
                let peer = ["--peer", try await alice.address()]
                let carol = try stage.host("carol", Self.mesh + wrong + peer)
                let dave = try stage.host("dave", Self.mesh + peer)
                let refusals = [
                    (carol, "does not have the passphrase of this mesh, or another one"), (dave, "needs a passphrase"),
                ]
                for (stranger, reason) in refusals {
                    let notice = try await stranger.event("why nobody answers") { $0.code == "unreachable" }
                    #expect(notice.message?.contains(reason) == true, "\(notice.message ?? "")")
                    // Somebody answered: no firewall stands between.
                    #expect(notice.message?.contains("firewall") == false, "\(notice.message ?? "")")
                }
                alice.say("still among us")
                try await bob.hears("still among us")
                for stranger in [carol, dave] {
                    #expect(try !stranger.events().contains { $0.event == "peer" || $0.event == "presence" })
                    #expect(try stranger.heard().isEmpty)
                    // One event, however many attempts.
                    #expect(try stranger.events().count { $0.code == "unreachable" } == 1)
                }
                let known = [try await alice.ready().id, try await bob.ready().id]
                #expect(try alice.events().filter { $0.event == "peer" }.allSatisfy { known.contains($0.id) })
            }
        }

        @Test(.enabled(if: Lab.isPossible, "a lab of hosts needs root and iproute2"))
        func membersFindOneAnotherAndStrangersOnlyANumber() async throws {
            try await inLab("segment 4") { stage, _ in
                let (right, wrong) = (try passphrase("right", in: stage), try passphrase("wrong", in: stage))
                let embedded = ["--discovery", "embedded"]
                let alice = try stage.start("alice", on: "h1", embedded + Self.mesh + right)
                let bob = try stage.start("bob", on: "h2", embedded + Self.mesh + right)
                try await alice.connected(to: bob)
                try await bob.connected(to: alice)
                let carol = try stage.start("carol", on: "h3", embedded + Self.mesh + wrong)
                let notice = try await carol.event("that somebody of another mesh is near") { $0.code == "otherMesh" }
                #expect(notice.message?.contains("passphrase") == true)
                let dave = try stage.start("dave", on: "h4", embedded + Self.mesh + ["--log", "debug"])
                try await eventually("dave sights both") {
                    dave.error.lines.count { $0.contains("sighted") } >= 2
                }
                bob.say("hello")
                try await alice.hears("hello")
                for stranger in [carol, dave] {
                    #expect(try !stranger.events().contains { $0.event == "peer" || $0.event == "presence" })
                }
                for member in [alice, bob] {
                    let prefix = try #require(try await member.ready().id).prefix(16)
                    #expect(!dave.error.text.contains(prefix), "what is announced names who it is")
                    #expect(!dave.error.text.contains(member.name))
                }
            }
        }

        @Test func whatIsSaidInAClosedMeshIsNotKeptInTheOpenOne() async throws {
            try await onStage { stage in
                let right = try passphrase("right", in: stage)
                let closed = try stage.start("alice", ["--discovery", "off"] + Self.mesh + right, home: stage.folder)
                closed.say("among us")
                try await closed.event("its own line") { $0.text == "among us" }
                closed.child.send(SIGTERM)
                _ = try await closed.exitCode()
                let person = ["--name", "alice"] + Self.mesh
                let open = try stage.run(["history"] + person, home: stage.folder)
                _ = try await open.exitCode()
                #expect(!open.output.text.contains("among us"))
                #expect(open.error.text.contains("is closed here; add --passphrase"), "\(open.error.text)")
                let post = try stage.run(["post", "hi", "--at", park] + person, home: stage.folder)
                #expect(try await post.exitCode() == 69)
                #expect(post.error.text.contains("is closed here; add --passphrase"), "\(post.error.text)")
                let again = try stage.run(["history"] + person + right, home: stage.folder)
                #expect(try await again.exitCode() == 0)
                #expect(again.output.text.contains("among us"))
            }
        }

        /// What only a node can do, such as listing files, works in a closed mesh, too.
        @Test func aCommandWithThePassphraseAsksTheRunningNode() async throws {
            try await onStage { stage in
                let right = try passphrase("right", in: stage)
                let alice = try stage.start("alice", ["--discovery", "off"] + Self.mesh + right, home: stage.folder)
                alice.say("among us")
                try await alice.event("its own line") { $0.text == "among us" }
                let person = ["--name", "alice"] + Self.mesh + right
                let list = try stage.run(["file", "list"] + person, home: stage.folder)
                #expect(try await list.exitCode() == 0, "\(list.transcript)")
                let wrong = ["--name", "alice"] + Self.mesh + (try passphrase("wrong", in: stage))
                let other = try stage.run(["file", "list"] + wrong, home: stage.folder)
                #expect(try await other.exitCode() != 0)
            }
        }

        /// Nor is it in use from then on.
        @Test func toLookWithAMistypedPassphraseLeavesNoTrace() async throws {
            try await onStage { stage in
                let (right, wrong) = (try passphrase("right", in: stage), try passphrase("wrong", in: stage))
                let person = ["--name", "alice"] + Self.mesh
                let post = ["post", "hi", "--at", park, "--wait", "0"] + person + right
                #expect(try await stage.run(post, home: stage.folder).exitCode() == 0)
                for _ in 1...2 {
                    let look = try stage.run(["history"] + person + wrong, home: stage.folder)
                    #expect(try await look.exitCode() == 0)
                    #expect(look.error.text.contains("did you mistype it?"), "\(look.error.text)")
                }
            }
        }

        @Test func aPassphraseThatIsAnotherThanBeforeIsTold() async throws {
            try await onStage { stage in
                let (right, wrong) = (try passphrase("right", in: stage), try passphrase("wrong", in: stage))
                let alice = try stage.start("alice", ["--discovery", "off"] + Self.mesh + right, home: stage.folder)
                let address = ["--address", try await alice.address()]
                #expect(!alice.error.text.contains("did you mistype"))
                let person = ["--name", "alice"] + Self.mesh
                let link = ["invite", "--with-key", "--json"] + person
                let refused = try stage.run(link + wrong, home: stage.folder)
                #expect(try await refused.exitCode() == 1)
                #expect(refused.output.text.contains("a different passphrase"))
                let elsewhere = try stage.run(link + wrong + address, home: stage.folder)
                #expect(try await elsewhere.exitCode() == 0)
                #expect(elsewhere.error.text.contains("did you mistype"))
                // A loopback alone has no address to name: that is another failure.
                let fitting = try stage.run(link + right + address, home: stage.folder)
                #expect(try await fitting.exitCode() == 0)
                #expect(!fitting.error.text.contains("did you mistype"))
                let history = try stage.run(["history"] + person + wrong, home: stage.folder)
                _ = try await history.exitCode()
                #expect(history.error.text.contains("with another passphrase; did you mistype it?"))
            }
        }

        @Test(arguments: [["--passphrase", "opensesame"], ["--passphrase=opensesame"]])
        func aPassphraseAmongTheArgumentsIsRefusedAndNotRepeated(arguments: [String]) async throws {
            try await onStage { stage in
                let alice = try stage.run(["post", "--name", "alice"] + arguments)
                #expect(try await alice.exitCode() == 2)
                let told = alice.error.text + alice.output.text
                #expect(told.contains("--passphrase-file"))
                #expect(!told.contains("opensesame"))
            }
        }

        @Test func aFileThatOthersCanReadIsRefused() async throws {
            try await onStage { stage in
                let right = try passphrase("right", in: stage)
                chmod(right[1], 0o644)
                let alice = try stage.host("alice", right, json: false)
                #expect(try await alice.exitCode() == 1)
                #expect(alice.error.text.contains("chmod 600"))
            }
        }

        @Test func whoHasTheLinkComesInWithoutThePassphrase() async throws {
            try await onStage { stage in
                let right = try passphrase("right", in: stage)
                let alice = try stage.start("alice", ["--discovery", "off"] + Self.mesh + right, home: stage.folder)
                let address = ["--address", try await alice.address(), "--json"]
                let open = try await link(by: "alice", right + address + ["--with-key"], in: stage)
                let bob = try stage.run(
                    ["join", open, "--name", "bob", "--json", "--discovery", "off"], as: "bob")
                try await bob.connected(to: alice)
                bob.say("by the link")
                try await alice.hears("by the link")
                #expect(try await bob.ready().mesh == "secretcamp")

                // Without the key the passphrase is needed, and somebody else's address will not do.
                let closed = try await link(by: "alice", address, in: stage)
                #expect(closed.hasSuffix("&closed=1"))
                let carol = try stage.host("carol", Self.mesh + right)
                let port = try #require(try await carol.ready().port)
                let wrong = closed.replacing(/at=[^&]*/, with: "at=127.0.0.1:\(port)")
                let dave = try stage.run(
                    ["join", wrong, "--name", "dave", "--json", "--discovery", "off"] + right, as: "dave")
                let notice = try await dave.event("that somebody else answers") { $0.code == "unreachable" }
                #expect(notice.message?.contains("not the peer that invited") == true, "\(notice.message ?? "")")
                #expect(try dave.heard().isEmpty)
            }
        }

        @Test(arguments: [
            ("lattice://join/camp?v=1&until=1000", 1, "has expired"), ("lattice://join/camp?v=2", 2, "version"),
            ("https://example.org", 2, "lattice://join/"),
        ])
        func aLinkThatDoesNotCountIsRefusedInASentence(link: String, code: Int32, words: String) async throws {
            try await onStage { stage in
                let alice = try stage.run(["join", link, "--name", "alice"])
                #expect(try await alice.exitCode() == code)
                #expect(alice.error.text.contains(words))
                #expect(alice.error.lines.count == 1)
            }
        }

        /// What `lattice invite` prints.
        private func link(by name: String, _ arguments: [String], in stage: Stage) async throws -> String {
            let invite = try stage.run(["invite", "--name", name] + Self.mesh + arguments, home: stage.folder)
            #expect(try await invite.exitCode() == 0, "\(invite.error.text)")
            struct Line: Decodable {
                let event: String
                let link: String
            }
            let line = try JSONDecoder().decode(Line.self, from: Data(invite.output.text.utf8))
            #expect(line.event == "invite")
            return line.link
        }

        private func passphrase(_ text: String, in stage: Stage) throws -> [String] {
            let path = "\(stage.folder)/\(text)"
            try Data("\(text) passphrase\n".utf8).write(to: URL(filePath: path))
            chmod(path, 0o600)
            return ["--passphrase-file", path]
        }
    }
}
