import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

@testable import LatticeNode

extension Chatter {
    func tell(_ text: String, _ other: Home) async throws -> PrivateMessage {
        let message = try await node.perform(SendPrivateMessage(PeerReference(other.identity.peer), text, style: .says))
        return message
    }

    func privateHistory(_ other: Home) async throws -> [PrivateMessage] {
        let lines = try await node.perform(
            ListPrivateMessages(PeerReference(other.identity.peer), limit: 100)
        ).messages
        return lines
    }

    /// The private messages it received, in order.
    var messages: [PrivateMessage] {
        events.compactMap { if case .privateMessage(let message) = $0 { message } else { nil } }
    }

    func states(of number: Int64) -> [PrivateState] {
        events.compactMap {
            if case .privateProgress(let progress) = $0, progress.number == number { progress.state } else { nil }
        }
    }

    var isCaughtUp: Bool {
        events.contains { if case .sync(let progress) = $0 { progress.isCaughtUp } else { false } }
    }

    func hasKeys(of other: Home) async throws -> Bool {
        try await store.prekeys.published(by: other.identity.peer, at: Clocks.machine()) != nil
    }
}

extension Home {
    /// Everything of the other's outbox comes here.
    func takes(from other: Home, _ own: Store, _ others: Store) async throws {
        let records = try await others.outbox.waiting(limit: 1_000, after: nil).map {
            try RecordVerifier.verify($0.record)
        }
        _ = try await own.insert(records, at: Clocks.machine())
    }

    /// Whether these bytes stand anywhere in the store's files.
    func holds(_ bytes: [UInt8]) throws -> Bool {
        try ["", "-wal"].contains { suffix in
            let file = URL(filePath: path + suffix)
            guard FileManager.default.fileExists(atPath: file.path) else { return false }
            return try Data(contentsOf: file).range(of: Data(bytes)) != nil
        }
    }
}

extension Store {
    /// The number of stored private messages, for anybody.
    func sealedCount() async throws -> Int {
        try await upkeep.stats(at: Clocks.machine()).kinds.first { $0.kind == RecordKind.sealed.rawValue }?.records ?? 0
    }
}
