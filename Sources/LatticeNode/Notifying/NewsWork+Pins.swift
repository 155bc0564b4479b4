import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire
import OrderedCollections

// Changes of pins in public rooms.
extension NewsWork {
    /// Pins of one room that are read to find those that each persona is shown.
    private static let pinsMax = 256
    /// Removals in one room that are announced at a time. Fronts list the pins again after each.
    private static let removalsMax = 16

    private typealias Authors = OrderedDictionary<PeerID, PeerName>

    /// Changes of pins in each persona's public rooms, at most one for each author and room.
    ///
    /// - Returns: changes with the pin if the room shows it now, without a pin if it was shown before.
    func pinChanges() async throws(RequestError) -> [(visit: Persona.Visit, changes: [PinChange])] {
        var authors: OrderedDictionary<RoomName, Authors> = [:]
        for record in records where record.kind == .pin {
            guard let pin = PinRecord(record) else { continue }
            authors[pin.room, default: [:]][record.author] = pin.name
        }
        var all: [Persona.Visit: [PinChange]] = [:]
        for (room, people) in authors {
            let concerned = listeners.filter { $0.rooms.contains(room) && $0.privacy.isPublic(room) }
            guard let reader = concerned.first?.reader else { continue }
            let pins = try await reader.newestPins(Self.pinsMax, in: room, at: now)
            let removed = people.filter { shownPins.contains($0.key, in: room) }
            for listener in concerned {
                let changes = try await changes(of: room, pins, people, removed, for: listener)
                all[listener.visit, default: []] += changes
            }
        }
        return listeners.compactMap { listener in
            all[listener.visit].flatMap { $0.isEmpty ? nil : (listener.visit, $0) }
        }
    }

    private func changes(
        of room: RoomName, _ pins: [StoredPin<StoredLine>], _ people: Authors, _ removed: Authors,
        for listener: Listener
    ) async throws(RequestError) -> [PinChange] {
        let shown = pins.lazy.filter { !listener.unheard.contains($0.author) && !listener.unheard.contains($0.speaker) }
            .prefix(ListPins.shownMax)
        let new = try await listener.reader.shown(shown.filter { people[$0.author] != nil }, at: now)
        let gone = removed.filter { person in
            !listener.unheard.contains(person.key) && !shown.contains { $0.author == person.key }
        }
        return new.reversed().map { PinChange(room, by: $0.by, $0) }
            + gone.elements.prefix(Self.removalsMax).map { author, name in
                PinChange(room, by: RoomEvent.Person(author, name), nil)
            }
    }
}

extension StoredPin<StoredLine> {
    /// Who said the pinned line or text.
    fileprivate var speaker: PeerID {
        switch pinned {
        case .line(let line): line.author
        case .text: author
        }
    }
}

/// The room and the author's name of a pin record.
private struct PinRecord {
    let room: RoomName
    let name: PeerName

    init?(_ record: VerifiedRecord) {
        do {
            name = try PinBody(decoding: record.record.body).name
            guard let text = String(validating: record.record.topic, as: UTF8.self) else { return nil }
            room = try RoomName(text)
            // Another spelling is another topic, which no room has.
            guard room.text == text else { return nil }
        } catch {
            return nil  // The store refuses it.
        }
    }
}
