import LatticeAPI
import LatticeCore
import LatticeMesh
import Testing

@testable import LatticeNode

/// Urgent lines and posts, from whom says them to whom they are shown.
@Suite(.timeLimit(.minutes(10))) struct UrgentTests {
    private func say(_ text: String, by speaker: Guest, in room: String = "#lobby") async throws -> Say.Reply {
        try await speaker.visitor.perform(Say(text, style: .says, room: try RoomName(room), isUrgent: true))
    }

    private func urgent(_ guest: Guest) async throws -> [String?] {
        try await guest.visitor.perform(ListUrgent()).notifications.map(\.text)
    }

    @Test func everybodyInTheRoomKeepsItInSightUntilTheyDismissIt() async throws {
        try await Camp.run { camp in
            let said = try await say("the bridge is out", by: camp.carol)
            #expect(said.isUrgent)
            try await eventually("bob's") { camp.bob.own.notifications.map(\.kind) == [.urgent] }
            try await eventually("its line") { camp.bob.all.lines.map(\.isUrgent) == [true] }
            let told = camp.bob.own.notifications[0]
            #expect(told.record == said.record && told.by.id == camp.carol.id && told.text == "the bridge is out")
            #expect(try await urgent(camp.bob) == ["the bridge is out"])
            #expect(try await camp.here.node.perform(ListUrgent()).notifications.map(\.record) == [said.record])
            #expect(try await urgent(camp.carol).isEmpty, "she knows")
            #expect(try await camp.bob.history().map(\.isUrgent) == [true])
            #expect(try await camp.bob.visitor.perform(DismissUrgent(said.record)).records == [said.record])
            #expect(try await camp.bob.visitor.perform(DismissUrgent()).records.isEmpty)
            try await eventually("both fronts") {
                [camp.bob.own, camp.bob.all].allSatisfy { $0.events.contains(.urgentDismissed([said.record])) }
            }
            #expect(try await urgent(camp.bob).isEmpty)
            #expect(try await camp.here.node.perform(ListUrgent()).notifications.count == 1, "only bob's")
        }
    }

    @Test func theFourthOfADayIsSaidAsUsual() async throws {
        try await Camp.run { camp in
            for text in ["one", "two"] { #expect(try await say(text, by: camp.carol).isUrgent) }
            let post = try await camp.carol.visitor.perform(NewPost(text: "three", at: try .park(), isUrgent: true))
            #expect(post.isUrgent)
            #expect(try await !say("four", by: camp.carol).isUrgent)
            let lines = try await camp.carol.visitor.perform(
                SayLines([.init("five", isUrgent: true), .init("six")], room: try RoomName("#lobby"))
            ).lines
            for case .said(let reply) in lines { #expect(!reply.isUrgent) }
            let late = try await camp.carol.visitor.perform(NewPost(text: "seven", at: try .park(), isUrgent: true))
            #expect(!late.isUrgent)
            #expect(try await say("bob's first", by: camp.bob).isUrgent)
            try await eventually("three") { try await urgent(camp.bob) == [nil, "two", "one"] }
            #expect(try await camp.bob.history().filter(\.isUrgent).count == 3)
            #expect(lines.count == 2)
        }
    }

    @Test func oneAuthorDoesNotPushOutAnother() async throws {
        try await Camp.run { camp in
            let dave = try await camp.here.admit("dave")
            try await dave.join()
            _ = try await say("dave's", by: dave)
            for text in ["one", "two", "three"] { _ = try await say(text, by: camp.carol) }
            try await eventually("all") { try await urgent(camp.bob) == ["three", "dave's", "two"] }
            let owner = camp.here.node
            #expect(try await owner.perform(ListUrgent()).notifications.count == 3)
            _ = try await owner.perform(MuteRoom(try RoomName("#lobby"), true))
            #expect(try await owner.perform(ListUrgent()).notifications.isEmpty)
        }
    }

    @Test func aPostIsUrgentForEverybodyWhereverTheyAre() async throws {
        try await Camp.run { camp in
            let post = try await camp.carol.visitor.perform(NewPost(text: "water", at: try .park(), isUrgent: true))
            try await eventually("bob's") { camp.bob.own.notifications.map(\.kind) == [.urgent] }
            #expect(camp.bob.own.notifications[0].item?.id == post.id)
            let shown = try await camp.bob.visitor.perform(ShowItem(ItemReference(post.id.hex))).item
            #expect(shown.isUrgent)
            _ = try await camp.carol.visitor.perform(DeleteItem(ItemReference(post.id.hex)))
            #expect(try await urgent(camp.bob).isEmpty)
        }
    }

    @Test func whoIsIgnoredOrSpeaksInAMutedRoomIsNotUrgent() async throws {
        try await Camp.run { camp in
            let dave = try await camp.here.admit("dave")
            try await dave.join()
            _ = try await say("first", by: camp.carol)
            try await eventually("carol's") { try await urgent(camp.bob) == ["first"] }
            _ = try await camp.bob.visitor.perform(IgnorePerson(PeerReference(camp.carol.id), true))
            #expect(try await urgent(camp.bob).isEmpty, "what stood there goes, too")
            _ = try await say("second", by: camp.carol)
            _ = try await say("dave's", by: dave)
            try await eventually("dave's") { try await urgent(camp.bob) == ["dave's"] }
            try await eventually("their events") {
                camp.bob.own.notifications.map(\.by.id) == [camp.carol.id, dave.id]
            }
        }
    }

    @Test func linesOfPrivateRoomsAreSaidAsUsual() async throws {
        try await Camp.run { camp in
            _ = try await camp.carol.visitor.perform(CreatePrivateRoom(try RoomName("#den")))
            #expect(try await !say("psst", by: camp.carol, in: "#den").isUrgent)
            #expect(try await say("aloud", by: camp.carol).isUrgent)
        }
    }

    @Test func theKindCanBeOff() async throws {
        try await Camp.run { camp in
            _ = try await camp.bob.visitor.perform(SwitchNotifications([.urgent], isOn: false))
            _ = try await say("the bridge is out", by: camp.carol)
            try await eventually("the line") { camp.bob.all.lines.count == 1 }
            try await eventually("the owner's") {
                try await camp.here.node.perform(ListUrgent()).notifications.count == 1
            }
            #expect(try await urgent(camp.bob).isEmpty && camp.bob.own.notifications.isEmpty)
        }
    }
}
