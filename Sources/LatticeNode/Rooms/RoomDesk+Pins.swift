import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

// Pins of private rooms. They are sealed like lines.
extension RoomDesk {
    func pins(
        in room: RoomName, except unheard: Set<PeerID>, at now: WallTime
    ) async throws(RequestError) -> [RoomPin] {
        let found = try await asked { () throws(StoreError) in
            try await store.rooms.pins(in: room, except: unheard, at: now)
        }
        var pins: [RoomPin] = []
        for pin in found {
            let by = RoomEvent.Person(pin.author, pin.name)
            switch pin.pinned {
            case .text(let text): pins.append(RoomPin(by: by, at: pin.date, text: text))
            case .line(let line): pins.append(RoomPin(by: by, at: pin.date, line: try await shown(line)))
            }
        }
        return pins
    }

    /// - Returns: the change for this person's fronts; `nil` if the room shows the same pins.
    func pin(
        _ pinned: SetPin.Pinned, in room: RoomName, as name: PeerName, at now: WallTime
    ) async throws(RequestError) -> PinChange? {
        let body = PinBody(name: name, try PinBody.Pinned(pinned))
        if case .line(let id) = pinned {
            guard let line = try await line(id), line.room == room else { throw .unknownLine }
            guard !line.isDeleted else { throw .lineDeleted }
        }
        for _ in 0..<Self.triesMax {
            let held = try await asked { () throws(StoreError) in try await store.rooms.keys(of: room).first }
            guard let held, let key = ring.key(held) else { throw .keyMissing(room: room) }
            let make = signing(key.seal(SealedText.pin(body).bytes, from: me).body)
            let done = try await asked { () throws(StoreError) in
                try await store.rooms.pin(body, under: held, at: now, make)
            }
            switch done {
            case .changed(let pinned): return try await changes([pinned], except: [], at: now).first
            case .unchanged: return nil
            case .notStored(let outcome):
                try PersonaDesk.check(outcome)
                return nil
            case .keyChanged: continue
            }
        }
        throw .keyChanges(room: room)
    }

    /// The changes for fronts: pins that their rooms show now, and removed pins.
    func changes(
        _ pinned: [RoomLinesEntered.Pinned], except unheard: Set<PeerID>, at now: WallTime
    ) async throws(RequestError) -> [PinChange] {
        var shown: [RoomName: [RoomPin]] = [:]
        var changes: [PinChange] = []
        for one in pinned where !unheard.contains(one.author) {
            if shown[one.room] == nil {
                shown[one.room] = try await pins(in: one.room, except: unheard, at: now)
            }
            let pin = shown[one.room]?.first { $0.by.id == one.author }
            guard pin != nil || !one.holds else { continue }
            changes.append(PinChange(one.room, by: RoomEvent.Person(one.author, one.name), pin))
        }
        return changes
    }
}
