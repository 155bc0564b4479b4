import Foundation
import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@testable import LatticeBridge

/// Sites, bridges and one broker without a history, all in memory but the bridges' files.
final class LiveWorld: Sendable {
    let time = FakeTime()
    let broker: FakeLiveBroker
    let wrapping: LiveWrapping
    private let seed: UInt64
    private let folder: URL

    init(seed: UInt64 = 0, key: Bytes32? = nil) throws {
        self.seed = seed
        broker = FakeLiveBroker(seed: seed)
        wrapping = LiveWrapping(mesh: try MeshName("camp"), key: key)
        folder = FileManager.default.temporaryDirectory.appending(path: "live-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            Issue.record("the folder is not removed: \(error)")
        }
    }

    /// A bridge that runs until it is ended, with a file of this name.
    func bridge(_ site: FakeSite, _ name: String, itemsMax: Int = 250_000) async throws -> RunningBridge {
        var random = SeededGenerator(seed: name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
        let state = try state(name, &random)
        let port = FakeLivePort(broker: broker, name: name)
        await broker.join(name, LiveTopics(tag: wrapping.tag, me: state.bridge))
        return RunningBridge(
            LiveBridge(
                node: site, broker: port, wrapping: wrapping, state: state, time: time.bridge, random: random,
                itemsMax: itemsMax))
    }

    private func state(_ name: String, _ random: inout SeededGenerator) throws -> LiveState {
        try LiveState(path: folder.appending(path: name).path, using: &random)
    }

    /// How many records the file of a bridge that has ended has for comparisons.
    func comparedCount(_ name: String) throws -> Int {
        var random = SeededGenerator(seed: 0)
        let state = try state(name, &random)
        let count = try state.compared().count
        try state.close()
        return count
    }

    /// Lets time pass until it is so.
    func eventually(
        _ what: String, location: SourceLocation = #_sourceLocation, _ isSo: () async throws -> Bool
    ) async throws {
        var looks = 0
        while try await !isSo() {
            looks += 1
            try #require(looks < 12_000, "not in ten minutes: \(what)", sourceLocation: location)
            time.advance(by: .milliseconds(50))
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// All have the same.
    func areEqual(_ sites: [FakeSite], count: Int, location: SourceLocation = #_sourceLocation) async throws {
        try await eventually("all have \(count)", location: location) {
            var all: [Set<RecordID>] = []
            for site in sites { all.append(await site.ids) }
            return all.allSatisfy { $0 == all[0] && $0.count == count }
        }
    }

    func pass(_ duration: Duration) async throws {
        let end = time.now + duration
        try await eventually("time has passed") { time.now >= end }
    }
}
