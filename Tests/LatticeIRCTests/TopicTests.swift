import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// The newest pin of a room is its topic.
@Suite struct TopicTests {
    /// The pins of every room.
    private final class Board {
        var pins: [RoomPin] = []
    }

    private static func pin(_ text: String, by name: String = "bob") throws -> RoomPin {
        RoomPin(
            by: RoomEvent.Person(GatewayRig.peer(name), try PeerName(name)),
            at: WallTime(milliseconds: 1_795_000_000_123), text: text)
    }

    private static func rig() throws -> (GatewayRig, Board) {
        var rig = try GatewayRig()
        let board = Board()
        rig.answer = { request, _ in
            switch request {
            case .room(.pins), .room(.pin): .success(.answer(.room(.pins(board.pins))))
            default: GatewayRig.obliging(request)
            }
        }
        return (rig, board)
    }

    private static func changed(_ pin: RoomPin?, by name: String = "bob") throws -> NodeEvent {
        let by = RoomEvent.Person(GatewayRig.peer(name), try PeerName(name))
        return .pinned(PinChange(try RoomName("#park"), by: by, pin))
    }

    @Test func theTopicIsShownOnJoinAndOnRequest() throws {
        var (rig, board) = try Self.rig()
        let alice = rig.client("alice")
        board.pins = [try Self.pin("at\nnine"), try Self.pin("at eight", by: "carol")]
        let topic = ["332 alice #park :at nine", "333 alice #park bob 1795000000"]
        #expect(rig.replies(alice, "JOIN #park").suffix(2) == topic[...])
        #expect(rig.replies(alice, "TOPIC #park") == topic)
        #expect(rig.replies(alice, "LIST #park")[1] == "322 alice #park 1 :at nine")
        let bob = rig.client("bob")
        #expect(rig.replies(bob, "LIST #park")[1] == "322 bob #park 1 :")
        board.pins = []
        #expect(
            rig.replies(alice, "TOPIC #park") == [
                "331 alice #park :Nothing is pinned here; TOPIC #park :text pins a text"
            ])
        #expect(rig.replies(alice, "JOIN #lobby").allSatisfy { !$0.hasPrefix("33") })
    }

    @Test func topicPinsATextOrRemovesThePin() throws {
        var (rig, _) = try Self.rig()
        let alice = rig.client("alice")
        rig.say(alice, "JOIN #park")
        rig.asked = []
        let park = try RoomName("#park")
        #expect(rig.replies(alice, "TOPIC #park :meet at the gate", "TOPIC #park :") == [])
        #expect(rig.asked == [.room(.pin(.text("meet at the gate"), park)), .room(.pin(.nothing, park))])
        rig.asked = []
        rig.say(alice, "TOPIC #park :" + String(repeating: "a", count: 400))
        #expect(rig.asked == [.room(.pin(.text(String(repeating: "a", count: 300)), park))])
        rig.answer = { _, _ in .failure(.lineDeleted) }
        #expect(rig.replies(alice, "TOPIC #park :x").first == "404 alice #park :Cannot set the topic")
    }

    @Test func aChangeIsShownOnce() throws {
        var (rig, board) = try Self.rig()
        let (alice, bob) = (rig.client("alice"), rig.client("ben"))
        rig.say(alice, "JOIN #park")
        _ = rig.heard(alice)
        board.pins = [try Self.pin("at nine")]
        rig.handle(.deliveredAlone(alice, try Self.changed(board.pins[0])))
        let host = "\(GatewayRig.peer("bob").short).mesh"
        #expect(rig.heard(alice) == [":bob!peer@\(host) TOPIC #park :at nine"])
        // This pin is not the newest.
        rig.handle(.deliveredAlone(alice, try Self.changed(try Self.pin("old", by: "carol"), by: "carol")))
        #expect(rig.heard(alice) == [])
        board.pins = []
        rig.handle(.deliveredAlone(alice, try Self.changed(nil)))
        #expect(rig.heard(alice) == [":bob!peer@\(host) TOPIC #park :"])
        rig.handle(.deliveredAlone(bob, try Self.changed(try Self.pin("x"))))
        #expect(rig.heard(bob) == [])
    }

    @Test func aDeletedLineIsNoLongerTheTopic() throws {
        var (rig, board) = try Self.rig()
        let alice = rig.client("alice")
        let line = try rig.message("at nine", from: "bob")
        board.pins = [
            RoomPin(by: RoomEvent.Person(line.from, line.name), at: line.at, line: line)
        ]
        rig.say(alice, "JOIN #park")
        _ = rig.heard(alice)
        board.pins = []
        rig.handle(.told(.lineChanged(LineChange(.deleted, by: line.from, of: line.deleted))))
        #expect(rig.heard(alice).contains { $0.hasSuffix("TOPIC #park :") })
    }

    @Test func theTopicOfAGatewayChannelCannotBeChanged() throws {
        var (rig, _) = try Self.rig()
        let alice = rig.client("alice")
        rig.say(alice, "JOIN &mesh")
        #expect(
            rig.replies(alice, "TOPIC &mesh") == ["332 alice &mesh :Who comes and goes, and problems. Type help here"])
        #expect(
            rig.replies(alice, "TOPIC &mesh :x") == ["482 alice &mesh :The topic of this channel cannot be changed"])
    }
}
