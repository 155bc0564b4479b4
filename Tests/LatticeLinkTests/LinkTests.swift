import LatticeCore
import LatticeLink
import LatticeWire
import Testing

/// Two honest peers on loopback.
@Suite(.timeLimit(.minutes(10)))
struct LinkTests {
    @Test func bothEndsKnowWhoIsAtTheOther() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        try await serving(alice, bob) {
            let mine = try await alice.link(with: bob)
            let theirs = try await alice.end(of: mine, at: bob)
            #expect(mine.peer.peer == bob.peer && mine.peer.name.text == "bob")
            #expect(theirs.peer.peer == alice.peer && theirs.peer.name.text == "alice")
            #expect(mine.dial == DialID(rawValue: 1) && theirs.dial == nil)
            #expect(mine.address == bob.address && mine.listeningAddress == bob.address)
            #expect(theirs.address.host == "127.0.0.1" && theirs.listeningAddress == alice.address)
            #expect(alice.owner.failures.isEmpty && bob.owner.closures.isEmpty)
        }
    }

    @Test func framesArriveInOrderBothWaysAtOnce() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        let lines = (0..<10_000).map { line($0) }
        try await serving(alice, bob) {
            let mine = try await alice.link(with: bob)
            let theirs = try await alice.end(of: mine, at: bob)
            async let there = mine.sendAll(lines)
            async let back = theirs.sendAll(lines)
            #expect(await there)
            #expect(await back)
            try await until("all arrive") {
                bob.owner.frames(theirs).count >= lines.count && alice.owner.frames(mine).count >= lines.count
            }
            let isSame = bob.owner.frames(theirs) == lines && alice.owner.frames(mine) == lines
            #expect(isSame)
        }
    }

    @Test func aSmallQueueAndFrequentNewKeysLoseNothing() async throws {
        var limits = LinkLimits()
        limits.queueBytesMax = 64 << 10
        limits.batchBytesMax = 4 << 10
        limits.rekeyInterval = .zero
        let (alice, bob) = (try await Station("alice", limits), try await Station("bob", limits))
        let lines = (0..<2_000).map { line($0, bytes: $0 % 10 == 0 ? 50_000 : 8) }
        try await serving(alice, bob) {
            let mine = try await alice.link(with: bob)
            let theirs = try await alice.end(of: mine, at: bob)
            #expect(await mine.sendAll(lines))
            func heard() -> [Frame] { bob.owner.frames(theirs).filter { $0 != .rekey } }
            try await until("all arrive") { heard().count >= lines.count }
            let isSame = heard() == lines
            #expect(isSame)
            #expect(bob.owner.frames(theirs).contains(.rekey))
        }
    }

    @Test func aGoodbyeComesAfterEverythingBeforeIt() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        let lines = (0..<5_000).map { line($0, bytes: 100) }
        try await serving(alice, bob) {
            let mine = try await alice.link(with: bob)
            let theirs = try await alice.end(of: mine, at: bob)
            for line in lines { #expect(mine.send(line.bytes)) }
            mine.close(Goodbye(.leaving, "off to lunch"))
            #expect(mine.isClosing && !mine.send(line(0).bytes))
            try await until("both ends are closed") {
                !bob.owner.closures(theirs).isEmpty && !alice.owner.closures(mine).isEmpty
            }
            let isSame = bob.owner.frames(theirs) == lines
            #expect(isSame)
            #expect(bob.owner.closures(theirs) == [.goodbye(Goodbye(.leaving, "off to lunch"))])
            #expect(alice.owner.closures(mine).count == 1)
        }
    }

    @Test func bothMaySayGoodbyeAtOnce() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        try await serving(alice, bob) {
            let mine = try await alice.link(with: bob)
            let theirs = try await alice.end(of: mine, at: bob)
            mine.close(Goodbye(.leaving, "mine"))
            theirs.close(Goodbye(.leaving, "theirs"))
            mine.close(Goodbye(.leaving, "again"))
            try await until("both ends are closed") {
                !bob.owner.closures(theirs).isEmpty && !alice.owner.closures(mine).isEmpty
            }
            // A side that hears the goodbye before it has sent its own sends none.
            let ends: [LinkClosure] = [.goodbye(Goodbye(.leaving, "theirs")), .broken("the connection was closed")]
            #expect(alice.owner.closures(mine).count == 1 && alice.owner.closures(mine).allSatisfy(ends.contains))
            #expect(bob.owner.closures(theirs) == [.goodbye(Goodbye(.leaving, "mine"))])
        }
    }

    @Test func anEndWithoutAWordIsABrokenLink() async throws {
        let alice = try await Station("alice")
        let bob = try await Station("bob")
        try await serving(alice) {
            try await serving(bob) {
                let mine = try await alice.link(with: bob)
                _ = try await alice.end(of: mine, at: bob)
            }
            // Bob's links have ended with their task.
            try await until("the end is noticed") { !alice.owner.closures.isEmpty }
            guard case .broken = alice.owner.closures[0] else {
                Issue.record("\(alice.owner.closures)")
                return
            }
            #expect(alice.owner.closures.count == 1 && bob.owner.closures.count == 1)
        }
    }

    @Test func aPeerThatNeverReadsFillsTheQueueAndNothingElse() async throws {
        var limits = LinkLimits()
        limits.queueBytesMax = 256 << 10
        limits.farewellTimeout = .milliseconds(100)
        let (alice, bob) = (try await Station("alice", limits), try await Station("bob"))
        try await serving(alice, bob) {
            bob.owner.hold()
            let mine = try await alice.link(with: bob)
            let frame = line(1, bytes: 50_000).bytes
            // Until the queue stays full: what the sockets hold in between is the system's affair.
            var refusedInARow = 0
            try await until("the queue stays full") {
                #expect(mine.waitingBytes <= limits.queueBytesMax)
                refusedInARow = mine.send(frame) ? 0 : refusedInARow + 1
                return refusedInARow > 200
            }
            #expect(mine.waitingBytes > limits.queueBytesMax - frame.count)
            mine.close(Goodbye(.tooSlow, "too slow"))
            // It does not wait for a peer that takes nothing in.
            try await until("our end is closed") { !alice.owner.closures(mine).isEmpty }
            #expect(bob.owner.heldCount == 1)
        }
    }

    @Test func aPeerThatLeavesItsSideOpenDoesNotHoldUpAGoodbye() async throws {
        var limits = LinkLimits()
        limits.farewellTimeout = .seconds(86_400)
        limits.closingTimeout = .milliseconds(100)
        let (alice, bob) = (try await Station("alice", limits), try await Station("bob"))
        try await serving(alice, bob) {
            bob.owner.hold()
            let mine = try await alice.link(with: bob)
            #expect(mine.send(line(1).bytes))
            try await until("it is at work on a line") { bob.owner.heldCount == 1 }
            mine.close(Goodbye(.leaving, "off"))
            try await until("our end is closed") { !alice.owner.closures(mine).isEmpty }
        }
    }

    @Test func whatTheOwnerFindsFaultWithEndsTheLink() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        try await serving(alice, bob) {
            let mine = try await alice.link(with: bob)
            let theirs = try await alice.end(of: mine, at: bob)
            #expect(mine.send(Frame.accept(room: 0).bytes))
            try await until("both ends are closed") {
                !bob.owner.closures(theirs).isEmpty && !alice.owner.closures(mine).isEmpty
            }
            #expect(bob.owner.closures(theirs) == [.fault("accepted what was not asked")])
            #expect(
                alice.owner.closures(mine) == [.goodbye(Goodbye(.protocolFault, "accepted what was not asked"))])
        }
    }

    @Test func aLinkThatIsOverIsForgotten() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        try await serving(alice, bob) {
            weak let mine = try await alice.link(with: bob)
            mine?.close(Goodbye(.leaving, "off"))
            try await until("both ends are closed") { !alice.owner.closures.isEmpty && !bob.owner.closures.isEmpty }
            alice.owner.forget()
            try await until("nobody holds it") { mine == nil }
        }
    }

    @Test func linksAreCountedOnFromOne() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        try await serving(alice, bob) {
            for _ in 0..<5 { _ = try await alice.link(with: bob) }
            try await until("all are open") { bob.owner.opened.count == 5 }
            #expect(Set(bob.owner.opened.map(\.id)).count == 5)
            #expect(Set(alice.owner.opened.map(\.id)).count == 5)
            #expect(alice.owner.opened.map(\.dial?.rawValue) == [1, 2, 3, 4, 5])
        }
    }

    @Test func whenTheTaskEndsEveryLinkIsClosedOnce() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        try await serving(alice, bob) {
            for _ in 0..<5 { _ = try await alice.link(with: bob) }
            try await until("all are open") { bob.owner.opened.count == 5 }
        }
        #expect(alice.owner.closures.count == 5 && bob.owner.closures.count == 5)
    }
}
