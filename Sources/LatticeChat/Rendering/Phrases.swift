import LatticeAPI
import LatticeCore

/// The sentences of the chat, shared by terminal and pipe.
enum Phrases {
    static let late = "(late)"

    static func status(_ item: ChatItem) -> [String] {
        switch item {
        case .lineChanged(let change, let shown, _, let interest):
            [changed(change.kind, change.emoji, Changed(change), shown, interest)]
        case .privateMessageChanged(let change, let shown, let interest):
            [changed(change.kind, change.emoji, Changed(change, shown), shown, interest)]
        case .pins(let pins, let shown): PinPhrases.all(pins, shown)
        case .pinned(let change, let shown, let isCurrentRoom):
            [PinPhrases.changed(change, shown, isCurrentRoom: isCurrentRoom)]
        case .message, .past, .sync, .reply, .privateMessage, .privateState: []
        case .privateOutcome(let outcome): [PrivatePhrases.outcome(outcome)]
        case .ready(let me, _): [ready(me)]
        case .peer(let change, let shown, let isNews): isNews ? peer(change, shown) : []
        case .presence(let change, let shown, let was, let isNews): isNews ? presence(change, shown, was) : []
        case .invitation(_, let shown, let context): [invitation(shown, context)]
        case .notice(let notice): [DisplayText.safe(notice.words)]
        case .error(_, let text): [DisplayText.safe(text)]
        case .posted(let item, let shown): [ItemPhrases.posted(item, shown)]
        case .notification(let one, let shown): [NotificationLines.line(one, shown)]
        case .manyNotifications(let count): [NotificationLines.many(count)]
        case .day(let text): [text]
        case .earlier(let count, let call): [SyncPhrases.earlier(count, call)]
        case .latePosts(let count): [SyncPhrases.latePosts(count)]
        case .caughtUp(let progress): [SyncPhrases.caughtUp(progress)]
        case .nameClash(_, let text): [text]
        case .renamed(let peer, let was, let name): [renamed(peer, was, name)]
        case .me(_, let changes): changes.map(\.text)
        case .missed(let count): ["\(count) events came too fast and are not shown"]
        }
    }

    // MARK: - Lines

    static let deleted = "deleted by its author"

    /// Whose line another one answers.
    static func answered(_ reply: LineReference) -> String {
        reply.name.map { DisplayText.isolated($0.withoutMarks) } ?? "an earlier line"
    }

    /// The line that another one answers, in one row.
    static func answer(_ reply: LineReference) -> String {
        guard let text = reply.text else { return answered(reply) }
        return "\(answered(reply)): \(text.isEmpty ? deleted : MessageText.line(text))"
    }

    /// `👍 2 ❤` in as many parts as there are emoji; empty without any.
    static func reactions(_ reactions: [LineReaction]) -> [String] {
        guard !reactions.isEmpty else { return [] }
        let shown = reactions.prefix(reactionsMax).map {
            $0.by.count > 1 ? "\($0.emoji) \($0.by.count)" : $0.emoji
        }
        return [shown.joined(separator: " ")]
    }

    private static let reactionsMax = 12

    /// A line that was changed: whose it is, and what it says now.
    private struct Changed {
        let author: String
        let text: String
        let beginning: String

        init(_ change: LineChange) {
            author = DisplayText.isolated(change.line.name.withoutMarks) + "'s"
            text = change.line.text
            beginning = LineReference(change.line).text ?? ""
        }

        init(_ change: PrivateMessageChange, _ shown: String) {
            let message = change.message
            author = message.isMine ? "your" : "\(shown)'s"
            text = message.text
            beginning =
                message.record.map { LineReference($0, from: message.peer, name: nil, text: message.text).text ?? "" }
                ?? ""
        }
    }

    private static func changed(
        _ kind: LineChange.Kind, _ emoji: String?, _ line: Changed, _ shown: String,
        _ interest: ChatItem.LineInterest
    ) -> String {
        let who = interest == .myAct ? "you" : shown
        let whose = interest == .myLine ? "your" : line.author
        let what = MessageText.line(line.beginning)
        return switch kind {
        case .edited: "\(who) edited a line: \(MessageText.line(line.text))"
        case .deleted: "\(who) deleted a line"
        case .reacted: "\(who) gave \(emoji ?? "") to \(whose) line: \(what)"
        case .unreacted: "\(who) took back \(emoji ?? "") from \(whose) line: \(what)"
        }
    }

    private static func renamed(_ peer: PeerID, _ was: PeerName, _ name: PeerName) -> String {
        let names = [was, name].map { DisplayText.isolated($0.withoutMarks) }
        return "\(names[0])#\(peer.short) is now called \(names[1])"
    }

    private static func ready(_ me: Me) -> String {
        let rooms = me.rooms.map { RoomLines.name($0, isPrivate: me.privateRooms.contains($0)) }.joined(separator: " ")
        let name = DisplayText.isolated(me.name.text)
        let mesh = "\(me.isClosed ? "closed mesh" : "mesh") \(DisplayText.isolated(me.mesh.text))"
        return "you are \(name)#\(me.id.short) in \(rooms), \(mesh), port \(me.port), discovery \(me.discovery)"
    }

    static let firstHint = "Type to talk. /help for commands, /quit to leave."

    /// My name, rooms and mesh, and how many people are here.
    static func welcome(_ me: Me, others: Int) -> [String] {
        let rooms = me.rooms.map { RoomLines.name($0, isPrivate: me.privateRooms.contains($0)) }.joined(separator: " ")
        let name = DisplayText.isolated(me.name.text)
        let mesh = DisplayText.isolated(me.mesh.text)
        let isUsual = me.mesh.text == "lattice" && !me.isClosed
        let kind = me.isClosed ? ["closed mesh \(mesh)"] : isUsual ? [] : ["mesh \(mesh)"]
        return ["lattice", rooms.isEmpty ? name : "\(name) in \(rooms)"] + kind
            + [others == 0 ? "nobody else here yet" : "\(others + 1) people here"]
    }

    private static func peer(_ change: PeerChange, _ shown: String) -> [String] {
        switch change.state {
        case .connecting: []  // One of the other states follows in a moment.
        case .connected: ["\(shown) is connected"]
        case .notConnected: ["\(shown) is not connected: \(DisplayText.safe(change.reason?.words ?? "they left"))"]
        }
    }

    private static func presence(_ change: PresenceChange, _ shown: String, _ was: String?) -> [String] {
        if !change.isHere { return ["\(shown) is gone"] }
        if let was { return was == shown ? [] : ["\(was) is now \(shown)"] }
        if change.hops == 0 { return ["\(shown) is here, on this node"] }
        // One hop away means through a neighbour's node; a neighbour itself is reported by its link.
        return ["\(shown) is here, \(hops(change.hops)) away"]
    }

    private static func invitation(_ shown: String, _ context: [UInt8]) -> String {
        let said = DisplayText.isolated(String(decoding: context, as: UTF8.self))
        let words = said.isEmpty ? "" : " (\(said))"
        return "\(shown) wants to connect to you\(words). Type /accept \(shown) or /refuse \(shown)."
    }

    static func reply(_ reply: ChatItem.Reply) -> [String] {
        switch reply {
        case .text(let text): [text]
        case .help(let lines): lines
        case .peers(let peers, let shown): PeerTable.lines(peers, shown)
        case .names(let room, let names, let states):
            ["\(room.text): \(names.isEmpty ? "nobody else" : self.names(names, states))"]
        case .rooms(let rooms): rooms.lines(columns: nil)
        case .whois(let peer, let shown): PeerTable.details(peer, shown)
        case .ping(_, let shown, let probe):
            ["\(shown) answered in \(milliseconds(probe.roundTrip)) over \(hops(probe.path.count - 1))"]
        case .trace(_, _, let probe, let path):
            [
                "\(path.joined(separator: " → ")): \(hops(path.count - 1)), \(milliseconds(probe.roundTrip)) there and back"
            ]
        case .output(let output): output.lines + output.remarks
        case .stats(let stats): StatsLines.lines(stats)
        case .members(let room, let members, let shown): RoomLines.members(room, members, shown)
        }
    }

    /// What a reader may type about the file that a line shares.
    static func file(_ text: String, _ number: Int) -> String {
        PhotoPhrases.isPicture(text) ? " /view \(number)" : " /get \(number)"
    }

    /// `alice, bob (away: at lunch)`.
    private static func names(_ names: [String], _ states: [PersonState]) -> String {
        let words = Dictionary(states.map { ($0.name, $0.words) }) { first, _ in first }
        return names.map { name in
            guard let words = words[name] ?? nil else { return name }
            return "\(name) (\(words))"
        }.joined(separator: ", ")
    }

    static func hops(_ count: Int) -> String {
        count == 1 ? "1 hop" : "\(count) hops"
    }

    static func milliseconds(_ duration: Duration) -> String {
        let tenths = (duration.milliseconds * 10).rounded() / 10
        return "\(tenths) ms"
    }
}
