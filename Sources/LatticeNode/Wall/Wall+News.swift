import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

// What the node itself needs from the wall.
extension Wall {
    /// Follows and the profile live a year and are renewed after half of it.
    private static let renewAfter: Int64 = 182 * 86_400_000
    private static let renewedMax = 256

    /// The new posts and events to notify of: only those nearby, and only if this person has set a place.
    func news(_ records: [VerifiedRecord], at now: WallTime) async throws(RequestError) -> [ItemInfo] {
        guard let position = try await here() else { return [] }
        let near = records.filter { record in
            Self.coordinate(of: record.record).map { position.distance(to: $0) <= WallLimit.radius } ?? false
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

    /// Places of posts and events.
    static func placed(_ records: [VerifiedRecord]) -> [PlacedItem] {
        records.compactMap { record in
            coordinate(of: record.record).map { PlacedItem(item: record.id, place: $0) }
        }
    }

    /// Its place; `nil` if the body is malformed or of another kind.
    private static func coordinate(of record: Record) -> Coordinate? {
        do {
            switch record.kind {
            case .post: return try PostBody(decoding: record.body).place.coordinate
            case .event: return try EventBody(decoding: record.body).place.coordinate
            default: return nil
            }
        } catch {
            return nil
        }
    }

    /// Renews records that should stay valid.
    func renew(at now: WallTime) async throws(RequestError) {
        let limit = WallTime(milliseconds: now.milliseconds - Self.renewAfter)
        let old = try await stored { () throws(StoreError) in
            try await store.ownReplaceable(olderThan: limit, limit: Self.renewedMax)
        }
        for record in old.map(\.record) {
            try await publish(
                record.kind, topic: record.topic, body: record.body, lifetime: record.lifetimeSeconds, at: now)
        }
    }
}
