package import LatticeCore

// Private rooms, which only their members read.

package struct ListPrivateRooms: Request {
    package static let name = "room.list"
    package static let replyName = "room.rooms"
    package static let traits: RequestTraits = [.repeatable]

    package init() {}

    package struct Reply: Hashable, Codable, Sendable {
        package let rooms: [RoomName]

        package init(_ rooms: [RoomName]) { self.rooms = rooms }
    }
}

/// Enters a private room: with a key, the room of that key; without one, a room whose key is stored or an invitation holds.
/// If there is no such room, the reply has no members.
package struct EnterPrivateRoom: Request {
    package static let name = "room.enter"
    package static let replyName = "room.entered"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = EnteredRoom

    package let room: RoomName
    @OrNull package private(set) var key: TypedKey?

    package init(_ room: RoomName, key: TypedKey?) {
        self.room = room
        _key = OrNull(wrappedValue: key)
    }
}

package struct CreatePrivateRoom: Request {
    package static let name = "room.create"
    package static let replyName = "room.entered"
    package typealias Reply = EnteredRoom

    package let room: RoomName

    package init(_ room: RoomName) { self.room = room }
}

package struct EnteredRoom: Hashable, Codable, Sendable {
    /// The known members; `nil` if there is no such room.
    @OrNull package private(set) var members: [RoomMember]?

    package init(_ members: [RoomMember]?) {
        _members = OrNull(wrappedValue: members)
    }
}

package struct ShowRoomKey: Request {
    package static let name = "room.key"
    package static let replyName = "room.key"
    package static let traits: RequestTraits = [.repeatable]

    package let room: RoomName

    package init(_ room: RoomName) { self.room = room }

    package struct Reply: Hashable, Codable, Sendable {
        package let key: String

        package init(_ key: String) { self.key = key }
    }
}

/// Sends somebody the key, which lets them enter.
package struct InviteToRoom: Request {
    package static let name = "room.invite"
    package static let replyName = "room.done"
    package typealias Reply = Done

    package let peer: PeerReference
    @OrNull package private(set) var name: PeerName?
    package let room: RoomName

    package init(_ peer: PeerReference, name: PeerName?, _ room: RoomName) {
        self.peer = peer
        _name = OrNull(wrappedValue: name)
        self.room = room
    }
}

/// Makes a new key and sends it to all other members.
package struct RemoveFromRoom: Request {
    package static let name = "room.remove"
    package static let replyName = "room.done"
    package typealias Reply = Done

    package let peer: PeerReference
    package let room: RoomName

    package init(_ peer: PeerReference, _ room: RoomName) {
        (self.peer, self.room) = (peer, room)
    }
}

package struct ListRoomMembers: Request {
    package static let name = "room.members"
    package static let replyName = "room.members"
    package static let traits: RequestTraits = [.repeatable]

    package let room: RoomName

    package init(_ room: RoomName) { self.room = room }

    package struct Reply: Hashable, Codable, Sendable {
        package let members: [RoomMember]

        package init(_ members: [RoomMember]) { self.members = members }
    }
}

/// Leaves for good: the key and the room's lines are deleted here.
package struct ForgetRoom: Request {
    package static let name = "room.forget"
    package static let replyName = "room.done"
    package typealias Reply = Done

    package let room: RoomName

    package init(_ room: RoomName) { self.room = room }
}
