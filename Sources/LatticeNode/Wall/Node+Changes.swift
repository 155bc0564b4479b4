import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Word of what is another now, for fronts that show it, and of what somebody has that waited.
extension Node {
    /// Own records of the store that are told of at a time; told of more, whoever listens asks for everything anyway.
    private static let ownTellMax = 256

    /// These were kept just now: which posts, comments, events and people are others by that.
    func tellChanges(by records: some Sequence<VerifiedRecord>, on wall: Wall) async {
        let concerned = Concerned(by: records)
        do {
            let changes = try await wall.changes(of: concerned)
            if !changes.isEmpty { tell(.changed(changes)) }
        } catch {
            logger.debug("could not read what changed", metadata: ["error": "\(error)"])
        }
    }

    /// What this person wrote, by whichever front or process, since this was asked last.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    func tellOwn(on wall: Wall) async throws(StoreError) -> Bool {
        let waiting = try await wall.store.waiting(limit: Self.ownTellMax, after: lastOwnTold)
        var records: [VerifiedRecord] = []
        // While the store was asked, somebody else may have told of the same.
        for (seq, signed) in waiting where seq > lastOwnTold ?? .min {
            lastOwnTold = seq
            do {
                records.append(try verifier.verify(signed))
            } catch {
                continue  // Whoever hands it over says so.
            }
        }
        guard !records.isEmpty else { return false }
        await tellWritten(records, on: wall)
        return true
    }

    /// What somebody wrote at this node.
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
    /// Of those that are here: what nobody can see need not be asked for anew.
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
    /// Whether it is shown with a mark while nobody has it.
    var showsWaiting: Bool {
        switch self {
        case .post, .comment, .event, .sealed: true
        default: false
        }
    }
}
