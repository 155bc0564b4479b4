import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@testable import LatticeNode

/// What waits to be read, and when the node hears that it was.
struct DataInboxTests {
    private func origin(_ number: Int) throws -> DataOrigin {
        DataOrigin(
            peer: PeerID(try #require(Bytes32([UInt8](repeating: UInt8(number), count: 32)[...]))), isRouted: false)
    }

    private func inbox() -> DataInbox {
        var inbox = DataInbox()
        _ = inbox.open()
        _ = inbox.news()
        return inbox
    }

    @Test func aNodeHearsOfAQuarterOfAWindowOnce() throws {
        var inbox = inbox()
        let origin = try origin(1)
        let quarter = Int(DataLimit.window / 4)
        let isTold = [quarter - 1, 1, 1].map { inbox.wasRead($0, from: origin) }
        #expect(isTold == [false, true, false])
        #expect(inbox.news().0.map(\.bytes) == [quarter + 1])
        #expect(inbox.news().0.isEmpty)
        let isToldAgain = inbox.wasRead(1, from: origin)
        #expect(!isToldAgain)
    }

    /// An empty flow gives its place to another, so the mesh must hear of senders who said little and left, too.
    @Test func aNodeHearsOfManyWhoSayLittle() throws {
        var inbox = inbox()
        var isTold: [Bool] = []
        for number in 1...DataLimit.incomingMax { isTold.append(inbox.wasRead(1, from: try origin(number))) }
        #expect(isTold.firstIndex(of: true) == DataLimit.incomingMax / 2 - 1)
        #expect(isTold.count { $0 } == 1)
        #expect(inbox.news().0.count == DataLimit.incomingMax)
        #expect(inbox.news().0.isEmpty)
    }

    @Test func whatIsLittleIsNotToldWithOtherNews() throws {
        var inbox = inbox()
        _ = inbox.wasRead(1, from: try origin(1))
        let (read, isReading) = inbox.news()
        #expect(read.isEmpty && isReading == nil)
    }
}
