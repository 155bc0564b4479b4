import LatticeAPI
import LatticeCore
import LatticeCrypto
import Testing

@testable import LatticeNode

/// Whom what others say and do concerns.
@Suite(.timeLimit(.minutes(10))) struct NotificationTests {
    private static let lobby = "#lobby"

    private func say(
        _ text: String, by speaker: Guest, replyTo: RecordID? = nil
    ) async throws -> RecordID {
        let said = try await speaker.visitor.perform(
            Say(text, style: .says, room: try RoomName(Self.lobby), replyTo: replyTo))
        return said.record
    }

    @Test func aMentionAnAnswerAndAnEmojiAreToldOnceAndListed() async throws {
        try await Camp.run { camp in
            let line = try await say("who has the key?", by: camp.bob)
            _ = try await say("Bob, bob, it is me", by: camp.carol)
            let answer = try await say("I do, bob", by: camp.carol, replyTo: line)
            _ = try await camp.carol.visitor.perform(ReactToLine(line, "🎉"))
            _ = try await camp.bob.visitor.perform(ReactToLine(line, "👍"))
            _ = try await say("bob talks of bob", by: camp.bob)
            try await eventually("three") {
                camp.bob.own.notifications.map(\.kind) == [.mention, .reply, .reaction]
            }
            let told = camp.bob.own.notifications
            #expect(told.allSatisfy { $0.by.id == camp.carol.id && $0.isNew && $0.room?.text == Self.lobby })
            #expect(told.map(\.text) == ["Bob, bob, it is me", "I do, bob", "who has the key?"])
            #expect(told[1].record == answer && told[2].record == line && told[2].emoji == "🎉")
            let page = try await camp.bob.visitor.perform(ListNotifications())
            #expect(page.newCount == 3 && page.notifications.count == 3)
            #expect(camp.carol.own.notifications.isEmpty)
            #expect(try await camp.here.node.perform(ListNotifications()).notifications.isEmpty)
        }
    }

    @Test func whatIsTakenBackOrDeletedIsListedNoMore() async throws {
        try await Camp.run { camp in
            let line = try await say("who has the key?", by: camp.bob)
            let mention = try await say("bob!", by: camp.carol)
            _ = try await camp.carol.visitor.perform(ReactToLine(line, "🎉"))
            try await eventually("both") { camp.bob.own.notifications.count == 2 }
            _ = try await camp.carol.visitor.perform(ReactToLine(line, "🎉", holds: false))
            _ = try await camp.carol.visitor.perform(DeleteLine(mention))
            try await eventually("neither") {
                try await camp.bob.visitor.perform(ListNotifications()).notifications.isEmpty
            }
        }
    }

    @Test func lookingInOneFrontIsToldToTheOthers() async throws {
        try await Camp.run { camp in
            _ = try await say("bob?", by: camp.carol)
            try await eventually("it came") { camp.bob.own.notifications.count == 1 }
            _ = try await camp.bob.visitor.perform(MarkNotificationsSeen())
            _ = try await camp.bob.visitor.perform(MarkNotificationsSeen())
            try await eventually("both fronts") {
                camp.bob.own.events.count { $0 == .notificationsSeen } == 1
                    && camp.bob.all.events.count { $0 == .notificationsSeen } == 1
            }
            #expect(!camp.carol.own.events.contains(.notificationsSeen))
            let page = try await camp.bob.visitor.perform(ListNotifications())
            #expect(page.newCount == 0 && page.notifications.map(\.isNew) == [false])
        }
    }

    @Test func privateMessagesPostsOfPeopleOneFollowsAndKindsThatAreOff() async throws {
        try await Camp.run { camp in
            let bob = camp.bob.visitor
            _ = try await bob.perform(FollowPerson(PeerReference(camp.carol.id), true))
            _ = try await camp.carol.tell("psst", camp.bob.id)
            let post = try await camp.carol.visitor.perform(NewPost(text: "water", at: try .park()))
            try await eventually("both") {
                Set(camp.bob.own.notifications.map(\.kind)) == [.privateMessage, .post]
            }
            #expect(camp.bob.own.notifications.first { $0.kind == .post }?.item?.id == post.id)
            #expect(try await bob.perform(SwitchNotifications([.post], isOn: false)).off == [.post])
            _ = try await camp.carol.visitor.perform(NewPost(text: "more water", at: try .park()))
            _ = try await camp.carol.tell("and again", camp.bob.id)
            try await eventually("the message") { camp.bob.own.notifications.count == 3 }
            #expect(camp.bob.own.notifications.last?.kind == .privateMessage)
            let page = try await bob.perform(ListNotifications())
            #expect(page.notifications.map(\.kind) == [.privateMessage])
        }
    }

    @Test func nobodyHearsOfWhomTheyIgnore() async throws {
        try await Camp.run { camp in
            let dave = try await camp.here.admit("dave")
            try await dave.join()
            let line = try await say("who has the key?", by: camp.bob)
            _ = try await camp.bob.visitor.perform(IgnorePerson(PeerReference(camp.carol.id), true))
            _ = try await say("bob!", by: camp.carol)
            _ = try await camp.carol.visitor.perform(ReactToLine(line, "🎉"))
            _ = try await say("bob, here", by: dave)
            try await eventually("dave's") { camp.bob.own.notifications.map(\.by.id) == [dave.id] }
        }
    }

    @Test func linesOfPrivateRoomsAreToldToTheirMembers() async throws {
        try await Camp.run { camp in
            let room = try RoomName("#den")
            _ = try await camp.carol.visitor.perform(CreatePrivateRoom(room))
            _ = try await camp.carol.visitor.perform(InviteToRoom(PeerReference(camp.bob.id), name: nil, room))
            try await eventually("the invitation") { !camp.bob.own.roomEvents.isEmpty }
            _ = try await camp.bob.visitor.perform(EnterPrivateRoom(room, key: nil))
            try await camp.carol.say("bob, are you in?", in: "#den")
            try await eventually("the mention") { camp.bob.own.notifications.map(\.kind) == [.mention] }
            let page = try await camp.bob.visitor.perform(ListNotifications())
            #expect(page.notifications.map(\.room) == [room])
            #expect(page.notifications.map(\.text) == ["bob, are you in?"])
        }
    }
}

/// Whom a line names.
@Suite struct SpokenNamesTests {
    @Test func namesAreFoundAsWordsAndForgottenWhenTheyGo() throws {
        let ids = (0..<4).map { _ in Identity.generate().peer }
        var names = SpokenNames()
        for (id, name) in zip(ids, ["bob", "Bob Marley", "zoë", "^^"]) { names.set(try PeerName(name), of: id) }
        func named(_ text: String) -> Set<PeerID> { Set(names.named(in: text)) }
        #expect(named("is BOB here?") == [ids[0]])
        #expect(named("bob marley plays") == [ids[0], ids[1]])
        #expect(named("bobby bob_ abob").isEmpty)
        #expect(named("ZOË!") == [ids[2]])
        #expect(named("so ^^ what") == [ids[3]])
        names.set(try PeerName("rob"), of: ids[0])
        names.set(nil, of: ids[1])
        #expect(named("bob marley and rob") == [ids[0]])
    }
}
