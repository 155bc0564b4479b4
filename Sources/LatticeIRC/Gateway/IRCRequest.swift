package import LatticeAPI
package import LatticeCore
package import LatticeGeo

/// A request to the node as a value, so that the effects of a gateway can be compared. The server turns it into the
/// node's own request.
package enum IRCRequest: Hashable, Sendable {
    case say(String, style: SpeechStyle, room: RoomName, audience: Audience? = nil, isNotice: Bool = false)
    case rename(PeerName)
    case join(RoomName)
    case part(RoomName)
    case peers
    case sync
    case history(HistoryQuery)
    case tell(PeerID, String, style: SpeechStyle, isNotice: Bool = false)
    case privateHistory(PeerID, limit: Int)
    case conversations
    case stats
    indirect case wall(Wall)
    case known(Known)
    case room(Room)

    package enum Wall: Hashable, Sendable {
        case near(NearQuery)
        case post(NewPost)
        case here
        case place(Coordinate?)
        case timeline(PageRequest)
        case activity(PageRequest)
        case like(ItemReference, Bool)
        case attend(ItemReference, Bool)
        case comment(ItemReference, String)
        case follow(PeerReference, Bool)
    }

    package enum Known: Hashable, Sendable {
        case list
        case find(PeerReference)
        case safetyNumber(PeerReference)
        case verify(PeerReference, Bool)
        case ignore(PeerReference, Bool)
        case block(PeerReference, Bool)
    }

    /// Requests about private rooms.
    package enum Room: Hashable, Sendable {
        case list
        case enter(RoomName, key: TypedKey?)
        case create(RoomName)
        case key(RoomName)
        case invite(PeerID, name: PeerName?, RoomName)
        case remove(PeerID, RoomName)
        case members(RoomName)
        case forget(RoomName)
    }
}

/// The node's reply.
package enum IRCReply: Hashable, Sendable {
    case done
    case said(RecordID, isWaiting: Bool, unkept: StoreFault? = nil, at: WallTime? = nil)
    case peers([PeerInfo])
    case history(HistoryPage)
    indirect case told(PrivateMessage)
    case privateHistory([PrivateMessage])
    case stats(NodeStats)
    indirect case wall(Wall)
    indirect case known(Known)
    case room(Room)

    package enum Wall: Hashable, Sendable {
        case page(ItemPage)
        case item(ItemInfo)
        case here(Coordinate?)
        case activity(ActivityPage)
        case person(PersonInfo)
    }

    package enum Known: Hashable, Sendable {
        case people([KnownPerson])
        case person(KnownPerson)
        case safetyNumber(SafetyNumberInfo)
    }

    package enum Room: Hashable, Sendable {
        case done
        case rooms([RoomName])
        /// `nil` if there is no such room.
        case entered([RoomMember]?)
        case key(String)
        case members([RoomMember])
    }
}
