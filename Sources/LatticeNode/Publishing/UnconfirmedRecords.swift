import LatticeCore
import LatticeMesh
import LatticeWire

/// Own records given to the mesh, until a neighbour confirms them.
struct UnconfirmedRecords {
    /// Records of one persona given to the mesh at a time. The mesh's own outbox holds a thousand.
    static let handedOverMax = 256
    /// Records that fronts show as waiting: these, and lines waiting in the mesh.
    private static let shownMax = handedOverMax + MeshLimit.outboxWaitingMax

    /// Authors of records in the store's outbox table.
    private var authors: [RecordID: PeerID] = [:]
    private var counts: [PeerID: Int] = [:]
    /// Authors of records that fronts show as waiting.
    private var shown: [RecordID: PeerID] = [:]
    /// Confirmed, but not yet noted in the store.
    private var confirmed: [RecordID] = []

    func isFull(for author: PeerID) -> Bool { counts[author, default: 0] >= Self.handedOverMax }

    func contains(_ id: RecordID) -> Bool { authors[id] != nil }

    mutating func handedOver(_ record: VerifiedRecord) {
        guard authors.updateValue(record.author, forKey: record.id) == nil else { return }
        counts[record.author, default: 0] += 1
    }

    /// A front shows it as waiting.
    mutating func isShown(_ id: RecordID, by author: PeerID) {
        guard shown.count < Self.shownMax else { return }
        shown[id] = author
    }

    /// A neighbour confirmed these.
    ///
    /// - Returns: those that are not in the store's table, which are lines.
    mutating func confirmed(by neighbour: [RecordID]) -> [RecordID] {
        confirmed += neighbour.filter(contains)
        return neighbour.filter { !contains($0) }
    }

    mutating func takeConfirmed() -> [RecordID] {
        defer { confirmed = [] }
        return confirmed
    }

    /// The store has noted it, or will learn of it after the next start.
    mutating func forget(_ ids: [RecordID]) {
        for id in ids {
            guard let author = authors.removeValue(forKey: id), let count = counts[author] else { continue }
            counts[author] = count > 1 ? count - 1 : nil
        }
    }

    /// - Returns: those that fronts show as waiting, by author.
    mutating func takeShown(_ ids: [RecordID]) -> [PeerID: [RecordID]] {
        var sent: [PeerID: [RecordID]] = [:]
        for id in ids {
            if let author = shown.removeValue(forKey: id) { sent[author, default: []].append(id) }
        }
        return sent
    }
}
