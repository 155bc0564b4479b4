import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// Answers, emoji, edits and deletions of lines (IRCv3 draft/reply, draft/react, draft/message-redaction).
@Suite struct LineActTests {
    private static let tags = "message-tags draft/message-redaction"
    private static let line = GatewayRig.record(1)

    private func rig(_ capabilities: String = Self.tags) throws -> (GatewayRig, ConnectionID) {
        var rig = try GatewayRig()
        let alice = rig.client("alice", capabilities)
        rig.say(alice, "JOIN #park")
        try rig.comes("bob", "#park")
        _ = rig.heard(alice)
        rig.asked = []
        return (rig, alice)
    }

    @Test func tagsBecomeRequests() throws {
        var (rig, alice) = try rig()
        let (id, park) = (Self.line.hex, try RoomName("#park"))
        rig.say(alice, "@+draft/reply=\(id) PRIVMSG #park :yes")
        rig.say(alice, "@+draft/react=👍;+draft/reply=\(id) TAGMSG #park")
        rig.say(alice, "@+draft/unreact=👍;+draft/reply=\(id) TAGMSG #park")
        rig.say(alice, "REDACT #park \(id) :oops")
        rig.say(alice, "@+typing=active TAGMSG #park", "@+draft/react=👍 TAGMSG #park")
        #expect(
            rig.asked == [
                .say([SayLines.Line("yes", replyTo: Self.line)], room: park, audience: .everybody),
                .react(Self.line, "👍", holds: true, room: park), .react(Self.line, "👍", holds: false, room: park),
                .deleteLine(Self.line, room: park),
            ])
    }

    @Test func wrongTargetsAndIdsAreFaults() throws {
        var (rig, alice) = try rig()
        let id = Self.line.hex
        #expect(
            rig.replies(alice, "REDACT #park") == [
                "461 alice REDACT :Incomplete command; HELP REDACT shows how it is written"
            ])
        #expect(rig.replies(alice, "REDACT #park 7").first?.hasPrefix("FAIL REDACT UNKNOWN_MSGID #park 7 :") == true)
        #expect(rig.replies(alice, "REDACT #zoo \(id)").first?.hasPrefix("FAIL REDACT INVALID_TARGET #zoo :") == true)
        #expect(
            rig.replies(alice, "@+draft/react=👍;+draft/reply=\(id) TAGMSG #zoo").first?
                .hasPrefix("FAIL TAGMSG INVALID_TARGET #zoo :") == true)
        for (error, code) in [
            (RequestError.notYourLine(act: .delete), "REDACT_FORBIDDEN"), (.unknownLine, "UNKNOWN_MSGID"),
            (.ownerOnly, "CANNOT_REDACT"),
        ] {
            rig.answer = { request, _ in
                if case .deleteLine = request { .failure(error) } else { GatewayRig.obliging(request) }
            }
            let said = rig.replies(alice, "REDACT #park \(id)")
            #expect(said.count == 1 && said[0].hasPrefix("FAIL REDACT \(code) #park \(id) :"))
        }
        #expect(rig.asked.allSatisfy { if case .deleteLine = $0 { true } else { false } })
    }

    @Test func changesComeAsTheClientUnderstandsThem() throws {
        var (rig, alice) = try rig()
        let plain = rig.client("carl")
        rig.say(plain, "JOIN #park")
        _ = (rig.heard(alice), rig.heard(plain))
        var line = try rig.message("seats?", from: "bob")
        let bob = GatewayRig.peer("bob")
        for change in [
            LineChange(.reacted, by: bob, emoji: "👍", of: line), LineChange(.unreacted, by: bob, emoji: "👍", of: line),
            LineChange(.edited, by: bob, of: line), LineChange(.deleted, by: bob, of: line),
        ] {
            rig.handle(.told(.lineChanged(change)))
        }
        let (id, mask) = (line.record.hex, ":bob!peer@\(bob.short).mesh")
        #expect(
            rig.heard(alice) == [
                "@+draft/react=👍;+draft/reply=\(id) \(mask) TAGMSG #park",
                "@+draft/unreact=👍;+draft/reply=\(id) \(mask) TAGMSG #park", "\(mask) PRIVMSG #park :(edited) seats?",
                "\(mask) REDACT #park \(id)",
            ])
        #expect(rig.heard(plain) == ["\(mask) PRIVMSG #park :(edited) seats?"])
        line.reply = LineReference(GatewayRig.record(8))
        rig.handle(.told(.message(line)))
        #expect(rig.heard(alice).first?.contains("+draft/reply=\(GatewayRig.record(8).hex)") == true)
        #expect(rig.heard(plain) == ["\(mask) PRIVMSG #park :seats?"])
    }

    @Test func privateMessagesAreChangedWithTheNickOfTheOther() throws {
        var (rig, alice) = try rig()
        let line = GatewayRig.record(7)
        rig.say(alice, "@+draft/react=👍;+draft/reply=\(line.hex) TAGMSG bob")
        #expect(rig.asked.last == .react(line, "👍", holds: true, room: nil))
        rig.say(alice, "REDACT bob \(line.hex)")
        #expect(rig.asked.last == .deleteLine(line, room: nil))
        _ = rig.heard(alice)
        let message = PrivateMessage(
            number: 5, peer: GatewayRig.peer("bob"), peerName: try PeerName("bob"), isMine: false, text: "at nine",
            style: .says, at: WallTime(milliseconds: 1_795_000_000_123), isLate: false, state: .delivered, record: line)
        for change in [
            PrivateMessageChange(.edited, by: message.peer, of: message),
            PrivateMessageChange(.reacted, by: message.peer, emoji: "🎉", of: message),
            PrivateMessageChange(.deleted, by: message.peer, of: message),
        ] {
            rig.handle(.deliveredAlone(alice, .privateMessageChanged(change)))
        }
        let mask = ":bob!peer@\(message.peer.short).mesh"
        #expect(
            rig.heard(alice) == [
                "\(mask) PRIVMSG alice :(edited) at nine",
                "@+draft/react=🎉;+draft/reply=\(line.hex) \(mask) TAGMSG alice", "\(mask) REDACT alice \(line.hex)",
            ])
    }

    @Test func aDeletedLineIsNotInAHistory() throws {
        var (rig, alice) = try rig("draft/chathistory batch message-tags")
        var lines = try ["one", "two"].map { try rig.message($0, from: "bob") }
        lines[0].isDeleted = true
        rig.answer = { [lines] request, _ in
            if case .history = request { return .success(.answer(.history(HistoryPage(lines: lines, hasMore: false)))) }
            return GatewayRig.obliging(request)
        }
        let said = rig.replies(alice, "CHATHISTORY LATEST #park * 10")
        #expect(said.filter { $0.contains("PRIVMSG") }.count == 1 && said.contains { $0.hasSuffix(" two") })
    }
}
