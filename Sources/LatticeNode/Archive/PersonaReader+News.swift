import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeMesh
import LatticeStore
import LatticeWire

// What a persona is notified of.
extension PersonaReader {
    /// Whether something that the persona writes now is urgent for others.
    func mayBeUrgent(at now: WallTime) async throws(RequestError) -> Bool {
        let since = Urgency.dayBefore(now)
        return try await stored { () throws(StoreError) in try await store.urgent.countOfOwn(since: since) }
            < MeshLimit.urgentMax
    }

    /// The new posts and events to notify of: those near the persona's place, and those of people it follows.
    ///
    /// - Parameter instant: the same moment as `now`.
    /// - Returns: also whom the persona follows.
    func news(
        _ records: [VerifiedRecord], at now: WallTime, _ instant: Instant
    ) async throws(RequestError) -> (items: [ItemInfo], followed: Set<PeerID>) {
        let setting = placeSetting
        let scope = try await stored { () throws(StoreError) in
            try newsScope.value(at: instant) { () throws(StoreError) in
                try store.snapshot { NewsScope.Value(followed: try $0.followed(), place: try setting.place(in: $0)) }
            }
        }
        let (followed, position) = (scope.followed, scope.place)
        func concerns(_ author: PeerID, _ place: Coordinate?) -> Bool {
            guard author != me else { return false }
            if followed.contains(author) { return true }
            guard let position, let place else { return false }
            return position.distance(to: place) <= PostLimit.radius
        }
        var shown: [StoredItem] = []
        for record in records where concerns(record.author, record.record.coordinate) {
            let item = try await stored { () throws(StoreError) in try await store.items.item(record.id, at: now) }
            // An edit may have arrived first and moved it.
            guard let item, item.state == .shown, concerns(item.author, item.place?.coordinate) else { continue }
            shown.append(item)
        }
        guard !shown.isEmpty else { return ([], []) }
        let viewer = Viewer(
            me: me, followed: followed, position: position, radius: PostLimit.radius, isStrict: false)
        return (try await infos(shown, by: viewer), followed)
    }
}

extension PlacedItem {
    /// Posts, events and places among these.
    static func all(in records: some Sequence<VerifiedRecord>) -> [PlacedItem] {
        records.compactMap { record in
            record.record.coordinate.map { PlacedItem(item: record.id, place: $0) }
        }
    }
}

extension Record {
    /// Where a post, event or place is; `nil` if the body is malformed or of another kind.
    fileprivate var coordinate: Coordinate? {
        do {
            switch kind {
            case .post: return try PostBody(decoding: body).place.coordinate
            case .event: return try EventBody(decoding: body).place.coordinate
            case .place: return try PlaceBody(decoding: body).coordinate
            default: return nil
            }
        } catch {
            return nil
        }
    }
}
