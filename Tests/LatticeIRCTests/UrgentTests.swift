import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// What is urgent, on IRC.
@Suite struct UrgentTests {
    private static func rig(isUrgent: Bool) throws -> (GatewayRig, ConnectionID) {
        var rig = try GatewayRig()
        rig.answer = { request, speaker in
            switch request {
            case .say:
                .success(.answer(.said([.said(Say.Reply(RecordID(.zero), isWaiting: false, isUrgent: isUrgent))])))
            case .posts(.dismissUrgent): .success(.answer(.posts(.dismissed(2))))
            default: GatewayRig.obliging(request)
            }
        }
        let ben = rig.client("ben")
        rig.say(ben, "JOIN #lobby")
        _ = rig.heard(ben)
        rig.asked = []
        return (rig, ben)
    }

    @Test(arguments: [true, false])
    func theServiceSaysAnUrgentLine(isUrgent: Bool) throws {
        var (rig, ben) = try Self.rig(isUrgent: isUrgent)
        let replies = rig.replies(ben, "PRIVMSG mesh :urgent #lobby the bridge  is out")
        #expect(replies.count == 1 && replies[0].contains("usual line") == !isUrgent)
        #expect(
            rig.asked == [
                .say(
                    [SayLines.Line("the bridge  is out", isUrgent: true)], room: try RoomName("#lobby"),
                    audience: .everybody)
            ])
    }

    @Test(arguments: ["urgent", "urgent #lobby", "urgent #park fire", "urgent the bridge is out"])
    func aRoomAndATextAreNeeded(text: String) throws {
        var (rig, ben) = try Self.rig(isUrgent: true)
        #expect(rig.replies(ben, "PRIVMSG mesh :\(text)").contains { $0.contains("urgent #camp") })
        #expect(rig.asked.isEmpty)
    }

    @Test func whatIsUrgentComesAsANoticeAndIsDismissed() throws {
        var (rig, ben) = try Self.rig(isUrgent: true)
        let one = NotificationInfo(
            record: RecordID(.zero), kind: .urgent, by: PersonInfo(id: GatewayRig.peer("alice"), name: "alice"),
            at: WallTime(milliseconds: 1), room: try RoomName("#lobby"), text: "fire")
        rig.handle(.deliveredAlone(ben, .notification(one)))
        let heard = rig.heard(ben)
        #expect(heard.count == 1 && heard[0].contains(" NOTICE ben :URGENT, by alice#"))
        #expect(heard[0].contains("in #lobby: fire"))
        #expect(rig.replies(ben, "PRIVMSG mesh :dismiss").first?.contains("Dismissed: 2 urgent messages.") == true)
    }
}
