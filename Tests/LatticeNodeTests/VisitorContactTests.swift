import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import Testing

@testable import LatticeNode

/// Visitors mark people as the owner does, and what they mark is theirs alone.
@Suite(.timeLimit(.minutes(10))) struct VisitorContactTests {
    private struct Camp {
        let here: Chatter
        let bob: Guest
        let carol: Guest
        let dave: Guest
    }

    private func camp(_ work: (Camp) async throws -> Void) async throws {
        let here = try await Chatter(try Home("ann"), knows: true, hasMail: true)
        try await here.run {
            let (bob, carol) = (try await here.admit("bob"), try await here.admit("carol"))
            let camp = Camp(here: here, bob: bob, carol: carol, dave: try await here.admit("dave"))
            for guest in [camp.bob, camp.carol, camp.dave] { try await guest.join() }
            try await work(camp)
        }
    }

    private func block(_ other: PeerID, by guest: Guest, _ isBlocked: Bool = true) async throws {
        let person = try await guest.visitor.perform(BlockPerson(PeerReference(other), isBlocked))
        #expect((person.blocked != nil) == isBlocked)
    }

    private func marks(of guest: Guest) async throws -> [KnownPerson] {
        try await guest.visitor.perform(ListKnownPeople()).people.filter(\.isMarked)
    }

    @Test func aBlockedAuthorsLinesReachNoFront() async throws {
        try await camp { camp in
            try await block(camp.carol.id, by: camp.bob)
            try await camp.carol.say("from carol")
            try await camp.dave.say("from dave")
            try await eventually("bob hears dave") { camp.bob.all.lines.map(\.text) == ["from dave"] }
            #expect(try await camp.bob.history().map(\.text) == ["from dave"])
            // Nobody else is concerned.
            try await eventually("dave hears carol") { camp.dave.all.lines.map(\.text) == ["from carol", "from dave"] }
            #expect(try await camp.dave.history().map(\.text) == ["from carol", "from dave"])
            try await block(camp.carol.id, by: camp.bob, false)
            try await camp.carol.say("again")
            try await eventually("bob hears carol") { camp.bob.all.lines.map(\.text) == ["from dave", "again"] }
            #expect(try await camp.bob.history().map(\.text) == ["from carol", "from dave", "again"])
        }
    }

    @Test func aBlockedAuthorsMessagesAreThrownAway() async throws {
        try await camp { camp in
            try await block(camp.carol.id, by: camp.bob)
            // Without them a message waits, and may be sealed only when the block has ended.
            try await eventually("bob's keys") { try await camp.here.hasKeys(of: camp.bob.id) }
            _ = try await camp.carol.tell("from carol", camp.bob.id)
            _ = try await camp.dave.tell("from dave", camp.bob.id)
            try await eventually("bob has dave's") { camp.bob.own.messages.map(\.text) == ["from dave"] }
            #expect(try await camp.bob.conversations().map(\.peer) == [camp.dave.id])
            await #expect(throws: RequestError.blocked(who: .messages(peer: camp.carol.id))) {
                try await camp.bob.privateHistory(camp.carol.id)
            }
            await #expect(throws: RequestError.blocked(who: .message(peer: camp.carol.id))) {
                try await camp.bob.tell("hm", camp.carol.id)
            }
            try await block(camp.carol.id, by: camp.bob, false)
            _ = try await camp.carol.tell("later", camp.bob.id)
            try await eventually("bob has both") { camp.bob.own.messages.map(\.text) == ["from dave", "later"] }
            #expect(try await camp.bob.privateHistory(camp.carol.id).map(\.text) == ["later"])
        }
    }

    @Test func aBlockedAuthorsPostsAndLikesAreNotNotifiedAndNotListed() async throws {
        try await camp { camp in
            let (carol, dave) = (camp.carol.visitor, camp.dave.visitor)
            let own = try await camp.bob.visitor.perform(NewPost(text: "by bob", at: try .park()))
            _ = try await camp.bob.visitor.perform(SetHere(try .park()))
            try await block(camp.carol.id, by: camp.bob)
            let post = try await carol.perform(NewPost(text: "water by carol", at: try .park()))
            _ = try await carol.perform(LikeItem(own.reference, true))
            _ = try await carol.perform(NewComment(on: own.reference, text: "by carol"))
            let last = try await dave.perform(NewPost(text: "water by dave", at: try .park()))
            _ = try await dave.perform(NewComment(on: own.reference, text: "by dave"))
            try await eventually("dave's post and comment") {
                camp.bob.own.posted == [last.id] && camp.bob.own.notifications.map(\.by.id) == [camp.dave.id]
            }
            let near = NearQuery(.posts, centre: try .park())
            let bob = camp.bob.visitor
            #expect(try await Set(bob.perform(near).items.map(\.id)) == [own.id, last.id])
            #expect(try await bob.perform(SearchQuery(words: "water")).items.map(\.id) == [last.id])
            #expect(try await bob.perform(ListNotifications()).notifications.map(\.by.id) == [camp.dave.id])
            #expect(try await bob.perform(ShowItem(own.reference)).comments.map(\.author) == [camp.dave.id])
            #expect(try await Set(dave.perform(near).items.map(\.id)) == [own.id, post.id, last.id])
        }
    }

    @Test func aBlockedPersonCannotInvite() async throws {
        try await camp { camp in
            try await block(camp.carol.id, by: camp.bob)
            let room = try RoomName("#den")
            for guest in [camp.carol, camp.dave] {
                _ = try await guest.visitor.perform(CreatePrivateRoom(room))
                _ = try await guest.visitor.perform(InviteToRoom(PeerReference(camp.bob.id), name: nil, room))
            }
            try await eventually("dave's invitation") {
                camp.bob.own.roomEvents.filter { $0.kind == .invitation }.map(\.by.id) == [camp.dave.id]
            }
        }
    }

    /// Without being asked, and told whom: everybody but those who are blocked, ignored or followed.
    @Test func thoseWhoAreHereAreFollowedTogether() async throws {
        try await camp { camp in
            let (bob, owner) = (camp.bob.visitor, try await camp.here.node.perform(ShowMe()).id)
            try await block(camp.carol.id, by: camp.bob)
            let later = WallTime(milliseconds: Clocks.machine().milliseconds + 86_400_000)
            #expect(try await bob.perform(FollowMet(since: later)).people.isEmpty)
            let today = WallTime(milliseconds: later.milliseconds - 2 * 86_400_000)
            let followed = try await bob.perform(FollowMet(since: today)).people
            #expect(Set(followed.map(\.id)) == [owner, camp.dave.id] && followed.allSatisfy(\.isFollowedByMe))
            #expect(try await bob.perform(FollowMet(since: today)).people.isEmpty)
            #expect(try await bob.perform(ShowProfile()).following == 2)
            // The same for the owner, whose marks are others.
            _ = try await camp.here.node.perform(IgnorePerson(PeerReference(camp.dave.id), true))
            let owners = try await camp.here.node.perform(FollowMet(since: today)).people
            #expect(Set(owners.map(\.id)) == [camp.bob.id, camp.carol.id])
        }
    }

    @Test func marksOutlastTheVisit() async throws {
        try await camp { camp in
            try await block(camp.carol.id, by: camp.bob)
            _ = try await camp.bob.visitor.perform(VerifyPerson(PeerReference(camp.dave.id), true))
            _ = try await camp.bob.visitor.perform(
                AddContact(PeerReference(camp.dave.id), petname: try PeerName("cook")))
            let contactMarks = ContactMarks(
                verified: [camp.dave.id], blocked: [camp.carol.id], petnames: [camp.dave.id: try PeerName("cook")])
            try await eventually("bob is notified") { camp.bob.own.standings.last == contactMarks }
            await camp.bob.visitor.leave()
            let again = try await camp.here.admit("bob")
            try await eventually("first of all") { again.own.events.first == .contactMarks(contactMarks) }
            try await again.join()
            try await camp.carol.say("from carol")
            try await camp.dave.say("from dave")
            try await eventually("bob hears dave") { again.all.lines.map(\.text) == ["from dave"] }
            // The petname means dave.
            let found = try await again.visitor.perform(FindPerson(PeerReference("cook")))
            #expect(found.id == camp.dave.id && found.verified != nil && found.name?.text == "dave")
            _ = try await again.visitor.perform(RemoveContact(PeerReference("cook")))
            #expect(try await marks(of: again).map(\.id) == [camp.carol.id])
        }
    }

    @Test func aVisitorMutesRoomsAloneAndForLater() async throws {
        try await camp { camp in
            let lobby = try RoomName("#lobby")
            #expect(try await camp.bob.visitor.perform(MuteRoom(lobby, true)).rooms == [lobby])
            try await eventually("bob is notified") { camp.bob.own.standings.last == ContactMarks(muted: [lobby]) }
            #expect(try await camp.dave.visitor.perform(ListMutedRooms()).rooms.isEmpty)
            #expect(try await camp.here.node.perform(ListMutedRooms()).rooms.isEmpty)
            await camp.bob.visitor.leave()
            let again = try await camp.here.admit("bob")
            try await again.join()
            let rooms = try await again.visitor.perform(ListRooms()).conversations
            #expect(rooms.filter(\.isMuted).map(\.conversation) == [.room(lobby)])
            // What is urgent in a muted room is not shown either.
            _ = try await camp.carol.visitor.perform(Say("run", style: .says, room: lobby, isUrgent: true))
            try await eventually("dave has it") {
                camp.dave.own.notifications.map(\.kind) == [.urgent]
            }
            #expect(again.own.notifications.isEmpty)
            #expect(try await again.visitor.perform(ListUrgent()).notifications.isEmpty)
            #expect(try await again.visitor.perform(MuteRoom(lobby, false)).rooms.isEmpty)
            #expect(try await again.visitor.perform(ListMutedRooms()).rooms.isEmpty)
        }
    }

    @Test func marksAreSeenByNobodyElse() async throws {
        try await camp { camp in
            try await block(camp.carol.id, by: camp.bob)
            _ = try await camp.here.node.perform(IgnorePerson(PeerReference(camp.dave.id), true))
            #expect(try await marks(of: camp.bob).map(\.id) == [camp.carol.id])
            #expect(try await marks(of: camp.dave).isEmpty)
            let owners = try await camp.here.node.perform(ListKnownPeople()).people.filter(\.isMarked)
            #expect(owners.map(\.id) == [camp.dave.id])
            #expect(camp.dave.own.standings.isEmpty)
        }
    }

    @Test func aVisitorMarksSoManyPeople() async throws {
        try await camp { camp in
            let most = KnownLimit.visitorsPeopleMax
            func entries(_ count: Int) -> [BlockEntry] {
                (0..<count).map { BlockEntry(id: PeerID(Bytes32(words: (UInt64($0 + 1), 0, 0, 0))), name: nil) }
            }
            await #expect(throws: RequestError.tooManyPeople(max: most)) {
                try await camp.bob.visitor.perform(BlockPeople(entries(most + 1)))
            }
            #expect(try await marks(of: camp.bob).isEmpty)
            #expect(try await camp.bob.visitor.perform(BlockPeople(entries(most))).new == most)
            await #expect(throws: RequestError.tooManyPeople(max: most)) {
                try await camp.bob.visitor.perform(IgnorePerson(PeerReference(camp.carol.id), true))
            }
            try await block(entries(1)[0].id, by: camp.bob, false)
            _ = try await camp.bob.visitor.perform(IgnorePerson(PeerReference(camp.carol.id), true))
            await #expect(throws: RequestError.invalid(faults: [.isSelf])) {
                try await camp.bob.visitor.perform(BlockPerson(PeerReference("bob"), true))
            }
        }
    }
}

extension EventListener {
    fileprivate var standings: [ContactMarks] {
        events.compactMap { if case .contactMarks(let contactMarks) = $0 { contactMarks } else { nil } }
    }
}
