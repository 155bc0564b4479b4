package import LatticeAPI
package import LatticeCore

/// What `/rooms` lists.
package struct RoomList: Hashable, Sendable {
    /// The joined rooms, then others that are known.
    package var rooms: [Room]
    /// Private conversations, the newest first.
    package var conversations: [Partner]

    package init(rooms: [Room], conversations: [Partner] = []) {
        (self.rooms, self.conversations) = (rooms, conversations)
    }

    package struct Room: Hashable, Sendable {
        package let room: RoomName
        package let isJoined: Bool
        package let isCurrent: Bool
        /// Others in the room now.
        package let people: Int
        package let isPrivate: Bool
        /// `nil` for a room that is not joined, and if the node did not answer.
        package var talk: Talk?

        /// People in it, without this person. Of a private room, only its members are counted.
        var others: Int { isPrivate ? talk?.info.people.map { max(0, $0 - 1) } ?? people : people }

        package init(
            room: RoomName, isJoined: Bool, isCurrent: Bool, people: Int, isPrivate: Bool = false, talk: Talk? = nil
        ) {
            (self.room, self.isJoined, self.isCurrent) = (room, isJoined, isCurrent)
            (self.people, self.isPrivate, self.talk) = (people, isPrivate, talk)
        }
    }

    package struct Partner: Hashable, Sendable {
        package let peer: PeerID
        /// Safe to show.
        package let shown: String
        package let isCurrent: Bool
        package let talk: Talk

        package init(peer: PeerID, shown: String, isCurrent: Bool, talk: Talk) {
            (self.peer, self.shown, self.isCurrent, self.talk) = (peer, shown, isCurrent, talk)
        }
    }

    /// What is unread in a conversation, and its last line.
    package struct Talk: Hashable, Sendable {
        package let info: ConversationInfo
        /// The author of the last line, safe to show; `nil` if it is the partner.
        package let author: String?
        /// `19:02` today, `2026-11-20` before; empty without a line.
        package let when: String

        package init(_ info: ConversationInfo, author: String?, when: String) {
            (self.info, self.author, self.when) = (info, author, when)
        }
    }
}

// MARK: - In the shell

extension RoomList {
    /// - Parameter me: this person.
    package init(_ known: [ConversationInfo], me: PeerID, _ context: CommandContext) {
        let partners = known.map { info in
            if case .peer(let peer) = info.conversation { peer.id } else { nil as PeerID? }
        }
        let authors = NamesInList(
            zip(known, partners).flatMap { info, partner in
                [partner.map { (info.name?.text ?? "", $0) }, info.last.map { ($0.name?.text ?? "", $0.from) }]
                    .compactMap(\.self)
            })
        let today = context.calendar.text(context.now).prefix(10)
        func talk(_ info: ConversationInfo, with partner: PeerID?) -> Talk {
            guard let last = info.last else { return Talk(info, author: nil, when: "") }
            let date = context.calendar.text(last.at)
            let author = last.from == partner ? nil : authors.shown(last.name?.text ?? "", last.from)
            return Talk(
                info, author: last.from == me ? "you" : author,
                when: String(date.hasPrefix(today) ? date.suffix(5) : date.prefix(10)))
        }
        self.init(rooms: [])
        for (info, partner) in zip(known, partners) {
            let talk = talk(info, with: partner)
            if let partner {
                let shown = authors.shown(info.name?.text ?? "", partner)
                conversations.append(Partner(peer: partner, shown: shown, isCurrent: false, talk: talk))
            } else if case .room(let room) = info.conversation {
                rooms.append(
                    Room(
                        room: room, isJoined: true, isCurrent: false, people: max(0, (info.people ?? 1) - 1),
                        isPrivate: info.isPrivate, talk: talk))
            }
        }
    }

    /// In a pipe the last lines are whole.
    package func lines(for context: CommandContext) -> [String] {
        lines(columns: context.isTerminal ? context.columns : nil)
    }

    package var object: JSONLine { JSONLine(members) }
}

// MARK: - Text

extension RoomList {
    /// With fewer columns left, the last line goes below the name.
    private static let textColumnsMin = 20
    /// A longer name shifts only its own row.
    private static let nameColumnsMax = 16

    private struct Row {
        let mark: String
        let name: String
        let unread: String
        let people: String
        let when: String
        let said: String
    }

    /// - Parameter columns: of the screen; `nil` keeps all of the last lines.
    func lines(columns: Int?) -> [String] {
        let rows = rooms.filter(\.isJoined).map(Self.row) + conversations.map(Self.row)
        let others = rooms.filter { !$0.isJoined }.map { room in
            let name = RoomLines.name(room.room, isPrivate: room.isPrivate)
            return "  \(name)  " + (room.isPrivate ? "private" : "\(room.people) here")
        }
        guard !rows.isEmpty || !others.isEmpty else { return ["You are in no room. Enter one: /join #ROOM"] }
        return Self.lines(rows, columns) + (others.isEmpty ? [] : ["Not joined:"] + others)
    }

    private static func row(_ room: Room) -> Row {
        row(
            room.isCurrent, RoomLines.name(room.room, isPrivate: room.isPrivate),
            people: room.others + 1, room.talk)
    }

    private static func row(_ partner: Partner) -> Row {
        row(partner.isCurrent, "@\(partner.shown)", people: nil, partner.talk)
    }

    private static func row(_ isCurrent: Bool, _ name: String, people: Int?, _ talk: Talk?) -> Row {
        Row(
            mark: isCurrent ? "> " : "  ", name: name, unread: unread(talk?.info, isCurrent),
            people: people.map { "\($0) here" } ?? "", when: talk?.when ?? "", said: said(talk))
    }

    /// `2 new`, or `2 new, 1 @you`. Nothing of the open conversation: it is on the screen.
    private static func unread(_ info: ConversationInfo?, _ isCurrent: Bool) -> String {
        guard let info, !isCurrent, info.unread.lines > 0 else { return info?.isMuted == true ? "muted" : "" }
        let count = "\(info.unread.lines)\(info.unread.isMore ? "+" : "")"
        if info.isMuted { return "\(count) muted" }
        return "\(count) new" + (info.unread.mentions > 0 ? ", \(info.unread.mentions) @you" : "")
    }

    /// Made safe, not yet isolated: it may be cut.
    private static func said(_ talk: Talk?) -> String {
        guard let talk, let last = talk.info.last else { return "" }
        let text =
            last.isDeleted
            ? Phrases.deleted : MessageText.lines(last.text).filter { !$0.isEmpty }.joined(separator: " ⏎ ")
        guard let author = talk.author else { return text }
        return last.style == .acts && !last.isDeleted ? "* \(author) \(text)" : "\(author): \(text)"
    }

    private static func lines(_ rows: [Row], _ columns: Int?) -> [String] {
        func width(_ cell: (Row) -> String) -> Int { rows.map { DisplayWidth.columns(of: cell($0)) }.max() ?? 0 }
        let names = min(width(\.name), nameColumnsMax)
        let widths = [names, width(\.unread), width(\.people)]
        return rows.flatMap { row -> [String] in
            let cells = zip([row.name, row.unread, row.people], widths).filter { $1 > 0 }
            let head = row.mark + cells.map { TextTable.padded($0, to: $1) }.joined(separator: "  ")
            let said = row.when.isEmpty ? "" : "\(TextTable.padded(row.when, to: width(\.when)))  "
            guard let columns else {
                return ["\(head)  \(said)\(DisplayText.isolated(row.said))".trimmedAtEnd()]
            }
            let free = columns - 1 - StyledText.columns(of: head) - 2 - StyledText.columns(of: said)
            if free >= textColumnsMin || row.said.isEmpty {
                return ["\(head)  \(said)\(beginning(of: row.said, columns: free))".trimmedAtEnd()]
            }
            let below = "    \(row.when)  "
            let left = columns - 1 - StyledText.columns(of: below)
            return [head.trimmedAtEnd(), below + beginning(of: row.said, columns: left)]
        }
    }

    /// As much of a safe text as fits, isolated.
    static func beginning(of text: String, columns: Int) -> String {
        guard DisplayWidth.columns(of: text) > columns else { return DisplayText.isolated(text) }
        var (kept, taken) = ("", 0)
        for cluster in text {
            taken += DisplayWidth.columns(of: cluster)
            guard taken < columns else { break }
            kept.append(cluster)
        }
        return DisplayText.isolated(kept) + "…"
    }
}

// MARK: - JSON

extension RoomList {
    var members: [(String, JSONLine.Value)] {
        [
            ("event", .text("rooms")), ("rooms", .list(rooms.map { .object(JSONLine(Self.members(of: $0))) })),
            ("conversations", .list(conversations.map { .object(JSONLine(Self.members(of: $0))) })),
        ]
    }

    private static func members(of room: Room) -> [(String, JSONLine.Value)] {
        [
            ("room", .text(room.room.text)), ("joined", .flag(room.isJoined)), ("current", .flag(room.isCurrent)),
            ("others", .integer(room.others)),
        ] + (room.isPrivate ? [("private", .flag(true))] : []) + (room.talk.map { members(of: $0.info) } ?? [])
    }

    private static func members(of partner: Partner) -> [(String, JSONLine.Value)] {
        [("peer", .text(partner.peer.hex)), ("name", .text(partner.talk.info.name?.text))]
            + members(of: partner.talk.info)
    }

    private static func members(of info: ConversationInfo) -> [(String, JSONLine.Value)] {
        [("unread", .integer(info.unread.lines)), ("mentions", .integer(info.unread.mentions))]
            + (info.unread.isMore ? [("more", .flag(true))] : []) + (info.isMuted ? [("muted", .flag(true))] : [])
            + (info.last.map { [("last", .object(JSONLine(members(of: $0))))] } ?? [])
    }

    private static func members(of line: LastLine) -> [(String, JSONLine.Value)] {
        [
            ("record", .text(line.record?.hex)), ("from", .text(line.from.hex)), ("name", .text(line.name?.text)),
            ("text", .text(line.text)), ("at", .text(RFC3339.string(line.at))),
        ] + (line.style == .acts ? [("action", .flag(true))] : []) + (line.isDeleted ? [("deleted", .flag(true))] : [])
    }
}
