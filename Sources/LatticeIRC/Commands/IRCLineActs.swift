import LatticeAPI
import LatticeCore

/// What clients do to lines of public rooms: answers and emoji as client tags (IRCv3 draft/reply, draft/react), and
/// deletions (IRCv3 draft/message-redaction).
enum IRCLineActs {
    private static let reply = "+draft/reply"
    private static let react = "+draft/react"
    private static let unreact = "+draft/unreact"

    /// Client tags that are not relayed (CLIENTTAGDENY): all but these.
    static let denied = "*," + [reply, react, unreact].map { "-\($0.dropFirst())" }.joined(separator: ",")

    static func replyTag(_ line: RecordID) -> IRCMessage.Tag { IRCMessage.Tag(reply, line.hex) }

    static func reactionTags(_ line: RecordID, _ emoji: String, holds: Bool) -> [IRCMessage.Tag] {
        [IRCMessage.Tag(holds ? react : unreact, emoji), replyTag(line)]
    }

    /// The line that a message answers; `nil` for the id of something else, such as a private message.
    static func answered(_ message: IRCMessage) -> RecordID? {
        message.tag(reply).flatMap { RecordID(hex: $0) }
    }

    /// Other client tags go nowhere.
    static func tag(_ message: IRCMessage, of id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients) {
        let given = message.tag(react)
        guard let emoji = given ?? message.tag(unreact), let line = answered(message) else { return }
        guard let target = room(message.params.first, .tagmsg, of: id, rooms, into: &clients) else { return }
        clients.ask(
            id, .react(line, emoji, holds: given != nil),
            then: .messages(.acted(.tagmsg, target: target.text, line)))
    }

    static func redact(_ params: [String], of id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients) {
        guard params.count > 1 else { return clients.missing(id, IRCVerb.redact.rawValue) }
        guard let target = room(params[0], .redact, of: id, rooms, into: &clients) else { return }
        guard let line = RecordID(hex: params[1]) else {
            return clients.fail(
                id, IRCVerb.redact.rawValue, "UNKNOWN_MSGID", [target.text, IRCText.named(params[1])],
                trailing: "No line here has this id")
        }
        clients.ask(id, .deleteLine(line), then: .messages(.acted(.redact, target: target.text, line)))
    }

    static func failed(
        _ verb: IRCVerb, _ target: String, _ line: RecordID, _ error: RequestError, _ id: ConnectionID,
        into clients: inout IRCClients
    ) {
        let code =
            switch error {
            case .unknownLine: "UNKNOWN_MSGID"
            case .notYourLine: "REDACT_FORBIDDEN"
            case .lineDeleted: "UNKNOWN_MSGID"
            default: "CANNOT_\(verb == .redact ? "REDACT" : "REACT")"
            }
        clients.fail(id, verb.rawValue, code, [target, line.hex], trailing: error.words)
    }

    /// - Returns: the public room of this name that the client is in.
    private static func room(
        _ name: String?, _ verb: IRCVerb, of id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients
    ) -> RoomName? {
        guard let name, !name.isEmpty else {
            clients.missing(id, verb.rawValue)
            return nil
        }
        if IRCChannel.isOne(name), case .room(let room)? = IRCChannel(named: name), rooms.isIn(.room(room), id),
            !rooms.isInPrivate(room, id)
        {
            return room
        }
        clients.fail(
            id, verb.rawValue, "INVALID_TARGET", [IRCText.named(name)],
            trailing: "This works in public rooms that you are in")
        return nil
    }
}
