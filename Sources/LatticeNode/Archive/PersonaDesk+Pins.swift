import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

// Pins of public rooms.
extension PersonaDesk {
    /// Also for a record that removes a pin: if it expired earlier, an older pin could return.
    static let pinSeconds: UInt32 = 30 * 86_400

    /// The same pin again is pinned anew: it comes first, and lasts 30 days from now.
    func pin(_ pinned: SetPin.Pinned, in room: RoomName, at now: WallTime) async throws(RequestError) {
        let topic = Array(room.text.utf8)
        let new = try PinBody.Pinned(pinned)
        if new == .nothing {
            let current = try await stored { () throws(StoreError) in
                try await archive.store.pins.own(in: topic, at: now)
            }
            guard current != nil else { return }
        }
        if case .line(let id) = new {
            let line = try await reader.line(id, at: now).message
            guard line.room == room else { throw .unknownLine }
            guard !line.isDeleted else { throw .lineDeleted }
        }
        let body = PinBody(name: try await reader.authorName(), new).body
        try await publish(.pin, topic: topic, body: body, lifetime: Self.pinSeconds, at: now)
    }
}

extension PinBody.Pinned {
    init(_ pinned: SetPin.Pinned) throws(RequestError) {
        switch pinned {
        case .nothing: self = .nothing
        case .line(let line): self = .line(line)
        case .text(let text):
            guard text.utf8.count <= PinBody.textBytesMax else {
                throw .lineTooLong(bytes: text.utf8.count, max: PinBody.textBytesMax)
            }
            try SpokenText.check(text)
            self = .text(text)
        }
    }
}

extension PersonaReader {
    /// The pins that a room shows. A private room hides the public room with the same name.
    func pins(
        in room: RoomName, except unheard: Set<PeerID>, at now: WallTime
    ) async throws(RequestError) -> RoomPins {
        let privateRooms = try await stored { () throws(StoreError) in try await store.rooms.names() }
        if privateRooms.contains(room) {
            return RoomPins(room, try await rooms.pins(in: room, except: unheard, at: now), isPrivate: true)
        }
        let found = try await stored { () throws(StoreError) in
            try await store.pins.newest(in: Array(room.text.utf8), except: unheard, at: now)
        }
        return RoomPins(room, try await shown(found, at: now))
    }

    func newestPins(
        _ limit: Int, in room: RoomName, at now: WallTime
    ) async throws(RequestError) -> [StoredPin<StoredLine>] {
        try await stored { () throws(StoreError) in
            try await store.pins.newest(limit, in: Array(room.text.utf8), at: now)
        }
    }

    func shown(_ found: [StoredPin<StoredLine>], at now: WallTime) async throws(RequestError) -> [RoomPin] {
        var pins: [RoomPin] = []
        for pin in found {
            let by = RoomEvent.Person(pin.author, pin.name)
            switch pin.pinned {
            case .text(let text): pins.append(RoomPin(by: by, at: pin.date, text: text))
            case .line(let line):
                guard let line = try await messages([line], at: now).first else { continue }
                pins.append(RoomPin(by: by, at: pin.date, line: line))
            }
        }
        return pins
    }
}
