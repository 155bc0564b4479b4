package import LatticeAPI
package import LatticeCore
import OrderedCollections

/// What this front knows of the conversation: rooms, people, and whom to hide.
package struct Conversation: Sendable {
    package private(set) var roster: Roster
    package private(set) var current: RoomName?
    /// The partner of the private conversation; while set, lines go there and not to `current`.
    package internal(set) var partner: PeerID?
    /// Partners of private conversations and people met before; they need not be here.
    var partners: Roster
    /// Known people: loaded at the start, then updated by events. Limited by what a node knows and reports.
    private(set) var acquainted: [PeerID: KnownPerson] = [:]
    /// Conversation partners without a known name.
    var unnamed: [PeerID] = []
    var unread = UnreadBoard()
    /// Lines of rooms that are not open are counted, and shown only if they mention me.
    let countsUnread: Bool
    var shownPrivately = RecentSet<Int64>(countMax: shownMax)
    package private(set) var joined: [RoomName]
    /// The joined rooms that were opened in this front. Another front of the same node may have joined the rest.
    private var opened: Set<RoomName>
    /// Private rooms, entered or not.
    package var privateRooms: Set<RoomName> = []
    package private(set) var ignored: [PeerID] = []
    private(set) var contactMarks = ContactMarks()
    let me: PeerID
    /// My away text; `nil` if I am not away.
    package internal(set) var away: String?
    /// The away texts of present people.
    private(set) var awayTexts: [PeerID: String] = [:]
    package private(set) var myName: PeerName
    /// Limit on other people's rooms that are listed and completed: nobody reads a longer list.
    private static let othersRoomsMax = 1_024
    private static let lostMax = 1_024
    /// How many shown lines are remembered: more than a person is shown at once.
    private static let shownMax = 16_384
    /// Rooms of each present person; limited by the presences that the mesh keeps.
    private(set) var rooms: OrderedDictionary<PeerID, [RoomName]> = [:]
    /// The number of others in each room, updated as they come and go.
    private(set) var people: OrderedDictionary<RoomName, Int> = [:]
    private var connected: Set<PeerID> = []
    /// People shown as disconnected who have not reconnected since.
    private var lost: Set<PeerID> = []
    /// People whose invitation is neither answered nor followed by a link.
    package private(set) var asking: Set<PeerID> = []
    /// A line arrives in a history, live or late, and may arrive in two of these ways.
    private var shownLines = RecentSet<RecordID>(countMax: shownMax)
    /// Whether anybody ever connected or asked to.
    package private(set) var hasMetSomebody = false

    package init(me: Me, verifiedMark: String = Roster.verifiedMark, countsUnread: Bool = false) {
        self.countsUnread = countsUnread
        self.me = me.id
        myName = me.name
        current = me.rooms.first
        joined = me.rooms
        opened = Set(me.rooms.prefix(1))
        privateRooms = Set(me.privateRooms)
        away = me.away
        roster = Roster(me: me.id, name: me.name, verifiedMark: verifiedMark)
        partners = Roster(me: me.id, name: me.name, verifiedMark: verifiedMark)
    }

    package var connectedCount: Int { connected.count }

    /// People who can be reached, directly or through others.
    package var reachableCount: Int { rooms.count + connected.count { rooms[$0] == nil } }

    // MARK: - Events

    /// - Returns: the item to show; `nil` if there is nothing to show.
    package mutating func heard(_ event: NodeEvent) -> ChatItem? {
        switch event {
        case .ready(let me):
            startAnew()
            return .ready(me)
        case .message(let message):
            guard !isUnheard(message.from), !isMuted(message.room), !hasShown(message.record),
                message.isPrivate == privateRooms.contains(message.room)
            else { return nil }
            let isMention = concernsMe(message)
            if countsUnread, !isCurrent(message.room) {
                if message.from != me { unread.came(to: .room(message.room), isMention: isMention) }
                guard isMention else { return nil }
            }
            if message.isLate {
                roster.note(message.from, message.name)
            } else {
                roster.set(message.from, message.name)
                shownLines.insert(message.record)
            }
            return .message(
                message, shown: roster.shown(message.from, message.name), isCurrentRoom: isCurrent(message.room),
                isMention: isMention)
        case .lineChanged(let change): return changed(change)
        case .pinned(let change): return changed(change)
        case .privateMessage(let message): return heard(message)
        case .privateMessageChanged(let change): return changed(change)
        case .privateProgress(let progress): return .privateState(progress, shown: shownPartner(progress.peer))
        case .peer(let change):
            let isNews = isNews(change) && !change.isBrief && !change.isSummedUp
            if change.state == .connected {
                connected.insert(change.id)
                lost.remove(change.id)
                asking.remove(change.id)
                hasMetSomebody = true
            } else {
                connected.remove(change.id)
                if isNews, change.state == .notConnected, lost.count < Self.lostMax { lost.insert(change.id) }
            }
            // A presence has the current name; the link has the name from when it was opened.
            if rooms[change.id] == nil { roster.set(change.id, change.name) }
            let name = roster.name(of: change.id) ?? change.name
            return .peer(change, shown: roster.shown(change.id, name), isNews: isNews)
        case .presence(let change): return presence(change)
        case .invitation(let peer, let name, let context):
            roster.set(peer, name)
            asking.insert(peer)
            hasMetSomebody = true
            return .invitation(peer, shown: roster.shown(peer, name), context: context)
        case .notice(let notice): return .notice(notice)
        case .posted(let item): return isUnheard(item.author) ? nil : .posted(item, shown: shown(item))
        case .notification(let one): return isUnheard(one.by.id) ? nil : .notification(one, shown: shown(one.by))
        case .sync(let progress): return .sync(progress)
        case .missed(let count): return .missed(count)
        case .nameClash, .renamed, .contactMarks, .me, .placed, .room, .changed, .sent, .read, .notificationsSeen,
            .urgentDismissed:
            return nil
        }
    }

    /// Whether it names me, answers me or is urgent, and is new.
    private func concernsMe(_ line: Message) -> Bool {
        line.from != me && !line.isLate
            && (line.isUrgent || line.reply?.from == me || Mention.isIn(line.text, of: myName))
    }

    private func changed(_ change: LineChange) -> ChatItem? {
        let line = change.line
        guard !isUnheard(change.by), !isUnheard(line.from), !isMuted(line.room), joined.contains(line.room),
            line.isPrivate == privateRooms.contains(line.room),
            !countsUnread || isCurrent(line.room) || line.from == me
        else { return nil }
        let name = roster.name(of: change.by) ?? line.name(of: change.by)
        return .lineChanged(
            change, shown: roster.shown(change.by, name), isCurrentRoom: isCurrent(line.room),
            change.by == me ? .myAct : line.from == me ? .myLine : .none)
    }

    /// A starting node reports everybody who is there.
    private mutating func startAnew() {
        (connected, lost, asking) = ([], [], [])
        (rooms, people, awayTexts) = ([:], [:], [:])
    }

    /// Whether lines go to this room, so that its name is not shown before each line.
    package func isCurrent(_ room: RoomName) -> Bool { partner == nil && room == current }

    /// The conversation that is open.
    var open: UnreadBoard.Place? { partner.map { .peer($0) } ?? current.map { .room($0) } }

    package func hasShown(_ record: RecordID) -> Bool { shownLines.contains(record) }

    package mutating func noteShown(_ record: RecordID) {
        shownLines.insert(record)
    }

    /// Past lines, without those of ignored and blocked people, each with the name to show. Marks them as shown.
    package mutating func past(_ messages: [Message]) -> [(Message, shown: String)] {
        let heard = messages.filter { !isUnheard($0.from) }
        // Note all names first, so that namesakes within these lines get short ids.
        for message in heard { roster.note(message.from, message.name) }
        return heard.map { message in
            shownLines.insert(message.record)
            return (message, shown: roster.shown(message.from, message.name))
        }
    }

    /// A link to somebody who was present anyway is no news, and neither is its end while they stay present.
    private func isNews(_ change: PeerChange) -> Bool {
        switch change.state {
        case .connecting: false
        case .connected: rooms[change.id] == nil || lost.contains(change.id)
        case .notConnected: !change.isRearranged && (connected.contains(change.id) || rooms[change.id] == nil)
        }
    }

    private mutating func presence(_ change: PresenceChange) -> ChatItem {
        let isBack = change.isHere && !connected.contains(change.id) && lost.contains(change.id)
        let isKnown = rooms[change.id] != nil && !isBack
        let was = isKnown ? roster.name(of: change.id).map { roster.shown(change.id, $0) } : nil
        // The link of a neighbour already reports that it came and went.
        let isNews =
            !change.isBrief && !change.isSummedUp
            && (was != nil && change.isHere || !connected.contains(change.id) && (isBack || !lost.contains(change.id)))
        if isBack || !change.isHere { lost.remove(change.id) }
        roster.set(change.id, change.name)
        let shown = roster.shown(change.id, change.name)
        setRooms(of: change.id, change.isHere ? change.rooms : nil)
        awayTexts[change.id] = change.isHere && rooms[change.id] != nil ? change.away : nil
        if !change.isHere {
            // People who left can still be written to.
            partners.set(change.id, change.name)
            if !connected.contains(change.id) { roster.remove(change.id) }
        }
        return .presence(change, shown: shown, was: was, isNews: isNews)
    }

    /// Rooms beyond the limit are not stored at all, so every stored room is counted.
    private mutating func setRooms(of peer: PeerID, _ changed: [RoomName]?) {
        for room in rooms[peer] ?? [] {
            let others = people[room, default: 1] - 1
            people[room] = others > 0 ? others : nil
        }
        guard rooms[peer] != nil || rooms.count < Roster.peersMax else { return }
        rooms[peer] = changed.map { changed in
            changed.uniqued().filter { room in
                let fits = people[room] != nil || people.count < Self.othersRoomsMax || joined.contains(room)
                if fits { people[room, default: 0] += 1 }
                return fits
            }
        }
    }

    // MARK: - Changes

    package mutating func rename(_ name: PeerName) {
        myName = name
        roster.set(me, name)
        partners.set(me, name)
    }

    /// - Returns: whether it was not opened before.
    @discardableResult
    package mutating func join(_ room: RoomName) -> Bool {
        if !joined.contains(room) { joined.append(room) }
        current = room
        partner = nil
        return opened.insert(room).inserted
    }

    package mutating func part(_ room: RoomName) -> Bool {
        guard let index = joined.firstIndex(of: room) else { return false }
        joined.remove(at: index)
        opened.remove(room)
        if current == room { current = joined.last }
        return true
    }

    /// Takes over my name and rooms after any change. If the current room was left elsewhere or turned from private to
    /// public, no room is current: what is being typed was meant for nobody else.
    package mutating func take(_ me: Me) -> [ChangeElsewhere] {
        var changes: [ChangeElsewhere] = []
        if me.name != myName {
            rename(me.name)
            changes.append(.renamed(me.name))
        }
        let members = Set(me.privateRooms)
        for room in joined where !me.rooms.contains(room) || privateRooms.contains(room) && !members.contains(room) {
            changes.append(.left(room, wasCurrent: isCurrent(room)))
            joined.removeAll { $0 == room }
            opened.remove(room)
            if current == room { current = nil }
        }
        for room in me.rooms {
            if !joined.contains(room) {
                joined.append(room)
                changes.append(.joined(room, isPrivate: members.contains(room)))
            } else if members.contains(room), !privateRooms.contains(room) {
                opened.remove(room)
                changes.append(.becamePrivate(room))
            }
        }
        privateRooms = members
        if away != me.away { changes.append(.away(me.away)) }
        away = me.away
        return changes
    }

    package mutating func answered(_ peer: PeerID) {
        asking.remove(peer)
    }

    package mutating func ignore(_ peer: PeerID) {
        if !ignored.contains(peer) { ignored.append(peer) }
    }

    package mutating func unignore(_ peer: PeerID) {
        ignored.removeAll { $0 == peer }
    }

    /// Takes over my contact flags, whichever process set them.
    package mutating func take(_ contactMarks: ContactMarks) {
        ignored.removeAll { self.contactMarks.ignored.contains($0) && !contactMarks.ignored.contains($0) }
        for peer in contactMarks.ignored.sorted() { ignore(peer) }
        self.contactMarks = contactMarks
        roster.verified = contactMarks.verified
        partners.verified = contactMarks.verified
        roster.petnames = contactMarks.petnames
        partners.petnames = contactMarks.petnames
    }

    /// Adds people met before: namesakes of theirs get short ids, and they can be written to.
    package mutating func know(_ people: [KnownPerson]) {
        for person in people where person.id != me {
            acquainted[person.id] = person
            guard person.blocked == nil else { continue }
            if let name = person.name ?? person.petname { partners.note(person.id, name) }
            for name in [person.name, person.petname].compactMap(\.self) { roster.remember(person.id, name) }
        }
    }

    /// Adds the people who are here now, for a front that missed their coming.
    package mutating func meet(_ peers: [PeerInfo]) {
        for peer in peers {
            guard let id = peer.id else { continue }
            do {
                roster.set(id, try PeerName(peer.name))
            } catch {
                continue  // A merely announced name may be invalid.
            }
        }
    }

    // MARK: - Queries

    package func isUnheard(_ peer: PeerID) -> Bool {
        ignored.contains(peer) || isBlocked(peer)
    }

    package func isBlocked(_ peer: PeerID) -> Bool { contactMarks.blocked.contains(peer) }

    package func isMuted(_ room: RoomName) -> Bool {
        contactMarks.muted.contains(room)
    }

    package func names(in room: RoomName) -> [String] {
        let others = rooms.elements.filter { $0.value.contains(room) }.map(\.key)
        return (joined.contains(room) ? [me] : []).appending(others).compactMap { peer in
            roster.name(of: peer).map { roster.shown(peer, $0) }
        }
    }

    /// Rooms for completion: joined ones first, then others'.
    package var knownRooms: [RoomName] {
        joined + privateRooms.filter { !joined.contains($0) }.sorted()
            + people.keys.filter { !joined.contains($0) && !privateRooms.contains($0) }
    }

    package func shown(_ peer: PeerInfo) -> String {
        guard let id = peer.id else { return DisplayText.isolated(peer.name) }
        if let name = roster.name(of: id) { return roster.shown(id, name) }
        return "\(DisplayText.isolated(peer.name))#\(id.short)"
    }

    /// People who are here have their name in this front; other authors have name and short id.
    private func shown(_ item: ItemInfo) -> String {
        roster.name(of: item.author).map { roster.shown(item.author, $0) }
            ?? ItemPhrases.named(item.authorName, item.author)
    }

    func shown(_ person: PersonInfo) -> String {
        roster.name(of: person.id).map { roster.shown(person.id, $0) }
            ?? ItemPhrases.named(person.name ?? "", person.id)
    }

    func name(of peer: PeerID) -> PeerName? { roster.name(of: peer) ?? partners.name(of: peer) }

    func shown(_ peer: PeerID, _ name: PeerName) -> String {
        let shown = roster.shown(peer, name)
        return shown.contains("#\(peer.short)") ? shown : "\(shown)#\(peer.short)"
    }

    package func shown(_ stop: ProbeInfo.Stop) -> String {
        roster.shown(stop.id, roster.name(of: stop.id) ?? stop.name)
    }
}

extension [RoomName] {
    /// A stranger may name a room twice.
    fileprivate func uniqued() -> [RoomName] { Array(OrderedSet(self)) }
}

extension Array {
    fileprivate func appending(_ others: [Element]) -> [Element] { self + others }
}

extension Message {
    /// For somebody whose name is not known: of the line, if they wrote it.
    fileprivate func name(of peer: PeerID) -> PeerName {
        do {
            return try from == peer ? name : PeerName(peer.short)
        } catch {
            preconditionFailure("a short id is a name")
        }
    }
}
