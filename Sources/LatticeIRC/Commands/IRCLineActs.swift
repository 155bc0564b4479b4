import LatticeAPI
import LatticeCore

/// What clients do to lines of rooms and to private messages: answers and emoji as client tags (IRCv3 draft/reply, draft/react), and
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

    /// The line that a message answers; `nil` for the id of something else.
    static func answered(_ message: IRCMessage) -> RecordID? {
        message.tag(reply).flatMap { RecordID(hex: $0) }
    }

    /// Other client tags go nowhere.
    static func tag(_ message: IRCMessage, of id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients) {
        let given = message.tag(react)
        guard let emoji = given ?? message.tag(unreact), let line = answered(message) else { return }
        guard let target = target(message.params.first, .tagmsg, of: id, rooms, into: &clients) else { return }
        clients.ask(
            id, .react(line, emoji, holds: given != nil, room: room(target)),
            then: .messages(.acted(.tagmsg, target: target, line)))
    }

    static func redact(_ params: [String], of id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients) {
        guard params.count > 1 else { return clients.missing(id, IRCVerb.redact.rawValue) }
        guard let target = target(params[0], .redact, of: id, rooms, into: &clients) else { return }
        guard let line = RecordID(hex: params[1]) else {
            return clients.fail(
                id, IRCVerb.redact.rawValue, "UNKNOWN_MSGID", [target, IRCText.named(params[1])],
                trailing: "No line here has this id")
        }
        clients.ask(id, .deleteLine(line, room: room(target)), then: .messages(.acted(.redact, target: target, line)))
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

    /// Something done to a line, as clients hear of it.
    struct Act {
        let kind: LineChange.Kind
        let emoji: String?
        let line: RecordID
        let text: String
        /// The room or the nick of the other.
        let target: String

        init(_ change: LineChange) {
            (kind, emoji, line, text) = (change.kind, change.emoji, change.line.record, change.line.text)
            target = change.line.room.text
        }

        /// - Returns: `nil` if the message has no record yet.
        init?(_ change: PrivateMessageChange, target: String) {
            guard let record = change.message.record else { return nil }
            (kind, emoji, line, text) = (change.kind, change.emoji, record, change.message.text)
            self.target = target
        }
    }

    static func show(
        _ act: Act, by speaker: IRCPerson, to audience: some Collection<ConnectionID>, into clients: inout IRCClients
    ) {
        let others = audience.filter { $0 != speaker.connection || clients.has(.echoMessage, $0) }
        switch act.kind {
        case .reacted, .unreacted:
            guard let emoji = act.emoji else { return }
            var line = clients.line(from: speaker, IRCVerb.tagmsg.rawValue, [act.target])
            line.others = reactionTags(act.line, emoji, holds: act.kind == .reacted)
            clients.spread(line, to: clients.having(.messageTags, others))
        case .deleted:
            let line = clients.line(from: speaker, IRCVerb.redact.rawValue, [act.target, act.line.hex])
            clients.spread(line, to: clients.having(.redaction, Array(audience)))
        case .edited:
            // No capability for edits is settled.
            let line = clients.line(from: speaker, IRCVerb.privmsg.rawValue, [act.target])
            clients.deliver(line.pieces("(edited) \(act.text)", .says), isLate: false, to: others)
        }
    }

    private static func room(_ target: String) -> RoomName? {
        if case .room(let room)? = IRCChannel(named: target) { room } else { nil }
    }

    /// - Returns: the room of this name that the client is in, or the nick of somebody.
    private static func target(
        _ name: String?, _ verb: IRCVerb, of id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients
    ) -> String? {
        guard let name, !name.isEmpty else {
            clients.missing(id, verb.rawValue)
            return nil
        }
        guard IRCChannel.isOne(name) else { return name }
        if case .room(let room)? = IRCChannel(named: name), rooms.isIn(.room(room), id) { return room.text }
        clients.fail(
            id, verb.rawValue, "INVALID_TARGET", [IRCText.named(name)],
            trailing: "The target must be a room that you are in, or a nick")
        return nil
    }
}
