import LatticeAPI
import LatticeCore
import OrderedCollections

/// Authors whose pins of public rooms were shown to some front. Only for these the fronts get an event on removal.
struct ShownPins: Sendable {
    private static let pinsMax = 4_096

    private struct Key: Hashable {
        let room: RoomName
        let author: PeerID
    }

    /// The one that was shown last is last.
    private var keys: OrderedSet<Key> = []

    func contains(_ author: PeerID, in room: RoomName) -> Bool { keys.contains(Key(room: room, author: author)) }

    mutating func shown(_ pins: [RoomPin], in room: RoomName) {
        for pin in pins { insert(Key(room: room, author: pin.by.id)) }
    }

    /// These changes were delivered.
    mutating func note(_ changes: [PinChange]) {
        for change in changes {
            let key = Key(room: change.room, author: change.by.id)
            if change.pin == nil { keys.remove(key) } else { insert(key) }
        }
    }

    private mutating func insert(_ key: Key) {
        keys.remove(key)
        keys.append(key)
        if keys.count > Self.pinsMax { keys.removeFirst(Self.pinsMax / 2) }
    }
}
