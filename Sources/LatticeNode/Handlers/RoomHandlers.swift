import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh

/// Private rooms: the owner's, and those that each resident is in for themselves.
enum RoomHandlers {
    static func register(in table: inout HandlerTable) {
        table.on(
            ListPrivateRooms.self,
            owner: { node, _ throws(RequestError) in .init(try await node.storedWall().rooms.all()) },
            resident: { _, person, _ throws(RequestError) in .init(try await person.storedWall().rooms.all()) },
            withoutNode: { store, _ throws(RequestError) in .init(try await store.wall.rooms.all()) })
        registerEntering(in: &table)
        table.on(
            ShowRoomKey.self,
            owner: { node, request throws(RequestError) in
                .init(try await node.storedWall().rooms.key(of: request.room))
            },
            resident: { _, person, request throws(RequestError) in
                .init(try await person.storedWall().rooms.key(of: request.room))
            })
        table.on(
            ListRoomMembers.self,
            owner: { node, request throws(RequestError) in
                .init(try await node.members(of: request.room, try node.storedWall().rooms))
            },
            resident: { node, person, request throws(RequestError) in
                .init(
                    try await node.members(
                        of: request.room, person.identity.peer, try person.storedWall().rooms))
            })
        registerMembership(in: &table)
        table.on(
            ForgetRoom.self,
            owner: { node, request throws(RequestError) in
                try await node.forget(request.room, on: try node.storedWall())
                return Done()
            },
            resident: { node, person, request throws(RequestError) in
                try await node.forget(request.room, person, on: try person.storedWall())
                return Done()
            })
    }

    private static func registerEntering(in table: inout HandlerTable) {
        table.on(
            EnterPrivateRoom.self,
            owner: { node, request throws(RequestError) in
                let wall = try node.storedWall()
                try node.privacy.check(request.room)
                return EnteredRoom(try await node.enter(request.room, request.key, on: wall))
            },
            resident: { node, person, request throws(RequestError) in
                guard let wall = person.wall else {
                    guard request.key == nil else { throw .noStore }
                    // Where nothing is kept nobody holds a key.
                    try person.privacy.check(request.room)
                    return EnteredRoom(nil)
                }
                try person.privacy.check(request.room)
                return EnteredRoom(try await node.enter(request.room, request.key, person, wall.rooms))
            })
        table.on(
            CreatePrivateRoom.self,
            owner: { node, request throws(RequestError) in
                let wall = try node.storedWall()
                try node.privacy.check(request.room)
                try await wall.rooms.create(request.room, as: node.name, at: node.clock.now)
                return EnteredRoom(try await node.entered(request.room, on: wall))
            },
            resident: { node, person, request throws(RequestError) in
                let desk = try person.storedWall().rooms
                try person.privacy.check(request.room)
                try await desk.create(request.room, as: person.name, at: node.clock.now)
                return EnteredRoom(try await node.entered(request.room, person.identity.peer, desk))
            })
    }

    private static func registerMembership(in table: inout HandlerTable) {
        table.on(
            InviteToRoom.self,
            owner: { node, request throws(RequestError) in
                let (wall, peer) = (try node.storedWall(), try await node.peer(request.peer))
                try await wall.rooms.invite(peer, request.name, to: request.room, at: node.clock.now)
                await node.mailWritten(on: wall)
                return Done()
            },
            resident: { node, person, request throws(RequestError) in
                let (wall, peer) = (try person.storedWall(), try node.peer(request.peer, for: person))
                try await wall.rooms.invite(peer, request.name, to: request.room, at: node.clock.now)
                await node.residentWrote(person.identity.peer)
                return Done()
            })
        table.on(
            RemoveFromRoom.self,
            owner: { node, request throws(RequestError) in
                let (wall, peer) = (try node.storedWall(), try await node.peer(request.peer))
                try await wall.rooms.remove(peer, from: request.room, at: node.clock.now)
                await node.mailWritten(on: wall)
                return Done()
            },
            resident: { node, person, request throws(RequestError) in
                let (wall, peer) = (try person.storedWall(), try node.peer(request.peer, for: person))
                try await wall.rooms.remove(peer, from: request.room, at: node.clock.now)
                await node.residentWrote(person.identity.peer)
                return Done()
            })
    }
}

extension Node {
    fileprivate func storedWall() throws(RequestError) -> Wall {
        guard let wall else { throw .noStore }
        return wall
    }
}

extension Residents.Person {
    fileprivate func storedWall() throws(RequestError) -> Wall {
        guard let wall else { throw .noStore }
        return wall
    }
}
