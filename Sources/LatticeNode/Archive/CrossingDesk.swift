import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

/// What of a persona's may cross bridges.
struct CrossingDesk: Sendable {
    let desk: PersonaDesk

    private var store: Store { desk.archive.store }

    func show(at now: WallTime) async throws(RequestError) -> Crossing {
        let store = store
        let word = try await stored { () throws(StoreError) in try await store.crossings.own(at: now) }
        return Crossing(rooms: word?.body.rooms, at: word?.date, until: word?.expires)
    }

    /// It is never renewed by itself: after a year a person has to allow it again.
    func set(_ request: SetCrossing, at now: WallTime) async throws(RequestError) -> Crossing {
        let (store, rooms) = (store, Set(request.rooms).sorted())
        guard rooms.count <= Crossing.roomsMax else {
            throw .invalid(faults: [.tooManyRooms(max: Crossing.roomsMax)])
        }
        // Everybody can read the record, and would learn the name.
        let privateRooms = try await stored { () throws(StoreError) in try await store.rooms.names() }
        let named = rooms.filter(privateRooms.contains)
        guard named.isEmpty else { throw .invalid(faults: named.map { .privateRoom(room: $0) }) }
        let body = CrossingBody(rooms: request.allows ? rooms : nil)
        try await desk.publish(.crossing, body: body.body, lifetime: PostRules.year, at: now)
        return try await show(at: now)
    }
}
