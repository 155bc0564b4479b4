import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeSalvage
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Private rooms over real links.
@Suite(.timeLimit(.minutes(10))) struct PrivateRoomTests {
    private let camp = Camper.camp

    private func enter(_ chatter: Chatter, _ key: String?) async throws -> [RoomMember]? {
        try await chatter.node.perform(EnterPrivateRoom(camp, key: key.map { TypedKey($0) })).members
    }

    private func say(_ text: String, _ chatter: Chatter) async throws {
        _ = try await chatter.node.perform(Say(text, style: .says, room: camp))
    }

    /// Everything that any store got to keep of others, and all presences that went round.
    private func rooms(of chatter: Chatter, seenBy other: Chatter) async throws -> [RoomName] {
        let peers = try await other.node.perform(ListPeers()).peers
        return peers.first { $0.id == chatter.home.identity.peer }?.rooms ?? []
    }

    @Test func twoTalkOverOneWhoLearnsNothing() async throws {
        let (one, relay, third) = try await Chatter.threeWithMail()
        let (alice, bob, carol) = (one.home, relay.home, third.home)
        try await one.run {
            try await relay.run {
                try await third.run {
                    try await one.meet(relay)
                    try await third.meet(relay)
                    // The relay is in the public room of that name.
                    _ = try await relay.node.perform(JoinRoom(camp))
                    #expect(try await enter(one, "correct horse")?.count == 1)
                    try await say("under the oak", one)
                    #expect(try await enter(third, "correct horse") != nil)
                    try await eventually("carol has what was said") {
                        let page = try await third.node.perform(
                            HistoryQuery(room: camp, limit: 10))
                        return page.lines.map(\.text) == ["under the oak"] && page.lines.allSatisfy(\.isPrivate)
                    }
                    try await say("at six", third)
                    try await eventually("alice is notified") { one.lines.contains { $0.text == "at six" } }
                    #expect(one.lines.allSatisfy { $0.isPrivate && $0.room == camp })
                    // What strangers say in a room of that name is not shown under it, and said once.
                    for text in ["hello?", "anybody?"] {
                        _ = try await relay.node.perform(Say(text, style: .says, room: camp))
                    }
                    try await eventually("alice is notified of the other room") {
                        one.notices.contains { $0.code == "roomNamesake" }
                    }
                    #expect(one.lines.map(\.text) == ["under the oak", "at six"])
                    try await eventually("the relay hears of its own room") {
                        relay.lines.map(\.text) == ["hello?", "anybody?"]
                    }
                    for chatter in [one, third] {
                        #expect(try await rooms(of: chatter, seenBy: relay) == [try RoomName("#lobby")])
                    }
                    #expect(try !bob.holds(Array("under the oak".utf8)))
                    let members = try await one.node.perform(ListRoomMembers(camp)).members
                    #expect(Set(members.map(\.id)) == [alice.identity.peer, carol.identity.peer])
                    #expect(members.allSatisfy { $0.state == .here })
                }
            }
        }
    }

    /// Not when one comes in, not after a new start in that room, not when one has forgotten it.
    @Test func nothingOfAPrivateRoomGoesOutInClear() async throws {
        let (alice, bob) = (try Home("alice"), try Home("bob"))
        let listener = try await Chatter(bob, hasMail: true)
        try await listener.run {
            _ = try await listener.node.perform(JoinRoom(camp))
            let first = try await Chatter(alice, hasMail: true)
            try await first.run {
                try await first.meet(listener)
                // In the public room of that name first, as everybody sees.
                _ = try await first.node.perform(JoinRoom(camp))
                try await say("in public", first)
                try await eventually("bob hears that") { listener.lines.map(\.text) == ["in public"] }
                _ = try await enter(first, "correct horse")
                try await say("not in public", first)
                try await eventually("the name is gone") {
                    try await rooms(of: first, seenBy: listener) == [try RoomName("#lobby")]
                }
            }
            let second = try await Chatter(alice, hasMail: true, rooms: [camp])
            try await second.run {
                try await second.meet(listener)
                try await say("not in public either", second)
                try await eventually("bob has the records") { try await listener.store.sealedCount() >= 3 }
                #expect(try await rooms(of: second, seenBy: listener) == [])
                _ = try await second.node.perform(ForgetRoom(camp))
                await #expect(throws: RequestError.self) { try await say("nor this", second) }
                _ = try await second.node.perform(JoinRoom(camp))
                try await say("in public again", second)
                try await eventually("bob hears that") { listener.lines.last?.text == "in public again" }
            }
        }
        #expect(listener.lines.map(\.text) == ["in public", "in public again"])
        for text in ["not in public", "nor this"] { #expect(try !bob.holds(Array(text.utf8)), "\(text)") }
    }

    /// Which rooms are private only the store knows.
    @Test func withoutItsStoreOnlyTheLobbyIsOpen() async throws {
        let node = try await Chatter(try Home("alice"), keeps: false, isStoreClosed: true)
        try await node.run {
            await #expect(throws: RequestError.self) { try await say("secret?", node) }
            await #expect(throws: RequestError.self) { _ = try await node.node.perform(JoinRoom(camp)) }
            try await node.say("everybody's")
            try await eventually("said") { node.lines.map(\.text) == ["everybody's"] }
        }
    }

    /// What is saved of a damaged file has no keys, and knows which rooms were private.
    @Test func aRoomWhoseKeysAreLostStaysPrivate() async throws {
        let alice = try Camper("alice")
        _ = try await alice.joins("correct horse")
        try await alice.says("before")
        try alice.store.close()
        _ = try await Salvage.run(
            path: alice.home.path, owner: alice.peer, at: Clocks.machine(), verify: Archive.verified)
        let saved = try alice.home.mail().rooms
        #expect(try await saved.all() == [camp])
        await #expect(throws: RequestError.keyMissing(room: camp)) {
            _ = try await saved.say([SpokenText("clear?", .says)], in: camp, as: alice.home.name, at: Clocks.machine())
        }
        await #expect(throws: RequestError.keyMissing(room: camp)) {
            _ = try await saved.enter(camp, nil, as: alice.home.name, at: Clocks.machine())
        }
        #expect(
            try await saved.enter(camp, TypedKey("correct horse"), as: alice.home.name, at: Clocks.machine()) == true)
        #expect(try await saved.history(HistoryQuery(room: camp, limit: 10)).lines.map(\.text) == ["before"])
    }

    @Test func anInvitationReachesWhoeverWasAway() async throws {
        let (alice, bob, carol) = (try Home("alice"), try Home("bob"), try Home("carol"))
        let relay = try await Chatter(bob, hasMail: true)
        try await relay.run {
            let early = try await Chatter(carol, hasMail: true)
            try await early.run {
                try await early.meet(relay)
                try await eventually("keys") { try await relay.hasKeys(of: carol) }
            }
            let host = try await Chatter(alice, hasMail: true)
            try await host.run {
                _ = try await host.node.perform(CreatePrivateRoom(camp))
                try await host.meet(relay)
                try await eventually("keys") { try await host.hasKeys(of: carol) }
                _ = try await host.node.perform(
                    InviteToRoom(PeerReference(carol.identity.peer), name: carol.name, camp))
                try await say("come by", host)
                try await eventually("bob has it") { try await relay.store.sealedCount() >= 4 }
            }
            let back = try await Chatter(carol, hasMail: true)
            try await back.run {
                try await back.meet(relay)
                try await eventually("carol is notified") { back.notices.contains { $0.code == "roomInvitation" } }
                #expect(try await enter(back, nil)?.count == 2)
                try await eventually("carol reads it") {
                    let page = try await back.node.perform(
                        HistoryQuery(room: camp, limit: 10))
                    return page.lines.map(\.text) == ["come by"]
                }
            }
        }
    }
}
