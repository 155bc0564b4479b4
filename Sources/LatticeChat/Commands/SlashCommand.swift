package import LatticeAPI
package import LatticeCore

package enum SlashCommand: Hashable, Sendable {
    case help(String?)
    case nick(PeerName)
    case me(String)
    case join(RoomName)
    case part(RoomName?)
    case rooms
    case names(RoomName?)
    /// The last lines of a room; `nil` is a screenful.
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
    /// A person and a text, not yet split: names may contain blanks, so splitting needs the list of known names.
    case tell(String)
    /// The person to talk to privately; `nil` goes back to the room.
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
    /// What follows `/reply` and `/react`; a name may stand first, so splitting needs the list of known names.
    case reply(String)
    case urgent(String)
    case react(String)
    /// The number or id of a line, or a text; `nil` lists the pins.
    case pin(String?)
    case unpin
    /// The away text, which may be empty.
    case away(String)
    case back
    /// What would follow `/file`: short forms of its subcommands.
    case file(String)
    case editLine(LineTarget, String)
    case deleteLine(LineTarget)
    /// The last lines with their numbers.
    case lines
    /// Opens the next conversation in which something is unread.
    case next
}
