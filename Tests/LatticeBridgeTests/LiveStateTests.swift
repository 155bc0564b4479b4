import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import Testing

@testable import LatticeBridge

struct LiveStateTests {
    private func withPath(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "live-state-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try body(folder.appending(path: "state").path)
        try FileManager.default.removeItem(at: folder)
    }

    private func item(_ number: UInt8, ends: Int64 = 1_000) -> LiveItem {
        LiveItem(
            RecordID(Digest.blake2b256([number])), created: HybridTime(rawValue: UInt64(number)),
            ends: WallTime(milliseconds: ends), seq: Int64(number))
    }

    @Test func itIsTheSameAfterARestart() throws {
        try withPath { path throws in
            var random = SeededGenerator(seed: 1)
            let state = try LiveState(path: path, using: &random)
            try state.fed(FeedPosition(epoch: "a", seq: 4), [item(4), item(2)])
            try state.keep([item(3)])
            try state.raise(floor: .max - 7, without: [item(2).id])
            let (bridge, client) = (state.bridge, state.client)
            #expect(client.utf8.count == 23, "brokers need not take longer names")
            try state.close()
            let again = try LiveState(path: path, using: &random)
            #expect(again.bridge == bridge)
            #expect(again.client == client)
            #expect(try again.feed() == FeedPosition(epoch: "a", seq: 4))
            #expect(try again.floor() == .max - 7)
            let compared = try again.compared()
            #expect([item(3), item(4)].compactMap(\.compared).allSatisfy { compared.contains($0) })
            #expect(compared.count == 2)
            #expect(try again.items(of: [item(4).id, item(9).id, item(3).id]) == [item(3), item(4)])
            try again.close()
        }
    }

    @Test func anotherFileHasAnotherName() throws {
        try withPath { path throws in
            var random = SeededGenerator(seed: 1)
            let (one, other) = (
                try LiveState(path: path, using: &random), try LiveState(path: path + "2", using: &random)
            )
            #expect(one.bridge != other.bridge)
            #expect(one.client != other.client)
            try one.close()
            try other.close()
        }
    }

    @Test func whatHasExpiredIsReportedOnce() throws {
        try withPath { path throws in
            var random = SeededGenerator(seed: 1)
            let state = try LiveState(path: path, using: &random)
            try state.keep([item(1, ends: 10), item(2, ends: 20), item(3, ends: 30)])
            let gone = try state.expire(by: WallTime(milliseconds: 20))
            #expect(Set(gone) == [item(1, ends: 10), item(2, ends: 20)])
            #expect(try state.expire(by: WallTime(milliseconds: 20)).isEmpty)
            try state.beginAnew()
            #expect(try state.compared().count == 0)
            #expect(try state.feed() == nil)
            try state.close()
        }
    }

    @Test func aLiveFileIsOneBridgesAlone() throws {
        try withPath { path throws in
            var random = SeededGenerator(seed: 1)
            let state = try LiveState(path: path, using: &random)
            #expect(throws: BridgeState.Fault.taken(path: path)) { _ = try LiveState(path: path, using: &random) }
            try state.close()
        }
    }
}
