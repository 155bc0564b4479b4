package import LatticeAPI
package import LatticeCore

/// Something a person asks for with a slash.
package enum ChatCommand: Hashable, Sendable {
    case help(String?)
    case nick(PeerName)
    case me(String)
    case join(RoomName)
    case part(RoomName?)
    case rooms
    case names(RoomName?)
    /// The last so many lines; `nil` is a screenful.
    case history(RoomName?, Int?)
    case peers
    case whois(String)
    case ping(String)
    case trace(String)
    case sync
    case syncStatus
    case ignore(String?)
    case unignore(String)
    case connect(String)
    case accept(String)
    case refuse(String)
    case clear
    case quit
    /// To whom, and what: a name may hold blanks, so that only who knows the names can tell them apart.
    case tell(String)
    /// With whom to talk from now on; `nil` goes back to the room.
    case query(String?)
    case conversations
    case stats
    case joinPrivate(RoomName, TypedKey)
    case create(RoomName)
    case key(RoomName?)
    case invite(String, RoomName?)
    case remove(String, RoomName?)
    case members(RoomName?)
    case forget(RoomName)
}
