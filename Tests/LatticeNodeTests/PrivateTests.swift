import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Private messages over real links.
@Suite(.timeLimit(.minutes(10))) struct PrivateTests {
    @Test func whatIsToldIsHeardByOneAndConfirmed() async throws {
        let (one, other, third) = try await Chatter.threeWithMail()
        let (alice, bob) = (one.home, other.home)
        try await one.run {
            try await other.run {
                try await third.run {
                    try await one.meet(other)
                    try await third.meet(other)
                    let told = try await one.tell("meet me at six", bob)
                    #expect(told.isMine && told.state == .waiting && told.peer == bob.identity.peer)
                    try await eventually("bob is notified") { other.messages.count == 1 }
                    try await eventually("alice knows") { one.states(of: told.number).last == .delivered }
                    let heard = try #require(other.messages.first)
                    #expect(heard.text == "meet me at six" && heard.peer == alice.identity.peer && !heard.isMine)
                    #expect(heard.peerName == alice.name && heard.state == .delivered)
                    #expect(try await other.privateHistory(alice).map(\.text) == ["meet me at six"])
                    #expect(try await one.privateHistory(bob).map(\.state) == [.delivered])
                    // Carol has the records: the line and its receipt.
                    try await eventually("carol has both") { try await third.store.sealedCount() == 2 }
                    #expect(third.messages.isEmpty && third.lines.isEmpty)
                    #expect(one.messages.isEmpty, "what one says here is not told here")
                    _ = try await other.tell("I will", alice)
                    try await eventually("alice is notified") { one.messages.map(\.text) == ["I will"] }
                }
            }
        }
    }

    /// Alice tells, Bob keeps, Alice goes, Carol comes and goes; Alice learns of it when she is back.
    @Test func whoeverIsAwayGetsItOnceAndSaysSo() async throws {
        let (alice, bob, carol) = (try Home("alice"), try Home("bob"), try Home("carol"))
        let relay = try await Chatter(bob, hasMail: true)
        try await relay.run {
            // Carol's keys are left with Bob.
            let early = try await Chatter(carol, hasMail: true)
            try await early.run {
                try await early.meet(relay)
                try await eventually("keys") { try await relay.hasKeys(of: carol) }
            }
            let first = try await Chatter(alice, hasMail: true)
            let number = try await first.run {
                // Before anybody's keys are here.
                let told = try await first.tell("are you there?", carol)
                try await first.meet(relay)
                try await eventually("relayed") { first.states(of: told.number).last == .relayed }
                try await eventually("bob has it") { try await relay.store.sealedCount() == 1 }
                return told.number
            }
            for time in 1...2 {
                let back = try await Chatter(carol, hasMail: true)
                try await back.run {
                    try await back.meet(relay)
                    if time == 1 {
                        try await eventually("carol is notified") { back.messages.count == 1 }
                        // Late or not: Bob may still have passed it on as what was said just now.
                        #expect(back.messages.map(\.text) == ["are you there?"])
                        try await eventually("bob has the receipt") { try await relay.store.sealedCount() == 2 }
                    } else {
                        try await eventually("caught up") { back.isCaughtUp }
                        #expect(back.messages.isEmpty)
                        #expect(try await back.privateHistory(alice).count == 1)
                    }
                }
            }
            let second = try await Chatter(alice, hasMail: true)
            try await second.run {
                try await second.meet(relay)
                try await eventually("delivered") { second.states(of: number).last == .delivered }
                #expect(try await second.privateHistory(carol).map(\.state) == [.delivered])
            }
        }
        #expect(relay.messages.isEmpty)
    }

    @Test func aReceiptOfAnotherCountsForNothing() async throws {
        let (alice, bob, mallory) = (try Home("alice"), try Home("bob"), Identity.generate())
        let store = try alice.store()
        let mail = PrivateMail(store: store, identity: alice.identity)
        let his = try bob.mail()
        let now = Clocks.machine()
        _ = try await mail.tendKeys(at: now, ranFor: .zero)
        _ = try await his.tendKeys(at: now, ranFor: .zero)
        try await alice.takes(from: bob, store, his.store)
        _ = try await mail.tell(bob.identity.peer, SpokenText("hello", .says), as: alice.name, at: now)
        let message = try #require(try await store.messages.lines(with: bob.identity.peer, limit: 1).first?.record)
        let keys = try #require(try await store.prekeys.published(by: alice.identity.peer, at: now)).body
        let forged = try MessageSeal.seal(
            SealedText.receipt([message]).bytes, from: mallory.peer, to: alice.identity.peer, keys.rotating)
        let record = mallory.sign(
            Record(
                kind: .sealed, author: mallory.peer, created: HybridTime(wallTime: now), lifetimeSeconds: 3_600,
                topic: [],
                body: forged.body))
        #expect(try await store.insert([record], at: now) == [.added])
        let opened = try await mail.openNext(at: now)
        #expect(opened.delivered.isEmpty && opened.lost.isEmpty)
        #expect(try await store.messages.lines(with: bob.identity.peer, limit: 1).map(\.state) == [.waiting])
    }

    /// What is left on the disk opens nothing any more.
    @Test func afterItsKeyIsDestroyedAMessageDoesNotOpen() async throws {
        let (alice, bob) = (try Home("alice"), try Home("bob"))
        let (hers, his) = (try alice.mail(), try bob.mail())
        let now = Clocks.machine()
        _ = try await his.tendKeys(at: now, ranFor: .zero)
        try await alice.takes(from: bob, hers.store, his.store)
        _ = try await hers.tell(bob.identity.peer, SpokenText("burn this", .says), as: alice.name, at: now)
        try await bob.takes(from: alice, his.store, hers.store)
        let arrived = try #require(try await his.store.messages.toOpen(limit: 1).first)
        let body = try SealedBody(decoding: arrived.record.body)
        let id = try #require(his.keys.prekeyID(of: body, by: alice.identity.peer))
        let key = try #require(try await his.store.prekeys.own(id))
        #expect(try await his.openNext(at: now).lines.map(\.text) == ["burn this"])

        #expect(try bob.holds(key.sealed), "while it is kept, its sealed form is on the disk")
        let later = WallTime(milliseconds: now.milliseconds + 25 * 3_600_000)
        _ = try await his.tendKeys(at: later, ranFor: .seconds(600))
        #expect(try await his.store.prekeys.own(id) == nil)
        #expect(try await his.store.sealedCount() == 1, "the message's record is there still")
        #expect(try !bob.holds(key.sealed), "no copy of the secret is left in the file or in its log")
        for other in try await his.store.prekeys.own() {
            #expect(throws: CryptoError.decryptionFailed) {
                try his.keys.open(
                    body, by: alice.identity.peer,
                    with: KeptPrekey(prekey: Prekey(id: id, key: key.prekey.key), sealed: other.sealed))
            }
        }
    }

    @Test func aOneTimeKeyIsTakenOnceAndTheRotatingOneWhenNoneIsLeft() async throws {
        let (alice, bob) = (try Home("alice"), try Home("bob"))
        let (hers, his) = (try alice.mail(), try bob.mail())
        let now = Clocks.machine()
        _ = try await his.tendKeys(at: now, ranFor: .zero)
        try await alice.takes(from: bob, hers.store, his.store)
        for number in 0..<34 {
            _ = try await hers.tell(bob.identity.peer, SpokenText("\(number)", .says), as: alice.name, at: now)
        }
        #expect(try await hers.store.prekeys.used(with: bob.identity.peer).count == 33)
        try await bob.takes(from: alice, his.store, hers.store)
        #expect(try await his.openNext(at: now).lines.map(\.text) == (0..<34).map { "\($0)" })
        #expect(try await his.store.prekeys.own().allSatisfy { $0.used != nil })
    }

    private static func after(_ minutes: Int64, _ date: WallTime) -> WallTime {
        WallTime(milliseconds: date.milliseconds + minutes * 60_000)
    }

    /// Bob's machine breaks before he has read it.
    @Test func whatWasSealedToALostKeyIsSealedAnew() async throws {
        let (alice, bob) = (try Home("alice"), try Home("bob"))
        let now = Clocks.machine()
        let hers = try alice.mail()
        do {
            let lost = try bob.mail()
            _ = try await lost.tendKeys(at: now, ranFor: .zero)
            try await alice.takes(from: bob, hers.store, lost.store)
            _ = try await hers.tell(bob.identity.peer, SpokenText("hello", .says), as: alice.name, at: now)
            try lost.store.close()
        }
        for suffix in ["", "-wal", "-shm"] { unlink("\(bob.path)\(suffix)") }
        let later = Self.after(9, now)
        let his = try bob.mail()
        _ = try await his.tendKeys(at: later, ranFor: .zero)
        try await alice.takes(from: bob, hers.store, his.store)
        #expect(try await !hers.sealAgain(at: later), "he may be about to say that he has it")
        let due = Self.after(10, now)
        #expect(try await hers.sealAgain(at: due))
        #expect(try await !hers.sealAgain(at: due))
        _ = try await hers.tendKeys(at: due, ranFor: .zero)
        try await bob.takes(from: alice, his.store, hers.store)
        #expect(try await his.openNext(at: due).lines.map(\.text) == ["hello"])
        #expect(try await his.confirm(at: due))
        try await alice.takes(from: bob, hers.store, his.store)
        #expect(try await hers.openNext(at: due).delivered.map(\.text) == ["hello"])
        #expect(try await hers.history(with: bob.identity.peer, limit: 9).map(\.state) == [.delivered])
        #expect(try await !hers.sealAgain(at: Self.after(24 * 60, now)))
    }

    /// Only that he has it got lost.
    @Test(arguments: [true, false])
    func whatIsSealedAnewIsShownOnce(isFirstOpenedFirst: Bool) async throws {
        let (alice, bob) = (try Home("alice"), try Home("bob"))
        let now = Clocks.machine()
        let hers = try alice.mail()
        let his = try bob.mail()
        _ = try await his.tendKeys(at: now, ranFor: .zero)
        try await alice.takes(from: bob, hers.store, his.store)
        _ = try await hers.tell(bob.identity.peer, SpokenText("hello", .says), as: alice.name, at: now)
        if isFirstOpenedFirst {
            try await bob.takes(from: alice, his.store, hers.store)
            #expect(try await his.openNext(at: now).lines.count == 1)
        }
        // A key that nobody used is listed for 23 days, and opens for 30.
        let later = Self.after(24 * 24 * 60, now)
        _ = try await his.tendKeys(at: later, ranFor: .zero)
        try await alice.takes(from: bob, hers.store, his.store)
        #expect(try await hers.sealAgain(at: later))
        let records = try await hers.store.outbox.waiting(limit: 9, after: nil).map {
            try RecordVerifier.verify($0.record)
        }
        _ = try await his.store.insert(records.suffix(1), at: later)
        let again = try await his.openNext(at: later)
        #expect(again.lines.count == (isFirstOpenedFirst ? 0 : 1))
        _ = try await his.store.insert(records, at: later)
        #expect(try await his.openNext(at: later).lines.isEmpty)
        #expect(try await his.history(with: alice.identity.peer, limit: 9).map(\.text) == ["hello"])
        _ = try await hers.tendKeys(at: later, ranFor: .zero)
        try await bob.takes(from: alice, his.store, hers.store)
        #expect(try await his.confirm(at: later))
        try await alice.takes(from: bob, hers.store, his.store)
        #expect(try await hers.openNext(at: later).delivered.count == 1)
    }

    /// The id of a private message is seen by everybody who passes it on.
    @Test func whoeverSaysAgainWhatAnotherSaidKeepsNothingAway() async throws {
        let (alice, bob, mallory) = (try Home("alice"), try Home("bob"), try Home("mallory"))
        let now = Clocks.machine()
        let hers = try alice.mail()
        let his = try bob.mail()
        _ = try await his.tendKeys(at: now, ranFor: .zero)
        try await alice.takes(from: bob, hers.store, his.store)
        _ = try await hers.tell(bob.identity.peer, SpokenText("hello", .says), as: alice.name, at: now)
        let message = try #require(try await hers.store.messages.lines(with: bob.identity.peer, limit: 1).first?.record)
        let keys = try #require(try await his.store.prekeys.published(by: bob.identity.peer, at: now)).body
        let text = SealedText.again(message, ChatLine(style: .says, name: mallory.name, text: "me first"))
        let forged = try MessageSeal.seal(text.bytes, from: mallory.identity.peer, to: bob.identity.peer, keys.rotating)
        let record = mallory.identity.sign(
            Record(
                kind: .sealed, author: mallory.identity.peer, created: HybridTime(wallTime: now),
                lifetimeSeconds: 3_600,
                topic: [], body: forged.body))
        _ = try await his.store.insert([record], at: now)
        #expect(try await his.openNext(at: now).lines.map(\.text) == ["me first"])
        try await bob.takes(from: alice, his.store, hers.store)
        #expect(try await his.openNext(at: now).lines.map(\.text) == ["hello"])
    }

    @Test func aLineThatNobodyOpensLapses() async throws {
        let (alice, bob) = (try Home("alice"), try Home("bob"))
        let mail = try alice.mail()
        let now = Clocks.machine()
        let told = try await mail.tell(bob.identity.peer, SpokenText("hello?", .says), as: alice.name, at: now)
        let almost = WallTime(milliseconds: now.milliseconds + PrivateMail.lifetime - 1)
        #expect(try await mail.store.messages.lapse(at: almost).isEmpty)
        let after = WallTime(milliseconds: now.milliseconds + PrivateMail.lifetime)
        #expect(try await mail.store.messages.lapse(at: after).map(\.number) == [told.number])
        #expect(try await mail.store.messages.lapse(at: after).isEmpty)
        #expect(try await mail.history(with: bob.identity.peer, limit: 1).map(\.state) == [.lapsed])
    }

    @Test func whatCannotBeSaidIsRefused() async throws {
        let (alice, bob) = (try Home("alice"), try Home("bob"))
        let mail = try alice.mail()
        let now = Clocks.machine()
        func code(_ peer: PeerID, _ text: String) async -> RequestError.Code? {
            do throws(RequestError) {
                _ = try await mail.tell(peer, SpokenText(text, .says), as: alice.name, at: now)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(await code(alice.identity.peer, "me") == .invalid)
        #expect(await code(bob.identity.peer, "") == .invalid)
        #expect(await code(bob.identity.peer, " \t\n") == .invalid)
        #expect(await code(bob.identity.peer, String(repeating: "x", count: 4_097)) == .lineTooLong)
        #expect(await code(bob.identity.peer, String(repeating: "x", count: 4_096)) == nil)
        #expect(try await mail.conversations().count == 1)
    }
}
