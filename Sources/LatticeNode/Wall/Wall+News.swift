import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

// What the node asks of the wall on its own account.
extension Wall {
    /// Follows and the profile live a year and are said again after half of it.
    private static let renewAfter: Int64 = 182 * 86_400_000
    private static let renewedMax = 256

    /// A record that just came, as what is told of it: only what is near, and only where one has said where one is.
    func news(_ id: RecordID, at now: WallTime) async throws(RequestError) -> ItemInfo? {
        guard let position = try await here(),
            let item = try await stored({ () throws(StoreError) in try await store.item(id, at: now) }),
            item.state == .shown, let place = item.place,
            position.distance(to: place.coordinate) <= WallLimit.radius
        else { return nil }
        return try await infos([item], by: try await viewer(at: position))[0]
    }

    /// Says again what is to hold on.
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
