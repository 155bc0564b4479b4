package import LatticeAPI
package import LatticeCore
import OrderedCollections

/// What this front remembers of the conversation: rooms, people, whom not to hear.
package struct Conversation: Sendable {
    package private(set) var roster: Roster
    package private(set) var current: RoomName?
    /// With whom one talks alone instead.
    package internal(set) var partner: PeerID?
    /// With whom one talked alone, who need not be here.
    var partners: Roster
    /// What was known of people when this chat began, or was told since; as many as a node knows, and those it told of.
    private(set) var acquainted: [PeerID: KnownPerson] = [:]
    /// Those of them of whom no name is known.
    var unnamed: [PeerID] = []
    /// Lines between two people that were shown; as many are remembered as of rooms.
    var shownPrivately = RecentSet<Int64>(countMax: shownMax)
    package private(set) var joined: [RoomName]
    /// Those of them that were looked into here: another front of the same node may have joined the rest.
    private var opened: Set<RoomName>
    /// Those that only their members read, entered or not.
    package var privateRooms: Set<RoomName> = []
    package private(set) var ignored: [PeerID] = []
    private(set) var standing = Standing()
    let me: PeerID
    package private(set) var myName: PeerName
    /// Beyond this others' rooms are neither listed nor completed: nobody reads a longer list.
    private static let othersRoomsMax = 1_024
    private static let lostMax = 1_024
    /// Lines shown of which that is remembered: more than a person is shown at once.
    private static let shownMax = 16_384
    /// Of as many people as the mesh keeps presences of.
    private var rooms: OrderedDictionary<PeerID, [RoomName]> = [:]
    /// How many others are in each room, kept as they come and go.
    private var people: OrderedDictionary<RoomName, Int> = [:]
    private var connected: Set<PeerID> = []
    /// Whose link was told to be lost and not to be there again.
    private var lost: Set<PeerID> = []
    /// Whoever asked to link and was neither answered nor linked with yet.
    package private(set) var asking: Set<PeerID> = []
    /// A line comes with the history of its room, or when it is said, or late, and may come in two of these ways.
    private var shownLines = RecentSet<RecordID>(countMax: shownMax)
    /// Whether anybody was ever connected or asked to be.
    package private(set) var hasMetSomebody = false

    package init(me: Me, verifiedMark: String = Roster.verifiedMark) {
        self.me = me.id
        myName = me.name
        current = me.rooms.first
        joined = me.rooms
        opened = Set(me.rooms.prefix(1))
        privateRooms = Set(me.privateRooms)
        roster = Roster(me: me.id, name: me.name, verifiedMark: verifiedMark)
        partners = Roster(me: me.id, name: me.name, verifiedMark: verifiedMark)
    }

    package var connectedCount: Int { connected.count }

    /// Everybody who can be talked with, directly or over others.
    package var reachableCount: Int { rooms.count + connected.count { rooms[$0] == nil } }

    // MARK: - What is heard

    /// - Returns: what to show; `nil` for what is not to be heard.
    package mutating func heard(_ event: NodeEvent) -> ChatItem? {
        switch event {
        case .ready(let me):
            startAnew()
            return .ready(me)
        case .message(let message):
            guard !isUnheard(message.from), !isMuted(message.room), !hasShown(message.record),
                message.isPrivate == privateRooms.contains(message.room)
            else { return nil }
            if message.isLate {
                roster.note(message.from, message.name)
            } else {
                roster.set(message.from, message.name)
                shownLines.insert(message.record)
            }
            return .message(
                message, shown: roster.shown(message.from, message.name), isCurrentRoom: isCurrent(message.room),
                isMention: message.from != me && !message.isLate && Self.mentions(myName, in: message.text))
        case .privateMessage(let message): return heard(message)
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
            // A presence knows the newer name: the link's is the one it was opened under.
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
        case .posted(let item):
            guard !isUnheard(item.author) else { return nil }
            return .posted(item, shown: shown(item))
        case .sync(let progress): return .sync(progress)
        case .missed(let count): return .missed(count)
        case .nameClash, .renamed, .standing, .me, .placed, .room, .changed, .sent: return nil
        }
    }

    /// A node that begins tells of everybody who is there.
    private mutating func startAnew() {
        (connected, lost, asking) = ([], [], [])
        (rooms, people) = ([:], [:])
    }

    /// Whether one talks there, so that its name need not stand before each line.
    package func isCurrent(_ room: RoomName) -> Bool { partner == nil && room == current }

    package func hasShown(_ record: RecordID) -> Bool { shownLines.contains(record) }

    package mutating func noteShown(_ record: RecordID) {
        shownLines.insert(record)
    }

    /// Lines of the past, of people one does not ignore, each with the name to show. They are taken to be shown.
    package mutating func past(_ messages: [Message]) -> [(Message, shown: String)] {
        let heard = messages.filter { !isUnheard($0.from) }
        // All of them first: who shares a name with somebody in the same lines is told apart from them.
        for message in heard { roster.note(message.from, message.name) }
        return heard.map { message in
            shownLines.insert(message.record)
            return (message, shown: roster.shown(message.from, message.name))
        }
    }

    /// A link to somebody who was here all the time is no news, nor is its end when they are still here.
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
        // Of a neighbour its link tells that it came, and that it went.
        let isNews =
            !change.isBrief && !change.isSummedUp
            && (was != nil && change.isHere || !connected.contains(change.id) && (isBack || !lost.contains(change.id)))
        if isBack || !change.isHere { lost.remove(change.id) }
        roster.set(change.id, change.name)
        let shown = roster.shown(change.id, change.name)
        setRooms(of: change.id, change.isHere ? change.rooms : nil)
        if !change.isHere {
            // Whoever was here can be written to.
            partners.set(change.id, change.name)
            if !connected.contains(change.id) { roster.remove(change.id) }
        }
        return .presence(change, shown: shown, was: was, isNews: isNews)
    }

    /// What does not fit is not remembered, so that whatever is remembered was counted.
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

    /// Whether `name` stands in `text` as a word of its own, in whatever case.
    private static func mentions(_ name: PeerName, in text: String) -> Bool {
        let wanted = Array(name.text.lowercased())
        let letters = Array(text.lowercased())
        guard letters.count >= wanted.count else { return false }
        return (0...letters.count - wanted.count).contains { start in
            let end = start + wanted.count
            guard letters[start..<end].elementsEqual(wanted) else { return false }
            let isOpen = start == 0 || !letters[start - 1].isWordLike
            return isOpen && (end == letters.count || !letters[end].isWordLike)
        }
    }

    // MARK: - What is done

    package mutating func rename(_ name: PeerName) {
        myName = name
        roster.set(me, name)
        partners.set(me, name)
    }

    /// - Returns: whether it was not looked into before.
    @discardableResult
    package mutating func join(_ room: RoomName) -> Bool {
        if !joined.contains(room) { joined.append(room) }
        current = room
        partner = nil
        return opened.insert(room).inserted
    }

    /// - Returns: whether one was in it.
    package mutating func part(_ room: RoomName) -> Bool {
        guard let index = joined.firstIndex(of: room) else { return false }
        joined.remove(at: index)
        opened.remove(room)
        if current == room { current = joined.last }
        return true
    }

    /// What one's name and rooms are, whoever changed them. A room that was left elsewhere, or that everybody reads now and did not, is
    /// not talked in any more, and no other instead: what is being typed was meant for nobody else.
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

    /// What this person says of others, in whatever process.
    package mutating func take(_ standing: Standing) {
        ignored.removeAll { self.standing.ignored.contains($0) && !standing.ignored.contains($0) }
        for peer in standing.ignored.sorted() { ignore(peer) }
        self.standing = standing
        roster.verified = standing.verified
        partners.verified = standing.verified
        roster.petnames = standing.petnames
        partners.petnames = standing.petnames
    }

    /// Somebody who was met before: whoever looks like them has the short id, and they can be written to.
    package mutating func know(_ people: [KnownPerson]) {
        for person in people where person.id != me {
            acquainted[person.id] = person
            guard person.blocked == nil else { continue }
            if let name = person.name ?? person.petname { partners.note(person.id, name) }
            for name in [person.name, person.petname].compactMap(\.self) { roster.remember(person.id, name) }
        }
    }

    /// Who is there now, for those who were not told of each as they came.
    package mutating func meet(_ peers: [PeerInfo]) {
        for peer in peers {
            guard let id = peer.id else { continue }
            do {
                roster.set(id, try PeerName(peer.name))
            } catch {
                continue  // What is only announced may be no name.
            }
        }
    }

    // MARK: - What is asked

    package func isUnheard(_ peer: PeerID) -> Bool {
        ignored.contains(peer) || isBlocked(peer)
    }

    package func isBlocked(_ peer: PeerID) -> Bool { standing.blocked.contains(peer) }

    package func isMuted(_ room: RoomName) -> Bool {
        standing.muted.contains(room)
    }

    package func names(in room: RoomName) -> [String] {
        let others = rooms.elements.filter { $0.value.contains(room) }.map(\.key)
        return (joined.contains(room) ? [me] : []).appending(others).compactMap { peer in
            roster.name(of: peer).map { roster.shown(peer, $0) }
        }
    }

    package var roomSummaries: [ChatItem.RoomSummary] {
        (joined + privateRooms.union(people.keys).filter { !joined.contains($0) }.sorted()).map { room in
            ChatItem.RoomSummary(
                room: room, isJoined: joined.contains(room), isCurrent: room == current, people: people[room] ?? 0,
                isPrivate: privateRooms.contains(room))
        }
    }

    /// For completion: the rooms one is in, then others'.
    package var knownRooms: [RoomName] {
        joined + privateRooms.filter { !joined.contains($0) }.sorted()
            + people.keys.filter { !joined.contains($0) && !privateRooms.contains($0) }
    }

    package func shown(_ peer: PeerInfo) -> String {
        guard let id = peer.id else { return DisplayText.isolated(peer.name) }
        if let name = roster.name(of: id) { return roster.shown(id, name) }
        return "\(DisplayText.isolated(peer.name))#\(id.short)"
    }

    /// Whoever is heard here is called as here; others, whose posts outlive them, by name and short id.
    private func shown(_ item: ItemInfo) -> String {
        roster.name(of: item.author).map { roster.shown(item.author, $0) }
            ?? ItemPhrases.named(item.authorName, item.author)
    }

    /// As somebody here is called.
    func name(of peer: PeerID) -> PeerName? { roster.name(of: peer) ?? partners.name(of: peer) }

    func shown(_ peer: PeerID, _ name: PeerName) -> String {
        let shown = roster.shown(peer, name)
        return shown.contains("#\(peer.short)") ? shown : "\(shown)#\(peer.short)"
    }

    package func shown(_ stop: ProbeInfo.Stop) -> String {
        roster.shown(stop.id, roster.name(of: stop.id) ?? stop.name)
    }
}

extension Character {
    fileprivate var isWordLike: Bool { isLetter || isNumber || self == "_" }
}

extension [RoomName] {
    /// A stranger may name a room twice.
    fileprivate func uniqued() -> [RoomName] { Array(OrderedSet(self)) }
}

extension Array {
    fileprivate func appending(_ others: [Element]) -> [Element] { self + others }
}
