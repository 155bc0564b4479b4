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
        guard let wall else { return }
        while !Task.isCancelled {
            await notifier.news.wait()
            let records = notifier.takeRecords()
            guard !records.isEmpty else { continue }
            await tellChanges(by: records, in: wall.reader)
            await tellNews(among: records, in: wall.reader)
        }
    }

    /// Posts, comments, events and people that these records changed.
    private func tellChanges(by records: [VerifiedRecord], in reader: PersonaReader) async {
        do {
            let changes = try await reader.changes(of: Concerned(by: records))
            if !changes.isEmpty { tell(.changed(changes)) }
        } catch {
            logger.debug("could not read what changed", metadata: ["error": "\(error)"])
        }
    }

    /// New posts and events of others.
    private func tellNews(among records: [VerifiedRecord], in reader: PersonaReader) async {
        let items = records.filter { !mesh.facts.isOwn($0.author) && ($0.kind == .post || $0.kind == .event) }
        guard !items.isEmpty else { return }
        for item in PlacedItem.all(in: items) { tell(.placed(item)) }
        do {
            for item in try await reader.news(items, at: clock.now) { tell(.posted(item)) }
        } catch {
            logger.debug("could not read new posts", metadata: ["error": "\(error)"])
        }
    }

    // MARK: - What waited

    /// A neighbour has these.
    func tellSent(_ ids: [RecordID]) {
        for (author, sent) in publisher.outbox.takeShown(ids) {
            var sent = sent[...]
            while !sent.isEmpty {
                deliver(.sent(Array(sent.prefix(WallChanges.eachMax))), to: author)
                sent = sent.dropFirst(WallChanges.eachMax)
            }
        }
    }
}

extension PersonaReader {
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
