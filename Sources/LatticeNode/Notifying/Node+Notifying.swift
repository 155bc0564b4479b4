import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Notifies fronts of what stored records changed, and of what a peer took.
extension Node {
    /// Our personas wrote these.
    func tellWritten(_ records: [VerifiedRecord]) {
        for item in PlacedItem.all(in: records) { tell(.placed(item)) }
        tellEffects(of: records)
    }

    /// These were stored, by us or by others. Fronts hear of their effects when these have been read.
    func tellEffects(of records: [VerifiedRecord]) {
        guard wall != nil else { return }
        if !notifier.add(records) { tell(.changed(.many)) }
    }

    /// Reads what stored records changed, beside the loop.
    func announceWhatCame() async {
        while !Task.isCancelled {
            await notifier.news.wait()
            let records = notifier.takeRecords()
            guard !records.isEmpty else { continue }
            for item in PlacedItem.all(in: records.filter { !mesh.facts.isOwn($0.author) }) { tell(.placed(item)) }
            let work = NewsWork(records: records, listeners: personas.listening, now: clock.now)
            do {
                let changes = try await work.changes()
                if !changes.isEmpty { tell(.changed(changes)) }
                for (visit, events) in try await work.events() { deliver(events, in: visit) }
            } catch {
                logger.debug("could not read what changed", metadata: ["error": "\(error)"])
            }
        }
    }
}

extension PersonaReader {
    /// Only items that are here: fronts need not reload what nobody can see.
    func changes(of concerned: Concerned) async throws(StoreError) -> WallChanges {
        guard !concerned.isMany else { return .many }
        let here = try await store.items.parents(of: concerned.items.map(\.item))
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
