import LatticeAPI
import LatticeCore

/// Private rooms, each persona's own.
enum RoomHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(
            ListPrivateRooms.self,
            { _, persona, _ throws(RequestError) in .init(try await persona.storedArchive().rooms.all()) },
            withoutNode: { store, _ throws(RequestError) in .init(try await store.archive.rooms.all()) })
        table.onPersona(EnterPrivateRoom.self) { node, persona, request throws(RequestError) in
            // Without a store nobody holds a key.
            guard persona.archive != nil || request.key != nil || persona.isOwner else {
                try persona.privacy.check(request.room)
                return EnteredRoom(nil)
            }
            let persona = try persona.checked(request.room)
            return EnteredRoom(try await node.rooms.enter(request.room, request.key, as: persona, for: node))
        }
        table.onPersona(CreatePrivateRoom.self) { node, persona, request throws(RequestError) in
            let persona = try persona.checked(request.room)
            try await persona.storedArchive().rooms.create(request.room, as: persona.name, at: node.clock.now)
            return EnteredRoom(try await node.rooms.entered(request.room, as: persona, for: node))
        }
        table.onPersona(ShowRoomKey.self) { _, persona, request throws(RequestError) in
            .init(try await persona.storedArchive().rooms.key(of: request.room))
        }
        table.onPersona(ListRoomMembers.self) { node, persona, request throws(RequestError) in
            .init(try await node.rooms.members(of: request.room, as: persona, for: node))
        }
        table.onPersona(InviteToRoom.self) { node, persona, request throws(RequestError) in
            let (archive, peer) = (try persona.storedArchive(), try await node.peer(request.peer, for: persona))
            try await archive.rooms.invite(peer, request.name, to: request.room, at: node.clock.now)
            await node.publisher.wrote(persona.id, for: node)
            return Done()
        }
        table.onPersona(RemoveFromRoom.self) { node, persona, request throws(RequestError) in
            let (archive, peer) = (try persona.storedArchive(), try await node.peer(request.peer, for: persona))
            try await archive.rooms.remove(peer, from: request.room, at: node.clock.now)
            await node.publisher.wrote(persona.id, for: node)
            return Done()
        }
        table.onPersona(ForgetRoom.self) { node, persona, request throws(RequestError) in
            try await node.rooms.forget(request.room, as: persona, for: node)
            return Done()
        }
    }
}

extension Persona {
    /// - Throws: if nothing is stored, or it is unknown which rooms are private.
    fileprivate func checked(_ room: RoomName) throws(RequestError) -> Persona {
        _ = try storedArchive()
        try privacy.check(room)
        return self
    }
}
