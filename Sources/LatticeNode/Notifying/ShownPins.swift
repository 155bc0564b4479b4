import LatticeAPI
import LatticeCore
import OrderedCollections

/// Pins of public rooms that were shown to a persona's fronts. Only for these the fronts get an event on removal.
struct ShownPins {
    private static let pinsMax = 4_096

    private struct Key: Hashable {
        let persona: PeerID
        let room: RoomName
        let author: PeerID
    }

    /// The newest is last.
    private var keys: OrderedSet<Key> = []

    mutating func shown(_ pins: [RoomPin], in room: RoomName, to persona: PeerID) {
        for pin in pins { insert(Key(persona: persona, room: room, author: pin.by.id)) }
    }

    /// - Returns: whether fronts get this change.
    mutating func note(_ change: PinChange, for persona: PeerID) -> Bool {
        let key = Key(persona: persona, room: change.room, author: change.by.id)
        guard change.pin != nil else { return keys.remove(key) != nil }
        insert(key)
        return true
    }

    private mutating func insert(_ key: Key) {
        keys.append(key)
        if keys.count > Self.pinsMax { keys.removeFirst(Self.pinsMax / 2) }
    }
}
