import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeGeo
import LatticeStore
import LatticeWire
import Synchronization
import Testing

@testable import LatticeNode

/// One command that catches up, and what it can ask without a network.
@Suite(.timeLimit(.minutes(10))) struct SyncSessionTests {
    private final class Folder {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appending(path: "lattice-sync-\(UUID().uuidString)").path
        }

        deinit {
            _ = Result { try FileManager.default.removeItem(atPath: path) }
        }
    }

    private func session(
        _ folder: Folder, _ identity: Identity
    ) throws -> (StoreSession, NodeConfiguration) {
        let directory = try DataDirectory(name: nil, directory: folder.path)
        let mesh = try MeshName("synced")
        var configuration = NodeConfiguration(
            identity: identity, name: try PeerName("bob"), rooms: [], mesh: mesh)
        configuration.discovery = .off
        return (try StoreSession.open(directory: directory, identity: identity, mesh: mesh), configuration)
    }

    @Test func aCommandCatchesUpAndEnds() async throws {
        let host = try await Chatter(try Home("alice"))
        let lines = ChatRig.lines(500, by: Identity.generate())
        _ = try await host.store.insert(lines, at: Clocks.machine())
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        var (session, configuration) = try session(folder, Identity.generate())
        try await host.run {
            configuration.given = [PeerAddress(host: "127.0.0.1", port: await host.node.me.port)]
            let told = Mutex<[SyncProgress]>([])
            let end = await session.sync(configuration, atMost: .seconds(3_600)) { now in
                told.withLock { $0.append(now) }
            }
            guard case .caughtUp(let progress) = end else {
                Issue.record("it ended with \(end)")
                return
            }
            #expect(progress.isCaughtUp && progress.peers == 1)
            #expect(told.withLock { $0.last?.isCaughtUp } == true)
            // Without a network, from the store.
            let page = try await session.node.perform(
                HistoryQuery(room: try RoomName("#lobby"), limit: 50))
            #expect(page.hasMore && page.lines.map(\.record) == lines.suffix(50).map(\.id))
            let status = try await session.node.perform(ShowSyncStatus())
            #expect(status.progress == nil && status.caughtUpAt != nil)
            #expect(status.peers.map(\.gained) == [500])
            await session.close()
        }
    }

    @Test func withNobodyThereItSaysSo() async throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let (session, configuration) = try session(folder, Identity.generate())
        #expect(await session.sync(configuration, atMost: .milliseconds(200)) { _ in } == .nobodyThere)
        await session.close()
    }

    @Test func whoOnlyHandsOverComparesNothing() async throws {
        let host = try await Chatter(try Home("alice"))
        _ = try await host.store.insert(ChatRig.lines(50, by: Identity.generate()), at: Clocks.machine())
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        var (session, configuration) = try session(folder, Identity.generate())
        let place = try Coordinate.park()
        _ = try await session.node.perform(NewPost(text: "water", at: place))
        try await host.run {
            configuration.given = [PeerAddress(host: "127.0.0.1", port: await host.node.me.port)]
            #expect(await session.handOver(configuration, atMost: .seconds(3_600)) == .taken)
            try await eventually("the post is there") { try await host.count() == 52 }
            let status = try await session.node.perform(ShowSyncStatus())
            #expect(status.groups.first { $0.name == "chat" }?.records == 0 && status.peers.isEmpty)
            await session.close()
        }
    }
}
