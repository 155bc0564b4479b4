import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh

/// Private rooms, each persona's own.
enum RoomHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(
            ListPrivateRooms.self,
            { _, persona, _ throws(RequestError) in .init(try await persona.storedWall().rooms.all()) },
            withoutNode: { store, _ throws(RequestError) in .init(try await store.wall.rooms.all()) })
        table.onPersona(EnterPrivateRoom.self) { node, persona, request throws(RequestError) in
            // Without a store nobody holds a key.
            guard persona.wall != nil || request.key != nil || persona.isOwner else {
                try persona.privacy.check(request.room)
                return EnteredRoom(nil)
            }
            let persona = try persona.checked(request.room)
            return EnteredRoom(try await node.rooms.enter(request.room, request.key, as: persona, for: node))
        }
        table.onPersona(CreatePrivateRoom.self) { node, persona, request throws(RequestError) in
            let persona = try persona.checked(request.room)
            try await persona.storedWall().rooms.create(request.room, as: persona.name, at: node.clock.now)
            return EnteredRoom(try await node.rooms.entered(request.room, as: persona, for: node))
        }
        table.onPersona(ShowRoomKey.self) { _, persona, request throws(RequestError) in
            .init(try await persona.storedWall().rooms.key(of: request.room))
        }
        table.onPersona(ListRoomMembers.self) { node, persona, request throws(RequestError) in
            .init(try await node.rooms.members(of: request.room, as: persona, for: node))
        }
        table.onPersona(InviteToRoom.self) { node, persona, request throws(RequestError) in
            let (wall, peer) = (try persona.storedWall(), try await node.peer(request.peer, for: persona))
            try await wall.rooms.invite(peer, request.name, to: request.room, at: node.clock.now)
            await node.wrote(persona.id)
            return Done()
        }
        table.onPersona(RemoveFromRoom.self) { node, persona, request throws(RequestError) in
            let (wall, peer) = (try persona.storedWall(), try await node.peer(request.peer, for: persona))
            try await wall.rooms.remove(peer, from: request.room, at: node.clock.now)
            await node.wrote(persona.id)
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
        _ = try storedWall()
        try privacy.check(room)
        return self
    }
}
