import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Logging
import Testing

@testable import LatticeNode

/// What goes to the mesh from its commit, and what has to be read from the store.
@Suite struct PublisherTests {
    private let identity = Identity.generate()
    private var me: PeerID { identity.peer }
    private let now = WallTime(milliseconds: 1_800_000_000_000)

    @Test func whatAnEarlierRunLeftGoesFirst() {
        var progress = HandOverProgress()
        #expect(progress.isBehind(me))
        #expect(progress.goesOut(by: me) == false)
        #expect(progress.beginReading(me) == 0)
        progress.gave(7, of: me)
        progress.endReading(me, isAll: true)
        #expect(!progress.isBehind(me))
        #expect(progress.goesOut(by: me) == true)
        #expect(progress.beginReading(me) == nil)
    }

    @Test func whatIsWrittenDuringAReadingIsReadNext() {
        var progress = HandOverProgress()
        #expect(progress.beginReading(me) == 0)
        #expect(progress.goesOut(by: me) == false)
        // One reads at a time.
        #expect(progress.beginReading(me) == nil)
        progress.gave(7, of: me)
        progress.endReading(me, isAll: true)
        #expect(progress.isBehind(me))
        #expect(progress.beginReading(me) == 7)
        progress.endReading(me, isAll: true)
        #expect(!progress.isBehind(me))
    }

    @Test func whatTheMeshRefusedIsReadAgain() {
        var progress = HandOverProgress()
        _ = progress.beginReading(me)
        progress.endReading(me, isAll: true)
        progress.fellBehind(me)
        #expect(progress.beginReading(me) == 0)
        progress.endReading(me, isAll: false)
        #expect(progress.isBehind(me))
    }

    @Test func draftsAreDatedAfterEverythingHeard() {
        let logger = Logger(label: "publisher") { _ in SwiftLogNoOpLogHandler() }
        let publisher = Publisher(nil, NodeClock(), logger, after: HybridTime(rawValue: 0))
        var heard = HybridClock()
        let date = heard.next(at: WallTime(milliseconds: now.milliseconds + 2_000))
        publisher.heard(date, at: now)
        let identity = identity
        let draft = Draft(author: me, at: now, waits: true) { created in
            identity.sign(
                Record(
                    kind: .like, author: identity.peer, created: created, lifetimeSeconds: 3_600, topic: [], body: []))
        }
        let (dated, first) = publisher.take([draft, draft], at: now)
        #expect(date < dated[0].notBefore && dated[0].notBefore < dated[1].notBefore)
        #expect(publisher.take([draft], at: now).ticket != first)
    }
}

/// Which of the owner's records fronts were notified of.
@Suite struct OwnToldTests {
    @Test func recordsOfAnotherProcessAreBetweenOurs() {
        var told = OwnReported(upTo: 3)
        told.wrote(5)
        told.wrote(6)
        #expect(told.contains(3) && !told.contains(4) && told.contains(5) && told.newest == 6)
        told.settle(upTo: 6)
        #expect(told.upTo == 6 && told.contains(4) && !told.contains(7))
        told.settle(upTo: 2)
        #expect(told.upTo == 6)
    }
}

/// What neighbours and people hear about reconciling, and how often.
@Suite struct ReconcileStatusTests {
    @Test func progressIsReportedFiveTimesASecondAtMost() {
        var status = ReconcileStatus()
        let start = Instant.zero.advanced(by: .seconds(10))
        #expect(status.progressDeadline == nil)
        #expect(status.takesProgress(at: start) == false)
        status.progressed()
        #expect(status.takesProgress(at: start) == true)
        status.progressed()
        #expect(status.takesProgress(at: start.advanced(by: .milliseconds(199))) == false)
        #expect(status.progressDeadline == start.advanced(by: .milliseconds(200)))
        #expect(status.takesProgress(at: start.advanced(by: .milliseconds(200))) == true)
    }

    @Test func retentionIsReadOnlyAfterItsFirstAnnouncement() {
        var status = ReconcileStatus()
        #expect(status.takesKeeping() == false)
        #expect(status.announces(Keeping([]), at: .zero) == true)
        #expect(status.takesKeeping() == true)
        #expect(status.takesKeeping() == false)
        status.keepingMayDiffer()
        #expect(status.takesKeeping() == true)
        #expect(status.announces(Keeping([]), at: .zero) == false)
    }
}
