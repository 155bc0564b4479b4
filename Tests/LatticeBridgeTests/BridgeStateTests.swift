import Foundation
import LatticeAPI
import LatticeBridge
import LatticeCore
import LatticeCrypto
import Testing

struct BridgeStateTests {
    private func withState(_ body: (BridgeState) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let state = try BridgeState(path: folder.appending(path: "state").path)
        try body(state)
        try state.close()
        try FileManager.default.removeItem(at: folder)
    }

    private func id(_ number: UInt8) -> RecordID { RecordID(Digest.blake2b256([number])) }

    @Test func aStreamIsReadOnUnlessItIsAnotherOne() throws {
        try withState { state throws in
            #expect(try state.met(.week, StreamStand(created: "1", last: 9)) == (0, false))
            #expect(try state.took(.week, after: 0, upTo: 5, skipped: []))
            #expect(try state.met(.week, StreamStand(created: "1", last: 9)) == (5, false))
            #expect(try state.met(.week, StreamStand(created: "1", last: 4)) == (0, true), "it was set back")
            #expect(try state.took(.week, after: 0, upTo: 3, skipped: []))
            #expect(try state.met(.week, StreamStand(created: "2", last: 9)) == (0, true), "it was made anew")
            #expect(try state.sequence(of: .month) == 0)
        }
    }

    @Test func whatWasReadFromAnEarlierPlaceHasNoEffect() throws {
        try withState { state throws in
            _ = try state.met(.week, StreamStand(created: "1", last: 9))
            #expect(try state.took(.week, after: 0, upTo: 5, skipped: []))
            #expect(try !state.took(.week, after: 2, upTo: 7, skipped: [.init(id(1), seq: 4)]))
            #expect(try state.sequence(of: .week) == 5)
            #expect(try state.skipped(of: [id(1)]).isEmpty)
        }
    }

    @Test func whatTheFeedHasPassedIsSkippedNoLonger() throws {
        try withState { state throws in
            _ = try state.met(.week, StreamStand(created: "1", last: 9))
            #expect(try state.feed() == nil)
            #expect(
                try state.took(.week, after: 0, upTo: 2, skipped: [.init(id(1), seq: 4), .init(id(2), seq: 8)]))
            #expect(try state.skipped(of: [id(1), id(2), id(3)]) == [id(1), id(2)])
            try state.fed(FeedPosition(epoch: "a", seq: 4))
            #expect(try state.skipped(of: [id(1), id(2)]) == [id(2)])
            #expect(try state.feed() == FeedPosition(epoch: "a", seq: 4))
            try state.beginAnew()
            #expect(try state.feed() == nil)
            #expect(try state.sequence(of: .week) == 0)
            #expect(try state.skipped(of: [id(2)]).isEmpty)
        }
    }
}
