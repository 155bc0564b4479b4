import LatticeAPI
import LatticeCore

enum PinHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(
            ListPins.self,
            { node, persona, request throws(RequestError) in
                try await pins(in: request.room, of: persona, on: node)
            },
            withoutNode: { store, request throws(RequestError) in
                let now = await store.time()
                let unheard = try store.contactMarks().unheard
                return try await store.archive.reader.pins(in: request.room, except: unheard, at: now)
            })
        table.onPersona(SetPin.self) { node, persona, request throws(RequestError) in
            let room = request.room
            if persona.privacy.isPrivate(room) {
                let desk = try persona.storedArchive().rooms
                let change = try await desk.pin(request.pinned, in: room, as: persona.name, at: node.clock.now)
                if let change { node.notifier.deliver([.pinned(change)], in: persona.visit, for: node) }
            } else {
                try persona.privacy.check(room)
                guard !persona.privacy.isForgotten(room) else { throw .leftPrivateRoom(room: room) }
                let desk = try node.publisher.desk(of: persona, for: node)
                try await desk.pin(request.pinned, in: room, at: node.clock.now)
            }
            await node.publisher.wrote(persona.id, for: node)
            return try await pins(in: room, of: persona, on: node)
        }
    }

    private static func pins(
        in room: RoomName, of persona: Persona, on node: isolated Node
    ) async throws(RequestError) -> RoomPins {
        let reader = try persona.storedArchive().reader
        let pins = try await reader.pins(in: room, except: persona.contactMarks.unheard, at: node.clock.now)
        if !pins.isPrivate { node.notifier.pins.shown(pins.pins, in: room) }
        return pins
    }
}
