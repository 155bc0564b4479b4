import LatticeAPI
import LatticeConcurrency
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// What stored records changed, and what a peer took.
extension Notifier {
    /// One front's changes to the owner are shown to the others.
    func deliverMe(for node: isolated Node) {
        tell(.me(node.me), for: node)
    }

    /// Our personas wrote these.
    func deliverWritten(_ records: [VerifiedRecord], for node: isolated Node) {
        for item in PlacedItem.all(in: records) { tell(.placed(item), for: node) }
        notifyEffects(of: records, for: node)
    }

    /// These were stored, by us or by others. Fronts hear of their effects when these have been read.
    func notifyEffects(of records: [VerifiedRecord], for node: isolated Node) {
        guard node.archive != nil else { return }
        if !add(records) { tell(.changed(.many), for: node) }
    }

    func deliverRelayed(_ messages: [StoredMessage], for node: isolated Node) {
        for message in messages {
            let person = message.person ?? node.personas.owner.id
            deliver(.privateProgress(PrivateProgress(message)), to: person, for: node)
        }
    }

    /// Reads what stored records changed, beside the loop.
    func run(for node: isolated Node) async {
        while !Task.isCancelled {
            await news.wait()
            let (records, personal) = (takeRecords(), personal.take())
            guard !records.isEmpty || !personal.isEmpty else { continue }
            for item in PlacedItem.all(in: records.filter { !node.mesh.facts.isOwn($0.author) }) {
                tell(.placed(item), for: node)
            }
            for follow in records where follow.kind == .follow {
                node.personas[follow.author]?.archive?.reader.newsScope.forget()
            }
            let urgent = node.ask { mesh in records.map(\.id).filter { mesh.urgency.contains($0) } }
            let work = NewsWork(
                records: records, personal: personal, urgent: Set(urgent), shownPins: pins,
                listeners: node.personas.listening, now: node.clock.now, instant: Clocks.now)
            do {
                let changes = try await work.changes()
                if !changes.isEmpty { tell(.changed(changes), for: node) }
                let lines = try await work.lineChanges()
                for change in lines { deliverChange(change, for: node) }
                for (visit, changes) in try await work.pinChanges() {
                    pins.note(changes)
                    deliver(changes.map { .pinned($0) }, in: visit, for: node)
                }
                for (visit, events) in try await work.events(lines) { deliver(events, in: visit, for: node) }
            } catch {
                node.logger.debug("could not read what changed", metadata: ["error": "\(error)"])
            }
        }
    }
}

extension PersonaReader {
    /// Only items that are here: fronts need not reload what nobody can see.
    func changes(of concerned: Concerned) async throws(StoreError) -> FeedChanges {
        guard !concerned.isMany else { return .many }
        let here = try await store.items.parents(of: concerned.items.map(\.item))
        return FeedChanges(
            items: concerned.items.compactMap { change in
                here[change.item].map { ItemChange(change.item, about: $0, change.kinds) }
            }, people: concerned.people)
    }
}

extension RecordKind {
    /// Whether fronts mark it until a neighbour has it.
    var showsWaiting: Bool {
        switch self {
        case .post, .comment, .event, .place, .sealed: true
        default: false
        }
    }
}
