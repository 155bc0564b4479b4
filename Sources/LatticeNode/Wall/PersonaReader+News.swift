import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

// Which new posts and events a persona is notified of.
extension PersonaReader {
    /// The new posts and events to notify of: only those nearby, and only if this person has set a place.
    func news(_ records: [VerifiedRecord], at now: WallTime) async throws(RequestError) -> [ItemInfo] {
        guard let position = try await here() else { return [] }
        let near = records.filter { record in
            record.record.coordinate.map { position.distance(to: $0) <= WallLimit.radius } ?? false
        }
        guard !near.isEmpty else { return [] }
        var shown: [StoredItem] = []
        for record in near {
            let item = try await stored { () throws(StoreError) in try await store.item(record.id, at: now) }
            // An edit may have arrived first and moved it.
            guard let item, item.state == .shown, let place = item.place else { continue }
            if position.distance(to: place.coordinate) <= WallLimit.radius { shown.append(item) }
        }
        return try await infos(shown, by: try await viewer(at: position))
    }
}

extension PlacedItem {
    /// Posts and events among these.
    static func all(in records: some Sequence<VerifiedRecord>) -> [PlacedItem] {
        records.compactMap { record in
            record.record.coordinate.map { PlacedItem(item: record.id, place: $0) }
        }
    }
}

extension Record {
    /// The place of a post or event; `nil` if the body is malformed or of another kind.
    fileprivate var coordinate: Coordinate? {
        do {
            switch kind {
            case .post: return try PostBody(decoding: body).place.coordinate
            case .event: return try EventBody(decoding: body).place.coordinate
            default: return nil
            }
        } catch {
            return nil
        }
    }
}
