import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Change reports for fronts, and reports that waiting items were received by a peer.
extension Node {
    /// Own records of the store reported at a time; after a report of more, fronts reload everything anyway.
    private static let ownTellMax = 256

    /// Reports what records that were just stored change: posts, comments, events and people.
    func tellChanges(by records: some Sequence<VerifiedRecord>, on wall: Wall) async {
        let concerned = Concerned(by: records)
        do {
            let changes = try await wall.changes(of: concerned)
            if !changes.isEmpty { tell(.changed(changes)) }
        } catch {
            logger.debug("could not read what changed", metadata: ["error": "\(error)"])
        }
    }

    /// Reports what this person wrote since the last call, by any front or process.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    func tellOwn(on wall: Wall) async throws(StoreError) -> Bool {
        let waiting = try await wall.store.waiting(limit: Self.ownTellMax, after: lastOwnTold)
        var records: [VerifiedRecord] = []
        // Another call may have reported the same during the query.
        for (seq, signed) in waiting where seq > lastOwnTold ?? .min {
            lastOwnTold = seq
            do {
                records.append(try verifier.verify(signed))
            } catch {
                continue  // The handover reports the error.
            }
        }
        guard !records.isEmpty else { return false }
        await tellWritten(records, on: wall)
        return true
    }

    /// Reports what a persona wrote at this node.
    func tellWritten(_ records: [VerifiedRecord], on wall: Wall) async {
        for item in Wall.placed(records) { tell(.placed(item)) }
        await tellChanges(by: records, on: wall)
    }

    // MARK: - What waited

    /// A neighbour has these.
    func tellSent(_ ids: [RecordID]) {
        for (author, sent) in outbox.takeShown(ids) {
            var sent = sent[...]
            while !sent.isEmpty {
                deliver(.sent(Array(sent.prefix(WallChanges.eachMax))), to: author)
                sent = sent.dropFirst(WallChanges.eachMax)
            }
        }
    }
}

extension Wall {
    /// Only items that are here: fronts need not reload what nobody can see.
    func changes(of concerned: Concerned) async throws(StoreError) -> WallChanges {
        guard !concerned.isMany else { return .many }
        let here = try await store.parents(of: concerned.items.map(\.item))
        return WallChanges(
            items: concerned.items.compactMap { change in
                here[change.item].map { ItemChange(change.item, about: $0, change.kinds) }
            }, people: concerned.people)
    }
}

extension RecordKind {
    /// Whether fronts mark it until a neighbour has it.
    var showsWaiting: Bool {
        switch self {
        case .post, .comment, .event, .sealed: true
        default: false
        }
    }
}
