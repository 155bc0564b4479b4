import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Who reads a private room, and who does not any more.
@Suite(.timeLimit(.minutes(10))) struct RoomKeysTests {
    @Test func whoeverTypesTheKeyReadsWhatWasSaidBefore() async throws {
        let (alice, bob, dave) = (try Camper("alice"), try Camper("bob"), try Camper("dave"))
        #expect(try await alice.joins("correct horse") == true)
        try await alice.says("before")
        try await bob.hears(alice)
        #expect(try await bob.history() == [])
        #expect(try await bob.joins("correct horse") == true)
        #expect(try await bob.history() == ["before"])
        #expect(try await bob.joins("correct horse") == false)
        try await bob.says("after")
        try await alice.hears(bob)
        #expect(alice.lines == ["after"])
        #expect(alice.news == [.came(Camper.camp, bob.peer, "bob")])
        #expect(try await alice.members() == [alice.peer, bob.peer])
        #expect(try await alice.history() == ["before", "after"])
        // Another key of the same name opens nothing.
        #expect(try await dave.joins("incorrect horse") == true)
        try await dave.hears(alice, bob)
        #expect(try await dave.history() == [] && dave.news == [])
        #expect(try await dave.members() == [dave.peer])
    }

    @Test func whatIsNoKeyAndWhatIsAnotherAreRefused() async throws {
        let alice = try Camper("alice")
        func code(_ work: () async throws -> Void) async -> RequestError.Code? {
            do {
                try await work()
                return nil
            } catch {
                return (error as? RequestError)?.code
            }
        }
        #expect(await code { _ = try await alice.joins("short") } == .invalid)
        #expect(await code { _ = try await alice.joins(String(repeating: "x", count: 1_025)) } == .invalid)
        #expect(try await alice.store.rooms.names() == [])
        #expect(try await alice.joins() == nil, "nobody invited")
        _ = try await alice.joins("correct horse")
        #expect(await code { _ = try await alice.joins("other horse") } == .wrongKey)
        #expect(
            await code { try await alice.desk.create(Camper.camp, as: alice.home.name, at: Clocks.machine()) }
                == .invalid)
        let lobby = try RoomName("#lobby")
        #expect(
            await code { try await alice.desk.create(lobby, as: alice.home.name, at: Clocks.machine()) } == .invalid)
        #expect(try await alice.store.rooms.names() == [Camper.camp])
    }

    @Test func whoeverIsInvitedComesInWhenTheySaySo() async throws {
        let (alice, bob) = (try Camper("alice"), try Camper("bob"))
        try await alice.desk.create(Camper.camp, as: alice.home.name, at: Clocks.machine())
        try await alice.says("welcome")
        // Bob is away: his keys are not here.
        try await alice.desk.invite(bob.peer, bob.home.name, to: Camper.camp, at: Clocks.machine())
        #expect(try await alice.store.rooms.errands(at: Clocks.machine(), limit: 10).count == 1)
        try await bob.looks()
        try await alice.hears(bob)
        #expect(try await alice.store.rooms.errands(at: Clocks.machine(), limit: 10).isEmpty)
        try await bob.hears(alice)
        #expect(bob.news == [.invitation(Camper.camp, by: alice.peer)])
        #expect(try await bob.store.rooms.names() == [], "nothing happens before he accepts")
        try await bob.looks()
        #expect(bob.news.count == 1, "told once")
        #expect(try await bob.joins() == true)
        #expect(try await bob.history() == ["welcome"])
        #expect(try await bob.members() == [alice.peer, bob.peer])
        try await bob.says("hi")
        try await alice.hears(bob)
        #expect(alice.lines == ["hi"])
        #expect(try await alice.current().id == bob.current().id)
    }

    @Test func whoeverIsRemovedReadsNothingOfTheNewKey() async throws {
        let campers = try await Camper.camp(["alice", "bob", "mallory"])
        let (alice, bob, mallory) = (campers[0], campers[1], campers[2])
        try await alice.says("all of us")
        try await Camper.mix(campers)
        try await alice.desk.remove(mallory.peer, from: Camper.camp, at: Clocks.machine())
        try await alice.says("two of us")
        try await Camper.mix(campers)
        try await bob.says("yes")
        try await Camper.mix(campers)
        #expect(try await alice.history() == ["all of us", "two of us", "yes"])
        #expect(try await bob.history() == ["all of us", "two of us", "yes"])
        #expect(try await mallory.history() == ["all of us"])
        #expect(bob.news.contains(.removed(Camper.camp, [mallory.peer], by: alice.peer)))
        #expect(try await bob.current().id == alice.current().id)
        #expect(try await bob.current().number == 1)
        #expect(try await mallory.current().number == 0)
        // Everything that Mallory has, with every key that Mallory has.
        let next = try await alice.current()
        let key = try #require(alice.desk.ring.key(next))
        let underNext = try await mallory.store.messages.sealed(after: 0, limit: 1_000).filter {
            key.recognises(try SealedBody(decoding: $0.record.body), by: $0.record.author)
        }
        #expect(underNext.count == 2, "the lines are there, and are not read")
        #expect(try await mallory.store.rooms.keys().allSatisfy { $0.id != next.id })
        #expect(try await mallory.store.rooms.offers().isEmpty)
        // What Mallory says from now on is not heard.
        try await mallory.says("still here?")
        try await Camper.mix(campers)
        #expect(try await alice.history().last == "yes")
        #expect(try await bob.history().last == "yes")
    }

    @Test func aKeyOfSomebodyWhoWasRemovedIsRefused() async throws {
        let campers = try await Camper.camp(["alice", "bob", "mallory"])
        let (alice, bob, mallory) = (campers[0], campers[1], campers[2])
        try await alice.desk.remove(mallory.peer, from: Camper.camp, at: Clocks.machine())
        try await bob.hears(alice)
        let true1 = try await bob.current().id
        // Mallory removes Alice under the key that all three had, and invites Bob to it.
        try await mallory.desk.remove(alice.peer, from: Camper.camp, at: Clocks.machine())
        try await mallory.desk.invite(bob.peer, bob.home.name, to: Camper.camp, at: Clocks.machine())
        try await Camper.mix(campers)
        #expect(try await bob.current().id == true1)
        #expect(try await alice.current().id == true1)
        #expect(try await bob.store.rooms.keys().count == 2)
        #expect(!bob.news.contains { if case .invitation = $0 { true } else { false } })
        #expect(try await bob.store.rooms.offers().isEmpty)
    }

    @Test func aKeyOfAStrangerIsRefused() async throws {
        let campers = try await Camper.camp(["alice", "bob"])
        let (alice, bob) = (campers[0], campers[1])
        let eve = try Camper("eve")
        try await eve.looks()
        try await eve.hears(bob)
        let held = try await bob.current()
        let keys = try #require(try await eve.store.prekeys.published(by: bob.peer, at: Clocks.machine())).body
        let forged = RoomKeyText(
            .renewal, room: Camper.camp, root: held.root, parent: held.id, number: 1,
            secret: RoomKey.random().exported(), members: [.init(bob.peer, .here), .init(eve.peer, .here)],
            removed: [alice.peer])
        let body = try MessageSeal.seal(SealedText.roomKey(forged).bytes, from: eve.peer, to: bob.peer, keys.rotating)
        _ = try await eve.store.write(at: Clocks.machine(), waits: true, eve.desk.signing(body.body))
        try await bob.hears(eve)
        #expect(try await bob.current().id == held.id)
        #expect(try await bob.store.rooms.offers().isEmpty)
    }

    /// Alice removes Xan while Bob removes Yul: whichever key is spoken under, both are out in the end, and all others go on.
    @Test func twoRemovalsAtOneTimeBothHold() async throws {
        let campers = try await Camper.camp(["alice", "bob", "carol", "xan", "yul"])
        let (alice, bob, carol) = (campers[0], campers[1], campers[2])
        let (xan, yul) = (campers[3], campers[4])
        try await alice.desk.remove(xan.peer, from: Camper.camp, at: Clocks.machine())
        try await bob.desk.remove(yul.peer, from: Camper.camp, at: Clocks.machine())
        #expect(try await alice.current().id != bob.current().id)
        for _ in 0..<3 { try await Camper.mix(campers) }
        let ids = [try await alice.current().id, try await bob.current().id, try await carol.current().id]
        #expect(Set(ids).count == 1)
        #expect(try await carol.current().number == 2)
        let rest: Set<PeerID> = [alice.peer, bob.peer, carol.peer]
        for one in [alice, bob, carol] { #expect(try await one.members() == rest) }
        try await carol.says("three of us")
        try await Camper.mix(campers)
        #expect(try await alice.history() == ["three of us"])
        #expect(try await bob.history() == ["three of us"])
        #expect(try await xan.history().isEmpty)
        #expect(try await yul.history().isEmpty)
    }

    /// Private messages come in any order: a key waits for the one before it.
    @Test func aKeyWaitsForTheOneBefore() async throws {
        let campers = try await Camper.camp(["alice", "bob", "xan", "yul"])
        let (alice, bob) = (campers[0], campers[1])
        let before = try await alice.store.outbox.waiting(limit: 1_000, after: nil).count
        try await alice.desk.remove(campers[2].peer, from: Camper.camp, at: Clocks.machine())
        try await alice.desk.remove(campers[3].peer, from: Camper.camp, at: Clocks.machine())
        try await alice.says("we two")
        let sent = try await alice.store.outbox.waiting(limit: 1_000, after: nil).dropFirst(before)
            .map { try RecordVerifier.verify($0.record) }
        for record in sent.reversed() {
            _ = try await bob.store.insert([record], at: Clocks.machine())
            try await bob.looks()
        }
        #expect(try await bob.current().number == 2)
        #expect(try await bob.history() == ["we two"])
    }

    @Test func whoeverComesWithAnOldKeyIsToldOfAndGetsNoNewOneByItself() async throws {
        let campers = try await Camper.camp(["alice", "bob", "mallory"])
        let (alice, bob) = (campers[0], campers[1])
        try await alice.desk.remove(campers[2].peer, from: Camper.camp, at: Clocks.machine())
        try await bob.hears(alice)
        let dave = try Camper("dave")
        try await dave.looks()
        _ = try await dave.joins("correct horse")
        try await dave.says("anybody?")
        try await alice.hears(dave)
        #expect(alice.lines.last == "anybody?")
        #expect(alice.news.contains(.oldKey(Camper.camp, dave.peer)))
        try await alice.says("not for dave")
        try await dave.hears(alice)
        #expect(try await dave.current().number == 0)
        #expect(try await !dave.history().contains("not for dave"))
        try await alice.desk.invite(dave.peer, dave.home.name, to: Camper.camp, at: Clocks.machine())
        try await dave.hears(alice)
        #expect(try await dave.current().number == 0, "nothing happens before he accepts")
        #expect(try await dave.joins() == true)
        #expect(try await dave.current().id == alice.current().id)
        #expect(try await dave.history().contains("not for dave"))
    }

    /// Everybody who has the text of a room's key can read the room, whatever the key's number.
    @Test func theTextOfALaterKeyOpensTheRoomFromThere() async throws {
        let campers = try await Camper.camp(["alice", "bob", "mallory"])
        let alice = campers[0]
        try await alice.desk.remove(campers[2].peer, from: Camper.camp, at: Clocks.machine())
        try await alice.says("one")
        let carol = try Camper("carol")
        try await carol.hears(alice)
        _ = try await carol.joins(try await alice.desk.key(of: Camper.camp))
        #expect(try await carol.history() == ["one"])
        try await Camper.mix([alice, carol])
        #expect(try await alice.members().contains(carol.peer))
        try await alice.desk.remove(campers[1].peer, from: Camper.camp, at: Clocks.machine())
        try await Camper.mix([alice, carol])
        #expect(try await carol.current().id == alice.current().id)
        try await carol.says("two")
        try await alice.hears(carol)
        #expect(try await alice.history() == ["one", "two"])
    }

    @Test func whatIsForgottenIsGone() async throws {
        let campers = try await Camper.camp(["alice", "bob"])
        let (alice, bob) = (campers[0], campers[1])
        try await alice.says("burn this")
        try await Camper.mix(campers)
        let sealed = try await bob.current().sealed
        #expect(try bob.home.holds(sealed))
        try await bob.desk.forget(Camper.camp, as: bob.home.name, at: Clocks.machine())
        #expect(try await bob.store.rooms.names() == [])
        #expect(try await bob.store.rooms.keys().isEmpty)
        #expect(try await bob.history() == [])
        #expect(try !bob.home.holds(sealed), "no copy of the key is left in the file or in its log")
        try await alice.hears(bob)
        #expect(alice.news.last == .left(Camper.camp, bob.peer, "bob"))
        #expect(try await alice.members() == [alice.peer])
        // A person who has left gets no further key.
        try await alice.desk.create(try RoomName("#other"), as: alice.home.name, at: Clocks.machine())
        #expect(try await alice.store.rooms.errands(at: Clocks.machine(), limit: 10).isEmpty)
    }

    @Test func allOfItOutlivesTheProcess() async throws {
        let campers = try await Camper.camp(["alice", "bob", "mallory"])
        let (alice, bob) = (campers[0], campers[1])
        try await alice.says("one")
        try await alice.desk.remove(campers[2].peer, from: Camper.camp, at: Clocks.machine())
        try await bob.hears(alice)
        let again = PrivateMail(store: try bob.home.store(), identity: bob.home.identity).rooms
        #expect(try await again.history(HistoryQuery(room: Camper.camp, limit: 10)).lines.map(\.text) == ["one"])
        #expect(try await again.store.rooms.keys(of: Camper.camp).first?.id == alice.current().id)
        #expect(Set(try await again.members(of: Camper.camp).map(\.peer)) == [alice.peer, bob.peer])
        #expect(again.ring.key(try await bob.current())?.id == (try await alice.current().id))
        #expect(try await again.enter(Camper.camp, nil, as: bob.home.name, at: Clocks.machine()) == false)
    }

    /// What somebody else sees of it: neither the name nor what was said, nor what tells a line from a private message.
    @Test func whoeverIsNoMemberSeesNothingButSizes() async throws {
        let campers = try await Camper.camp(["alice", "bob"])
        let carol = try Camper("carol")
        try await carol.looks()
        try await campers[0].says("under the oak")
        try await campers[0].hears(campers[1])
        _ = try await campers[0].mail.tell(
            campers[1].peer, SpokenText("under the oak", .says), as: campers[0].home.name, at: Clocks.machine())
        try await carol.hears(campers[0], campers[1])
        let records = try await carol.store.messages.sealed(after: 0, limit: 100)
        #expect(records.count >= 4)
        #expect(Set(records.map(\.record.body.count)) == [104 + 256])
        #expect(Set(records.map(\.record.lifetimeSeconds)).count == 1)
        #expect(records.allSatisfy { $0.record.topic.isEmpty && $0.record.kind == .sealed })
        for text in ["#camp", "camp", "under the oak", "oak"] {
            #expect(try !carol.home.holds(Array(text.utf8)), "\(text)")
        }
        #expect(try await carol.store.rooms.names().isEmpty)
    }

    @Test func thereAreNoMoreRoomsAndOffersThanThereCanBe() async throws {
        let (alice, bob) = (try Camper("alice"), try Camper("bob"))
        try await bob.looks()
        try await alice.looks()
        try await alice.hears(bob)
        for number in 0..<RoomDesk.roomsMax {
            try await alice.desk.create(try RoomName("#r\(number)"), as: alice.home.name, at: Clocks.machine())
        }
        await #expect(throws: RequestError.self) {
            try await alice.desk.create(try RoomName("#more"), as: alice.home.name, at: Clocks.machine())
        }
        for number in 0..<12 {
            try await alice.desk.invite(
                bob.peer, bob.home.name, to: try RoomName("#r\(number)"), at: Clocks.machine())
        }
        try await bob.hears(alice)
        #expect(try await bob.store.rooms.offers().count == 8)
    }
}
