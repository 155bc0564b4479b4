package import LatticeAPI
package import LatticeCore
import OrderedCollections

/// What this front remembers of the conversation: rooms, people, whom not to hear.
package struct Conversation: Sendable {
    package private(set) var roster: Roster
    package private(set) var current: RoomName?
    package private(set) var joined: [RoomName]
    package private(set) var ignored: [PeerID] = []
    private let me: PeerID
    package private(set) var myName: PeerName
    private var rooms: OrderedDictionary<PeerID, [RoomName]> = [:]
    private var connected: Set<PeerID> = []

    package init(me: Me) {
        self.me = me.id
        myName = me.name
        current = me.rooms.first
        joined = me.rooms
        roster = Roster(me: me.id, name: me.name)
    }

    package var connectedCount: Int { connected.count }

    // MARK: - What is heard

    /// - Returns: what to show; `nil` for what is not to be heard.
    package mutating func heard(_ event: NodeEvent) -> ChatItem? {
        switch event {
        case .ready(let me): return .ready(me)
        case .message(let message):
            guard !ignored.contains(message.from) else { return nil }
            roster.set(message.from, message.name)
            return .message(
                message, shown: roster.shown(message.from, message.name), isCurrentRoom: message.room == current,
                isMention: message.from != me && Self.mentions(myName, in: message.text))
        case .peer(let change):
            if change.state == .connected { connected.insert(change.id) } else { connected.remove(change.id) }
            roster.set(change.id, change.name)
            return .peer(change, shown: roster.shown(change.id, change.name))
        case .presence(let change): return presence(change)
        case .invitation(let peer, let name, let context):
            roster.set(peer, name)
            return .invitation(peer, shown: roster.shown(peer, name), context: context)
        case .notice(let notice): return .notice(notice)
        case .missed(let count): return .missed(count)
        }
    }

    private mutating func presence(_ change: PresenceChange) -> ChatItem {
        let was = rooms[change.id] == nil ? nil : roster.name(of: change.id).map { roster.shown(change.id, $0) }
        roster.set(change.id, change.name)
        let shown = roster.shown(change.id, change.name)
        if change.isHere {
            rooms[change.id] = change.rooms
        } else {
            rooms[change.id] = nil
            if !connected.contains(change.id) { roster.remove(change.id) }
        }
        return .presence(change, shown: shown, was: was)
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
    }

    package mutating func join(_ room: RoomName) {
        if !joined.contains(room) { joined.append(room) }
        current = room
    }

    /// - Returns: whether one was in it.
    package mutating func part(_ room: RoomName) -> Bool {
        guard let index = joined.firstIndex(of: room) else { return false }
        joined.remove(at: index)
        if current == room { current = joined.last }
        return true
    }

    package mutating func ignore(_ peer: PeerID) {
        if !ignored.contains(peer) { ignored.append(peer) }
    }

    package mutating func unignore(_ peer: PeerID) {
        ignored.removeAll { $0 == peer }
    }

    // MARK: - What is asked

    package func names(in room: RoomName) -> [String] {
        let others = rooms.elements.filter { $0.value.contains(room) }.map(\.key)
        return (joined.contains(room) ? [me] : []).appending(others).compactMap { peer in
            roster.name(of: peer).map { roster.shown(peer, $0) }
        }
    }

    package var roomSummaries: [ChatItem.RoomSummary] {
        let others = rooms.values.flatMap(\.self).filter { !joined.contains($0) }
        return (joined + Set(others).sorted()).map { room in
            ChatItem.RoomSummary(
                room: room, isJoined: joined.contains(room), isCurrent: room == current,
                people: rooms.values.count { $0.contains(room) })
        }
    }

    package func shown(_ peer: PeerInfo) -> String {
        guard let id = peer.id else { return DisplayText.isolated(peer.name) }
        if let name = roster.name(of: id) { return roster.shown(id, name) }
        return "\(DisplayText.isolated(peer.name))#\(id.short)"
    }

    package func shown(_ stop: ProbeInfo.Stop) -> String {
        roster.shown(stop.id, roster.name(of: stop.id) ?? stop.name)
    }
}

extension Character {
    fileprivate var isWordLike: Bool { isLetter || isNumber || self == "_" }
}

extension Array {
    fileprivate func appending(_ others: [Element]) -> [Element] { self + others }
}
