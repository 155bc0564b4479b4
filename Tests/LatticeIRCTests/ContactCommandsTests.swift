import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// How a client marks people, and whom it hears then.
@Suite struct ContactCommandsTests {
    private func said(_ lines: [String]) -> [String] {
        lines.compactMap { $0.split(separator: " NOTICE ben :", maxSplits: 1).last.map(String.init) }
    }

    private func person(_ name: String, blocked: Bool = false, verified: Bool = false) throws -> KnownPerson {
        let now = WallTime(milliseconds: 1_795_000_000_000)
        return KnownPerson(
            id: GatewayRig.peer(name), name: try PeerName(name), verified: verified ? now : nil,
            blocked: blocked ? now : nil)
    }

    /// With two clients in a room: alice, whom ben does not hear, and ben.
    private func rig(_ standing: (PeerID) -> ContactMarks) throws -> (GatewayRig, ConnectionID, ConnectionID) {
        var rig = try GatewayRig()
        let (alice, ben) = (rig.client("alice"), rig.client("ben"))
        for id in [alice, ben] { rig.say(id, "JOIN #park") }
        rig.handle(.deliveredAlone(ben, .contactMarks(standing(GatewayRig.peer("~alice")))))
        for id in [alice, ben] { _ = rig.heard(id) }
        rig.asked = []
        return (rig, alice, ben)
    }

    @Test func peopleAreMarkedByTheirNick() throws {
        var (rig, _, ben) = try rig { _ in ContactMarks() }
        let dave = try person("dave")
        rig.answer = { _, _ in .success(.answer(.known(.person(dave)))) }
        let name = "dave#\(dave.id.short)"
        let expected: [(command: String, answer: String)] = [
            ("block", "is blocked"), ("UNBLOCK", "is no longer blocked"), ("ignore", "is ignored"),
            ("unignore", "is no longer ignored"), ("verify", "is verified"), ("unverify", "is no longer verified"),
        ]
        for (command, answer) in expected {
            #expect(said(rig.replies(ben, "PRIVMSG mesh :\(command) dave")) == ["\(name) \(answer)."])
        }
        _ = rig.replies(ben, "PRIVMSG mesh :block alice")
        let reference = PeerReference("dave")
        #expect(
            rig.asked == [
                .known(.block(reference, true)), .known(.block(reference, false)), .known(.ignore(reference, true)),
                .known(.ignore(reference, false)), .known(.verify(reference, true)), .known(.verify(reference, false)),
                .known(.block(PeerReference(GatewayRig.peer("~alice").hex), true)),
            ])
    }

    @Test func whatIsWrongIsExplained() throws {
        var (rig, _, ben) = try rig { _ in ContactMarks() }
        #expect(said(rig.replies(ben, "PRIVMSG mesh :unblock"))[0].hasPrefix("Use: block NICK"))
        rig.answer = { _, _ in .failure(.tooManyPeople(max: 512)) }
        #expect(
            said(rig.replies(ben, "PRIVMSG mesh :block dave")) == ["512 people are marked here, the most there can be"])
    }

    @Test func contactsAreThoseWhoAreMarked() throws {
        var (rig, _, ben) = try rig { _ in ContactMarks() }
        let people = [try person("dave", blocked: true, verified: true), try person("erin")]
        rig.answer = { _, _ in .success(.answer(.known(.people(people)))) }
        let lines = said(rig.replies(ben, "PRIVMSG mesh :contacts"))
        #expect(lines.count == 1 && lines[0].hasSuffix("#\(people[0].id.short)  verified, blocked"))
        rig.answer = { _, _ in .success(.answer(.known(.people([])))) }
        #expect(said(rig.replies(ben, "PRIVMSG mesh :contacts")) == ["You have marked nobody yet."])
    }

    @Test(arguments: [true, false]) func somebodyUnheardIsNotShown(isBlocked: Bool) throws {
        var (rig, alice, ben) = try rig { alice in
            isBlocked ? ContactMarks(blocked: [alice]) : ContactMarks(ignored: [alice])
        }
        let carol = rig.client("carol")
        rig.say(carol, "JOIN #park")
        for id in [alice, ben, carol] { _ = rig.heard(id) }
        rig.handle(.told(.message(try rig.message("hello", from: "~alice"))))
        #expect(rig.heard(ben).isEmpty)
        #expect(rig.heard(carol).count == 1)
        rig.handle(.told(.message(try rig.message("hello", from: "erin"))))
        #expect(rig.heard(ben).count == 1)
        let message = PrivateMessage(
            number: 1, peer: GatewayRig.peer("~alice"), peerName: try PeerName("alice"), isMine: false, text: "psst",
            style: .says, at: rig.date, isLate: false, state: .delivered, isSealed: true, record: GatewayRig.record(3))
        rig.handle(.deliveredAlone(ben, .privateMessage(message)))
        rig.say(alice, "PRIVMSG ben :\u{1}PING 1\u{1}", "INVITE ben #park")
        #expect(rig.heard(ben).isEmpty)
        let past = HistoryPage(lines: [try rig.message("hello", from: "~alice")], hasMore: false)
        rig.answer = { _, _ in .success(.answer(.history(past))) }
        #expect(rig.replies(ben, "CHATHISTORY LATEST #park * 10").isEmpty)
        #expect(!rig.replies(carol, "CHATHISTORY LATEST #park * 10").isEmpty)
        // They are heard again.
        rig.handle(.deliveredAlone(ben, .contactMarks(ContactMarks())))
        rig.handle(.told(.message(try rig.message("again", from: "~alice"))))
        #expect(rig.heard(ben).count == 1)
    }

    @Test func whoIsTellsWhomOneVerified() throws {
        var (rig, _, ben) = try rig { ContactMarks(verified: [$0]) }
        #expect(rig.replies(ben, "WHOIS alice").contains { $0.hasSuffix("alice :is verified by you") })
    }
}
