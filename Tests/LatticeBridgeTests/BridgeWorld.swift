import Foundation
import LatticeAPI
import LatticeBridge
import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

/// Sites, bridges and one broker, all in memory but the bridges' files.
final class BridgeWorld: Sendable {
    let time = FakeTime()
    let broker: FakeBroker
    let folder: URL
    let wrapping: any BridgeWrapping
    private let blobBytesMax: Int64

    init(key: Bytes32? = nil, blobBytesMax: Int64 = 1 << 20) throws {
        wrapping = try key.map { SealedWrapping(key: $0) } ?? OpenWrapping(mesh: MeshName("camp"))
        self.blobBytesMax = blobBytesMax
        broker = FakeBroker(time)
        folder = FileManager.default.temporaryDirectory.appending(path: "bridge-\(UUID().uuidString)")
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
    func bridge(_ site: FakeSite, file: String) throws -> RunningBridge {
        let state = try BridgeState(path: folder.appending(path: file).path)
        let bridge = Bridge(
            node: site, broker: broker, wrapping: wrapping, via: .nats, state: state, time: time.bridge,
            blobBytesMax: blobBytesMax)
        return RunningBridge(bridge)
    }

    func eventually(
        _ what: String, location: SourceLocation = #_sourceLocation, _ isSo: () async throws -> Bool
    ) async throws {
        var looks = 0
        while try await !isSo() {
            looks += 1
            try #require(looks < 12_000, "not in 12,000 looks: \(what)", sourceLocation: location)
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Both have the same, and the broker has each record of a set once.
    func areEqual(_ one: FakeSite, _ other: FakeSite, count: Int) async throws {
        try await eventually("both have \(count)") {
            let (ones, others) = (await one.ids, await other.ids)
            return ones == others && ones.count == count
        }
    }
}

final class RunningBridge: Sendable {
    let bridge: any EngineBridge
    private let task: Task<Void, any Error>

    init(_ bridge: any EngineBridge) {
        self.bridge = bridge
        task = Task { try await bridge.run() }
    }

    var status: BridgeStatus { get async { await bridge.status } }

    /// What ended it; `nil` if it was cancelled.
    func end() async throws {
        task.cancel()
        do {
            try await task.value
        } catch is CancellationError {
            // This was asked for.
        } catch RequestError.stopped {
            // The node says the same of a request that was cancelled.
        }
        try await bridge.close()
    }

    func failure() async -> (any Error)? {
        do {
            try await task.value
            return nil
        } catch {
            return error
        }
    }
}
