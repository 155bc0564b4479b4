import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Who links with whom, and what becomes of it when one of them goes away.
    @Suite(.timeLimit(.minutes(10))) struct InvitationTests {
        @Test(arguments: [true, false])
        func whoIsAskedDecides(isAccepted: Bool) async throws {
            try await onStage { stage in
                let alice = try stage.host("alice", ["--invitations", "ask"])
                let bob = try stage.host("bob", ["--peer", try await alice.address(), "--context", "from the camp"])
                let invitation = try await alice.event("an invitation") { $0.event == "invitation" }
                #expect(invitation.name == "bob")
                #expect(invitation.id == (try await bob.ready().id))
                #expect(invitation.context == "from the camp")
                alice.say(isAccepted ? "/accept bob" : "/refuse bob", "hello")
                if isAccepted {
                    try await bob.connected(to: alice)
                    try await bob.hears("hello")
                } else {
                    let end = try await bob.notConnected(to: alice)
                    #expect(end.reason?.contains("declined") == true, "\(end.reason ?? "")")
                    #expect(try bob.heard().isEmpty)
                }
            }
        }

        @Test func withThePolicyNoneNobodyComesIn() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice", ["--invitations", "none"])
                let bob = try stage.host("bob", ["--peer", try await alice.address()])
                #expect(try await bob.notConnected(to: alice).reason?.isEmpty == false)
                // Where this side asks, the other may still say yes.
                let carol = try stage.host("carol")
                alice.say("/connect \(try await carol.address())")
                try await alice.connected(to: carol)
            }
        }

        @Test func withThePolicyContactsOnlyTheyComeIn() async throws {
            try await onStage { stage in
                let friend = try stage.host("friend")
                let stranger = try stage.host("stranger")
                let folder = "\(stage.folder)/alice"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let contacts = "# whom I know\n\(try #require(try await friend.ready().id))  # from school\n"
                try contacts.write(toFile: "\(folder)/contacts", atomically: true, encoding: .utf8)
                let alice = try stage.host("alice", ["--invitations", "contacts", "--data-dir", folder])
                for peer in [friend, stranger] { peer.say("/connect \(try await alice.address())") }
                try await friend.connected(to: alice)
                #expect(try await stranger.notConnected(to: alice).reason?.isEmpty == false)
                #expect(try !stranger.events().contains { $0.state == "connected" })
            }
        }

        @Test func bothInviteAndOneLinkIsKept() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let bob = try stage.host("bob")
                let ports = [
                    try #require(try await alice.ready().port), try #require(try await bob.ready().port),
                ]
                for round in 1...5 {
                    let (aliceKnew, bobKnew) = (try alice.events().count, try bob.events().count)
                    alice.say("/connect 127.0.0.1:\(ports[1])", "alice, round \(round)")
                    bob.say("/connect 127.0.0.1:\(ports[0])", "bob, round \(round)")
                    if round == 1 {
                        try await alice.connected(to: bob, from: aliceKnew)
                        try await bob.connected(to: alice, from: bobKnew)
                    }
                    try await bob.hears("alice, round \(round)")
                    try await alice.hears("bob, round \(round)")
                }
                try await eventually("one link is kept") {
                    try alice.child.connectionCount(atPorts: ports) == 1
                }
                alice.say("over")
                try await bob.hears("over")
                #expect(try bob.heard() == (1...5).map { "alice, round \($0)" } + ["over"])
            }
        }

        @Test func whoComesBackIsDialledAgainAndHearsWhatWasSaidMeanwhile() async throws {
            try await onStage { stage in
                let first = try stage.start("bob", ["--discovery", "off"], home: stage.folder)
                let port = try #require(try await first.ready().port)
                let alice = try stage.host("alice", ["--peer", "127.0.0.1:\(port)"])
                try await alice.connected(to: first)
                first.child.send(SIGKILL)
                try await alice.notConnected(to: first)
                let knew = try alice.events().count
                alice.say("while you were away")
                let second = try stage.start("bob", ["--discovery", "off", "--port", "\(port)"], home: stage.folder)
                try await alice.connected(to: second, from: knew)
                try await second.hears("while you were away")
                #expect(try await second.ready().id == first.ready().id)
            }
        }

        @Test func whoIsIgnoredIsNotHeardUntilItIsAgain() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let bob = try await stage.guest("bob", of: alice)
                let carol = try await stage.guest("carol", of: alice)
                #expect(try await alice.ask("/ignore bob").event == "reply")
                bob.say("unheard")
                // Carol heard it through alice; what carol says then comes to alice's screen after it.
                try await carol.hears("unheard")
                carol.say("since")
                try await alice.hears("since")
                #expect(try await alice.ask("/unignore bob").event == "reply")
                bob.say("heard")
                try await alice.hears("heard")
                #expect(try alice.heard() == ["since", "heard"])
            }
        }
    }
}
