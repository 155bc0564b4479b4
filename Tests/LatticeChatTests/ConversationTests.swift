import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// What a front remembers of the conversation.
struct ConversationTests {
    private func conversation(rooms: [String] = ["#lobby"]) throws -> Conversation {
        Conversation(me: try Samples.me(rooms: rooms))
    }

    private func isMention(_ text: String, of name: String = "alice", from rank: UInt8 = 2) throws -> Bool {
        var conversation = try conversation()
        conversation.rename(try PeerName(name))
        guard
            case .message(_, _, _, let isMention, _) = conversation.heard(
                .message(try Samples.message(text, from: rank)))
        else { throw Unexpected() }
        return isMention
    }

    private struct Unexpected: Error {}

    // MARK: - Rooms

    @Test func aRoomThatWasNotCountedIsNotCountedDown() throws {
        var conversation = try conversation()
        _ = conversation.heard(try Samples.presence(2, "bob", rooms: (0..<1_024).map { "#room\($0)" }))
        _ = conversation.heard(try Samples.presence(3, "carol", rooms: ["#late"]))
        _ = conversation.heard(try Samples.presence(2, "bob", isHere: false, rooms: []))
        _ = conversation.heard(try Samples.presence(4, "dave", rooms: ["#late"]))
        _ = conversation.heard(try Samples.presence(3, "carol", isHere: false, rooms: []))
        let late = try RoomName("#late")
        #expect(conversation.roomList().rooms.first { $0.room == late }?.people == 1)
    }

    // MARK: - Mentions

    @Test func ourNameAsAWordIsAMention() throws {
        for text in ["alice", "Alice: hi", "hi ALICE!", "(alice)", "malice, alice", "alice's", "@alice", "x-alice-y"] {
            #expect(try isMention(text), "\(text)")
        }
    }

    @Test func ourNameWithinAWordIsNone() throws {
        for text in ["", "malice", "alicent", "alice2", "alice_", "_alice", "alicé", "alic", "ali ce", "aliceälice"] {
            #expect(try !isMention(text), "\(text)")
        }
    }

    @Test func ourOwnLinesMentionNobody() throws {
        #expect(try !isMention("I am alice", from: 1))
    }

    @Test func namesOfManyWordsAndScriptsAreMentioned() throws {
        #expect(try isMention("so, Eve The 2nd?", of: "eve the 2nd"))
        #expect(try isMention("(ZOË)", of: "zoe\u{308}"))
        #expect(try isMention("你好 李雷！", of: "李雷"))
        #expect(try isMention("ok 👩‍👩‍👧!", of: "👩‍👩‍👧"))
        #expect(try !isMention("ok 👩", of: "👩‍👩‍👧"))
    }

    @Test func aNewNameIsMentionedAndTheOldIsNot() throws {
        #expect(try isMention("eve!", of: "eve"))
        #expect(try !isMention("alice!", of: "eve"))
    }

    // MARK: - Whom to hear

    @Test func whomWeIgnoreIsNotHeardUntilWeDoAgain() throws {
        var conversation = try conversation()
        let line = NodeEvent.message(try Samples.message("hi"))
        conversation.ignore(Samples.peer(2))
        conversation.ignore(Samples.peer(2))
        #expect(conversation.ignored == [Samples.peer(2)])
        let ignored = conversation.heard(line)
        let others = conversation.heard(.message(try Samples.message("hi", from: 3, name: "carol")))
        #expect(ignored == nil && others != nil)
        conversation.unignore(Samples.peer(2))
        let heard = conversation.heard(line)
        #expect(heard != nil)
        #expect(conversation.ignored.isEmpty)
    }

    // MARK: - Who is there

    @Test func linksAreCountedByPeer() throws {
        var conversation = try conversation()
        _ = conversation.heard(try Samples.linked(2, "bob", .connecting))
        #expect(conversation.connectedCount == 0)
        _ = conversation.heard(try Samples.linked(2, "bob"))
        _ = conversation.heard(try Samples.linked(2, "bob"))
        _ = conversation.heard(try Samples.linked(3, "carol"))
        #expect(conversation.connectedCount == 2)
        _ = conversation.heard(try Samples.linked(2, "bob", .notConnected))
        #expect(conversation.connectedCount == 1)
    }

    @Test func aNewNameIsShownWithTheOldOne() throws {
        var conversation = try conversation()
        guard case .presence(_, let first, let noName, _) = conversation.heard(try Samples.presence(2, "bob")),
            case .presence(_, let second, let old, _) = conversation.heard(try Samples.presence(2, "rob"))
        else { throw Unexpected() }
        #expect(first == "bob" && noName == nil)
        #expect(second == "rob" && old == "bob")
        #expect(conversation.names(in: try RoomName("#lobby")) == ["alice", "rob"])
    }

    @Test func whoLeavesIsNamedOnceMoreAndForgotten() throws {
        var conversation = try conversation()
        _ = conversation.heard(try Samples.presence(2, "bob"))
        guard case .presence(_, let shown, _, _) = conversation.heard(try Samples.presence(2, "bob", isHere: false))
        else { throw Unexpected() }
        #expect(shown == "bob")
        #expect(conversation.roster.meaning(of: "bob") == .nobody(nearest: nil))
        #expect(conversation.names(in: try RoomName("#lobby")) == ["alice"])
    }

    @Test func aNeighbourWhosePresenceRanOutCanStillBeNamed() throws {
        var conversation = try conversation()
        _ = conversation.heard(try Samples.linked(2, "bob"))
        _ = conversation.heard(try Samples.presence(2, "bob"))
        _ = conversation.heard(try Samples.presence(2, "bob", isHere: false))
        #expect(conversation.roster.meaning(of: "bob") == .one(Samples.peer(2)))
    }

    @Test func twoOfOneNameAreToldApart() throws {
        var conversation = try conversation()
        _ = conversation.heard(try Samples.presence(2, "bob"))
        guard case .message(_, let shown, _, _, _) = conversation.heard(.message(try Samples.message("hi", from: 3)))
        else { throw Unexpected() }
        #expect(shown == "bob#\(Samples.peer(3).short)")
        let names = conversation.names(in: try RoomName("#lobby"))
        #expect(names == ["alice", "bob#\(Samples.peer(2).short)"])
    }

    @Test func peersAndStopsAreShownByTheNamesWeKnow() throws {
        var conversation = try conversation()
        _ = conversation.heard(try Samples.presence(2, "bob"))
        let known = PeerInfo(id: Samples.peer(2), prefix: nil, name: "old", state: .connected)
        let unknown = PeerInfo(id: Samples.peer(3), prefix: nil, name: "\u{1B}[2Jeve", state: .connected)
        let sighted = PeerInfo(id: nil, prefix: Samples.peer(4).prefix, name: "\u{202E}dave", state: .notConnected)
        #expect(conversation.shown(known) == "bob")
        #expect(conversation.shown(unknown) == "[2Jeve#\(Samples.peer(3).short)")
        #expect(conversation.shown(sighted) == "dave")
        #expect(conversation.shown(ProbeInfo.Stop(id: Samples.peer(2), name: try PeerName("old"))) == "bob")
        #expect(conversation.shown(ProbeInfo.Stop(id: Samples.peer(5), name: try PeerName("finn"))) == "finn")
    }

    // MARK: - Rooms

    @Test func whoeverJoinsARoomTalksThere() throws {
        var conversation = try conversation()
        let (lobby, park) = (try RoomName("#lobby"), try RoomName("#park"))
        conversation.join(park)
        #expect(conversation.current == park && conversation.joined == [lobby, park])
        conversation.join(lobby)
        #expect(conversation.current == lobby && conversation.joined == [lobby, park])
        guard
            case .message(_, _, let isCurrent, _, _) = conversation.heard(
                .message(try Samples.message("hi", room: "#park")))
        else { throw Unexpected() }
        #expect(!isCurrent)
    }

    @Test func whoeverPartsTalksInTheRoomBefore() throws {
        var conversation = try conversation()
        let (lobby, park, yard) = (try RoomName("#lobby"), try RoomName("#park"), try RoomName("#yard"))
        conversation.join(park)
        var answers = [conversation.part(yard), conversation.part(lobby)]
        #expect(answers == [false, true] && conversation.current == park)
        answers = [conversation.part(park), conversation.part(park)]
        #expect(answers == [true, false])
        #expect(conversation.current == nil && conversation.joined.isEmpty)
    }

    @Test func roomsAreOursThenOthersInTheirOrder() throws {
        var conversation = try conversation(rooms: ["#lobby", "#attic"])
        _ = conversation.heard(try Samples.presence(2, "bob", rooms: ["#lobby", "#zoo"]))
        _ = conversation.heard(try Samples.presence(3, "carol", rooms: ["#lobby", "#bar", "#zoo"]))
        func summary(_ room: String, _ isJoined: Bool, _ isCurrent: Bool, _ people: Int) throws -> RoomList.Room {
            RoomList.Room(
                room: try RoomName(room), isJoined: isJoined, isCurrent: isCurrent, people: people)
        }
        #expect(
            conversation.roomList().rooms == [
                try summary("#lobby", true, true, 2), try summary("#attic", true, false, 0),
                try summary("#bar", false, false, 1), try summary("#zoo", false, false, 2),
            ])
    }
}
