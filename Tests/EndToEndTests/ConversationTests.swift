import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite(.timeLimit(.minutes(10))) struct ConversationTests {
        @Test func twoPeersTalkBothWays() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let bob = try await stage.guest("bob", of: alice)
                alice.say("hello bob")
                let heard = try await bob.hears("hello bob")
                #expect(heard.from == (try await alice.ready().id))
                #expect(heard.name == "alice")
                #expect(heard.room == "#lobby")
                #expect(heard.hops == 1)
                #expect(heard.action == nil)
                #expect(try #require(heard.record).wholeMatch(of: /[0-9a-f]{64}/) != nil)
                #expect(try #require(heard.at).wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
                bob.say("/me waves")
                #expect(try await alice.hears("waves").action == true)
                let own = try await bob.event("its own line") { $0.event == "message" && $0.hops == 0 }
                #expect(own.text == "waves")
            }
        }

        @Test func readyTellsWhoOneIs() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice", ["--mesh", "camp"])
                let ready = try await alice.ready()
                #expect(try alice.events().first == ready)
                #expect(try #require(ready.id).wholeMatch(of: /[0-9a-f]{64}/) != nil)
                #expect(ready.name == "alice")
                #expect(ready.mesh == "camp")
                #expect(ready.discovery == "off")
                #expect((1...65_535).contains(try #require(ready.port)))
            }
        }

        @Test func inAPipeOneLineInIsOneLineOut() async throws {
            try await onStage { stage in
                let bob = try stage.host("bob", json: false)
                let address = try await bob.plainAddress()
                let alice = try stage.start(
                    "alice", ["--discovery", "off", "--wait", "1", "--peer", address], json: false)
                bob.say("/join #park", "/join #lobby")
                try await eventually("bob is back in the lobby") { bob.error.lines.contains("#lobby: bob") }
                alice.say("hi", "/me waves", "//slash", "", "/join #park", "hi", "/me runs")
                alice.endInput()
                #expect(try await alice.exitCode() == 0)
                bob.child.send(SIGTERM)
                #expect(try await bob.exitCode() == 0)
                try #require(
                    bob.output.text
                        == "<alice> hi\n* alice waves\n<alice> /slash\n#park <alice> hi\n#park * alice runs\n")
                // Own lines are not echoed to a pipe: its writer knows them.
                try #require(alice.output.text == "")
            }
        }

        @Test func aThousandPipedLinesArriveOnceInOrderBeforeTheEnd() async throws {
            try await onStage { stage in
                let bob = try stage.host("bob", json: false)
                let address = try await bob.plainAddress()
                let alice = try stage.start(
                    "alice", ["--discovery", "off", "--wait", "1", "--peer", address], json: false)
                alice.say((1...1_000).map { "line \($0)" })
                alice.endInput()
                #expect(try await alice.exitCode() == 0)
                #expect(alice.output.text == "")
                // He has them all; that he has shown them, too, takes a moment more.
                try await eventually("bob shows all") { bob.output.lines.count >= 1_000 }
                bob.child.send(SIGTERM)
                #expect(try await bob.exitCode() == 0)
                try #require(bob.output.lines == (1...1_000).map { "<alice> line \($0)" })
            }
        }

        @Test func aNewNameIsSeenByOthersAndChangesNobody() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let bob = try await stage.guest("bob", of: alice)
                alice.say("/nick queen", "hello")
                let heard = try await bob.hears("hello")
                #expect(heard.name == "queen")
                #expect(heard.from == (try await alice.ready().id))
                try await bob.event("the new name") {
                    $0.event == "presence" && $0.name == "queen" && $0.id == heard.from
                }
                let ping = try await bob.ask("/ping queen")
                #expect(ping.event == "ping")
            }
        }

        @Test func whoSharesANameIsToldApart() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let first = try await stage.guest("bob", of: alice)
                let second = try await stage.guest("bob", of: alice)
                let plain = try stage.start(
                    "carol", ["--discovery", "off", "--peer", try await alice.address()], json: false)
                let known = try await eventually("both bobs are known") { () -> [Event.Peer]? in
                    let bobs = try #require(try await alice.ask("/peers").peers).filter { $0.name == "bob" }
                    return bobs.count == 2 ? bobs : nil
                }
                let typed = known.compactMap(\.short).map { "bob#\($0)" }
                try #require(Set(typed).count == 2)
                let refusal = try await alice.ask("/ping bob")
                #expect(refusal.event == "error")
                #expect(refusal.code == "ambiguousName")
                let said = try #require(refusal.message)
                for name in typed { #expect(said.contains(name)) }
                for (name, peer) in zip(typed, known) {
                    let answer = try await alice.ask("/ping \(name)")
                    #expect(answer.event == "ping")
                    #expect(answer.id == peer.id)
                }
                try await eventually("carol knows both") {
                    plain.error.lines.count { $0.hasPrefix("* bob") && $0.contains("is here") } == 2
                }
                first.say("one")
                second.say("two")
                try await eventually("carol hears both") { plain.output.lines.count == 2 }
                for (text, bob) in [("one", first), ("two", second)] {
                    let id = try await bob.ready().id
                    let index = try #require(known.firstIndex { $0.id == id })
                    #expect(plain.output.lines.contains("<\(typed[index])> \(text)"))
                }
            }
        }

        @Test func anIdentityTellsWhoOneIs() async throws {
            try await onStage { stage in
                let shown = try stage.run(["id", "--name", "alice"], home: stage.folder)
                #expect(try await shown.exitCode() == 0)
                #expect(shown.error.text == "")
                let words = try #require(shown.output.lines.first).split(separator: " ").map(String.init)
                try #require(words.count == 3)
                #expect(words[0] == "alice")
                #expect(words[1].wholeMatch(of: /[0-9a-f]{64}/) != nil)
                #expect(words[2].wholeMatch(of: /alice#[a-z0-9]{4}/) != nil)
                let path = "\(stage.folder)/lattice/alice/identity"
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                // Without a name, the identity that was used last is taken.
                let alice = try stage.start("alice", ["--discovery", "off"], home: stage.folder)
                #expect(try await alice.ready().id == words[1])
                alice.endInput()
                #expect(try await alice.exitCode() == 0)
                let again = try stage.run(["id"], home: stage.folder)
                #expect(try await again.exitCode() == 0)
                #expect(again.output.text == shown.output.text)
            }
        }
    }
}

extension Peer {
    /// Where others on this machine reach a peer without `--json`.
    func plainAddress() async throws -> String {
        try await eventually("\(name) tells its port") {
            error.text.firstMatch(of: /port (\d+), discovery/).map { "127.0.0.1:\($0.1)" }
        }
    }
}
