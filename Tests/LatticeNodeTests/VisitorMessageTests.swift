import LatticeAPI
import LatticeCore
import LatticeCrypto
import Testing

@testable import LatticeNode

/// Private messages of people who are here through somebody's node.
@Suite(.timeLimit(.minutes(10))) struct VisitorMessageTests {
    private func two(_ work: (_ here: Chatter, _ there: Chatter) async throws -> Void) async throws {
        let here = try await Chatter(try Home("ann"), hasMail: true)
        let there = try await Chatter(try Home("ben"), hasMail: true)
        try await here.run {
            try await there.run {
                try await here.meet(there)
                try await work(here, there)
            }
        }
    }

    @Test func peopleOfTwoNodesAndOfOneWriteToOneAnother() async throws {
        try await two { here, there in
            let (bob, carol) = (try await here.admit("bob"), try await here.admit("carol"))
            let dave = try await there.admit("dave")
            let far = try await bob.tell("from afar?", dave.id)
            let near = try await bob.tell("next to me?", carol.id)
            try await eventually("both have their message") {
                dave.own.messages.map(\.text) == ["from afar?"] && carol.own.messages.map(\.text) == ["next to me?"]
            }
            #expect(carol.own.messages[0].peer == bob.id && carol.own.messages[0].peerName?.text == "bob")
            #expect(!carol.own.messages[0].isLate && !dave.own.messages[0].isLate)
            try await eventually("bob hears that they were opened") {
                bob.own.states(of: far.number).last == .delivered && bob.own.states(of: near.number).last == .delivered
            }
            _ = try await dave.tell("yes", bob.id)
            try await eventually("the answer") { bob.own.messages.map(\.text) == ["yes"] }
            #expect(try await bob.privateHistory(dave.id).map(\.text) == ["from afar?", "yes"])
            // Nobody else has any of it.
            #expect(try await carol.conversations().map(\.text) == ["next to me?"])
            #expect(here.messages.isEmpty && there.messages.isEmpty)
            #expect(try await here.privateHistory(with: bob.id).isEmpty)
        }
    }

    @Test func theOwnerWritesToThemAndTheyToTheOwner() async throws {
        try await two { here, there in
            let bob = try await here.admit("bob")
            _ = try await bob.tell("hello, host", here.home.identity.peer)
            _ = try await here.node.perform(SendPrivateMessage(PeerReference(bob.id), "hello, guest", style: .says))
            _ = try await there.node.perform(
                SendPrivateMessage(PeerReference(bob.id), "hello from there", style: .acts))
            try await eventually("the owner has it") { here.messages.map(\.text) == ["hello, host"] }
            try await eventually("bob has both") {
                Set(bob.own.messages.map(\.text)) == ["hello, guest", "hello from there"]
            }
            // Private messages reach nobody else.
            #expect(bob.own.messages.count == 2 && there.messages.isEmpty)
        }
    }

    @Test func whatCameWhileTheyWereAwayIsOpenedWhenTheyComeAgain() async throws {
        try await two { here, there in
            let (bob, dave) = (try await here.admit("bob"), try await there.admit("dave"))
            try await eventually("dave has bob's keys") { try await there.hasKeys(of: bob.id) }
            await bob.visitor.leave()
            let sent = try await dave.tell("are you there?", bob.id)
            try await eventually("ben's node gave it away") { dave.own.states(of: sent.number).last == .relayed }
            let again = try await here.admit("bob")
            try await eventually("bob has it") { again.own.messages.map(\.text) == ["are you there?"] }
            try await eventually("dave hears of it") { dave.own.states(of: sent.number).last == .delivered }
        }
    }

    @Test func aRestartKeepsWhatTheyWrote() async throws {
        let home = try Home("ann")
        let first = try await Chatter(home, hasMail: true)
        try await first.run {
            let (bob, carol) = (try await first.admit("bob"), try await first.admit("carol"))
            _ = try await bob.tell("remember", carol.id)
            try await eventually("carol has it") { carol.own.messages.count == 1 }
        }
        let second = try await Chatter(home, hasMail: true)
        try await second.run {
            let (bob, carol) = (try await second.admit("bob"), try await second.admit("carol"))
            #expect(try await carol.privateHistory(bob.id).map(\.text) == ["remember"])
            _ = try await carol.tell("I do", bob.id)
            try await eventually("bob has the answer") { bob.own.messages.map(\.text) == ["I do"] }
            #expect(carol.own.messages.isEmpty)
        }
    }

    @Test func whatIsSaidInAPrivateRoomIsTheirMembersAlone() async throws {
        try await two { here, there in
            let (bob, carol) = (try await here.admit("bob"), try await here.admit("carol"))
            let (dave, eve) = (try await there.admit("dave"), try await here.admit("eve"))
            let far = await there.everybody()
            let near = await here.everybody()
            let camp = try RoomName("#camp")
            try await eve.join("#camp")
            #expect(try await bob.visitor.perform(CreatePrivateRoom(camp)).members != nil)
            let key = try await bob.visitor.perform(ShowRoomKey(camp)).key
            for one in [carol, dave] {
                _ = try await one.visitor.perform(EnterPrivateRoom(camp, key: TypedKey(key)))
            }
            try await bob.say("among us", in: "#camp")
            try await eve.say("to everybody", in: "#camp")
            for one in [bob, carol, dave] {
                try await eventually("the members have it") { one.own.lines.map(\.text) == ["among us"] }
                #expect(one.own.lines[0].isPrivate && one.own.lines[0].from == bob.id)
            }
            try await eventually("the public one") { near.lines.map(\.text) == ["to everybody"] }
            try await eventually("dave keeps it") { try await dave.history("#camp").map(\.text) == ["among us"] }
            try await eventually("eve keeps hers") { try await eve.history("#camp").map(\.text) == ["to everybody"] }
            // No presence shows that they are in it.
            #expect(!(near.presences + far.presences).contains { $0.id != eve.id && $0.rooms.contains(camp) })
            #expect(eve.own.events.isEmpty && !eve.all.lines.contains { $0.text == "among us" })
            // Kept after they come again.
            await bob.visitor.leave()
            let again = try await here.admit("bob")
            #expect(try await again.visitor.perform(ListPrivateRooms()).rooms == [camp])
            #expect(try await eve.visitor.perform(ListPrivateRooms()).rooms.isEmpty)
        }
    }

    @Test func anInvitationBringsSomebodyIn() async throws {
        try await two { here, there in
            let (bob, dave) = (try await here.admit("bob"), try await there.admit("dave"))
            let camp = try RoomName("#camp")
            _ = try await bob.visitor.perform(CreatePrivateRoom(camp))
            _ = try await bob.visitor.perform(InviteToRoom(PeerReference(dave.id), name: nil, camp))
            let invitation = RoomEvent(.invitation, camp, by: .init(bob.id, try PeerName("bob")))
            try await eventually("dave is notified, and by whom") { dave.own.roomEvents == [invitation] }
            // It waits, and a new visit begins with it.
            await dave.visitor.leave()
            let again = try await there.admit("dave")
            let message = try await bob.tell("come in", dave.id)
            try await eventually("dave reads on") { again.own.messages.map(\.text) == ["come in"] }
            try await eventually("and bob knows") { bob.own.states(of: message.number).contains(.delivered) }
            #expect(again.own.roomEvents == [invitation])
            #expect(try await again.visitor.perform(EnterPrivateRoom(camp, key: nil)).members != nil)
            // Before dave says anything there.
            try await eventually("bob sees dave come") {
                bob.own.roomEvents.contains(RoomEvent(.came, camp, by: .init(dave.id, try PeerName("dave"))))
            }
            try await again.say("here I am", in: "#camp")
            try await eventually("bob hears dave") { bob.own.lines.map(\.text) == ["here I am"] }
            _ = try await again.visitor.perform(ForgetRoom(camp))
            try await eventually("bob sees dave leave") { bob.own.roomEvents.contains { $0.kind == .left } }
            #expect(there.notices.filter { $0.code == "roomInvitation" }.isEmpty)
        }
    }

    /// From within: a removed person has the older key, and does not learn about the new one.
    @Test func whoIsPutOutAndInvitedAgainReadsWhatWasSaidSince() async throws {
        try await two { here, there in
            let (bob, dave) = (try await here.admit("bob"), try await there.admit("dave"))
            let camp = try RoomName("#camp")
            for one in [bob, dave] {
                _ = try await one.visitor.perform(EnterPrivateRoom(camp, key: TypedKey("four words of mine")))
            }
            try await eventually("bob sees dave come") { bob.own.roomEvents.map(\.kind) == [.came] }
            try await dave.say("here I am", in: "#camp")
            try await eventually("bob hears dave") { bob.own.lines.count == 1 }
            _ = try await bob.visitor.perform(RemoveFromRoom(PeerReference(dave.id), camp))
            try await bob.say("without dave", in: "#camp")
            _ = try await bob.visitor.perform(InviteToRoom(PeerReference(dave.id), name: nil, camp))
            try await eventually("dave is invited") { dave.own.roomEvents.contains { $0.kind == .invitation } }
            // With the old key nothing has changed yet.
            #expect(try await dave.history("#camp").map(\.text) == ["here I am"])
            let key = TypedKey("five words that open nothing")
            await #expect(throws: RequestError.self) {
                _ = try await dave.visitor.perform(EnterPrivateRoom(camp, key: key))
            }
            let members = try #require(try await dave.visitor.perform(EnterPrivateRoom(camp, key: nil)).members)
            #expect(Set(members.map(\.id)) == [bob.id, dave.id])
            try await eventually("dave reads it") {
                try await dave.history("#camp").map(\.text) == ["here I am", "without dave"]
            }
            try await dave.say("again", in: "#camp")
            try await eventually("bob hears dave") {
                bob.own.lines.map(\.text) == ["here I am", "without dave", "again"]
            }
        }
    }

    @Test func throughWhoseNodeTheySpeakIsKnownByItsWord() async throws {
        try await two { here, there in
            let bob = try await here.admit("bob")
            let host = here.home.identity.peer
            try await eventually("there it is known") {
                try await there.peers().first { $0.id == bob.id }?.host == host
            }
            #expect(try await here.peers().first { $0.id == bob.id }?.host == host)
            #expect(try await there.peers().first { $0.id == host }?.host == nil)
            let way = try await there.node.perform(ProbePeer(PeerReference(bob.id)))
            #expect(way.path.last?.id == host)
        }
    }
}
