import LatticeAPI
import LatticeCore
import LatticeCrypto
import Testing

@testable import LatticeNode

/// What was said just now, and what was kept by others meanwhile.
@Suite struct FreshMessagesTests {
    private let id = RecordID(Digest.blake2b256([1]))

    @Test func whatIsNotedDuringAPassIsThereInTheNext() {
        let fresh = FreshMessages()
        #expect(!fresh.contains(id))
        fresh.note(id)
        fresh.passEnded()
        #expect(fresh.contains(id))
        fresh.passEnded()
        #expect(!fresh.contains(id))
    }

    @Test func whatIsBeyondTheBoundCountsAsKeptByOthers() {
        let fresh = FreshMessages()
        for number in 0..<FreshMessages.countMax {
            fresh.note(RecordID(Digest.blake2b256([2, UInt8(number & 255), UInt8(number >> 8)])))
        }
        fresh.note(id)
        #expect(!fresh.contains(id))
        fresh.passEnded()
        fresh.note(id)
        #expect(fresh.contains(id))
    }

    /// A pass that reads it before its writer goes on finds it fresh all the same.
    @Test func whoComesIntoARoomIsSeenByOthersOfTheSameNodeAtOnce() async throws {
        let now = Clocks.machine()
        let home = try Home("ann")
        let store = try home.store()
        let owner = Archive(store: store, identity: home.identity, name: home.name)
        let (bob, dave) = (try Home("bob"), try Home("dave"))
        let desks = [bob, dave].map { Archive(of: $0.identity, in: owner, name: $0.name).rooms }
        for (desk, name) in zip(desks, [bob.name, dave.name]) {
            #expect(try await desk.enter(Camper.camp, TypedKey("four words of mine"), as: name, at: now) == true)
        }
        let opened = try await desks[0].openNext(at: now)
        #expect(opened.news == [.came(Camper.camp, dave.identity.peer, "dave")])
        _ = try await desks[1].say([SpokenText("here I am", .says)], in: Camper.camp, as: dave.name, at: now)
        let line = try await desks[0].openNext(at: now).lines.first
        #expect(line?.isLate == false && line?.text == "here I am")
    }
}
