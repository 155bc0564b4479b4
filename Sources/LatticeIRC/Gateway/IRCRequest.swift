package import LatticeAPI
package import LatticeCore
package import LatticeGeo

/// A request to the node as a value, so that the effects of a gateway can be compared. The server turns it into the
/// node's own request.
package enum IRCRequest: Hashable, Sendable {
    /// 1 to `SayLines.countMax` lines.
    case say([SayLines.Line], room: RoomName, audience: Audience? = nil)
    /// - Parameter room: the room that the line must be in; `nil` if it must be a private message.
    case react(RecordID, String, holds: Bool, room: RoomName?)
    case deleteLine(RecordID, room: RoomName?)
    case rename(PeerName)
    /// `nil` means back.
    case away(String?)
    case join(RoomName)
    case part(RoomName)
    case peers
    case sync
    case history(HistoryQuery)
    case tell(PeerID, String, style: SpeechStyle, isNotice: Bool = false, replyTo: RecordID? = nil)
    case privateHistory(PeerID, limit: Int)
    case conversations
    case stats
    indirect case posts(Archive)
    case known(Known)
    case room(Room)

    package enum Archive: Hashable, Sendable {
        case near(NearQuery)
        case post(NewPost)
        case here
        case place(Coordinate?)
        /// Sets where they are, by the name of a place.
        case placeNamed(PlaceReference)
        /// Places that have a name.
        case places(PageRequest)
        case timeline(PageRequest)
        case notifications(PageRequest)
        case search(String, PageRequest)
        case notify([NotificationKind], isOn: Bool)
        case dismissUrgent
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

    package enum Room: Hashable, Sendable {
        case list
        case enter(RoomName, key: TypedKey?)
        case create(RoomName)
        case key(RoomName)
        case invite(PeerID, name: PeerName?, RoomName)
        case remove(PeerID, RoomName)
        case members(RoomName)
        case forget(RoomName)
        case pins(RoomName)
        case pin(SetPin.Pinned, RoomName)
    }
}

package enum IRCReply: Hashable, Sendable {
    case done
    /// How many notifications came while the client was away.
    case away(missed: Int)
    /// The outcome of each line, in order.
    case said([SayLines.Outcome])
    case peers([PeerInfo])
    case history(HistoryPage)
    indirect case told(PrivateMessage)
    case privateHistory([PrivateMessage])
    case stats(NodeStats)
    indirect case posts(Archive)
    indirect case known(Known)
    case room(Room)

    package enum Archive: Hashable, Sendable {
        case page(ItemPage)
        case item(ItemInfo)
        case here(Coordinate?)
        case notifications(NotificationPage)
        case found([FoundLine])
        case notify(SwitchNotifications.Reply)
        case dismissed(Int)
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
        case pins([RoomPin])
    }
}
