import LatticeAPI
import LatticeCore
import OrderedCollections

/// What is unread in conversations that are not open, as the prompt shows it.
struct UnreadBoard: Sendable {
    enum Place: Hashable, Sendable {
        case room(RoomName)
        case peer(PeerID)

        init?(_ name: ConversationName) {
            switch name {
            case .room(let room): self = .room(room)
            case .peer(let reference):
                guard let peer = reference.id else { return nil }
                self = .peer(peer)
            }
        }
    }

    private struct Count {
        var lines: Int
        var mentions: Int
    }

    /// Places that the prompt names; more are counted together.
    private static let namedMax = 3
    /// Beyond it, the prompt says only that there are more.
    private static let linesMax = 999

    private var counts: OrderedDictionary<Place, Count> = [:]

    /// Takes over what the node counts.
    mutating func take(_ unread: [UnreadCount]) {
        counts = [:]
        for count in unread { take(count) }
    }

    mutating func take(_ count: UnreadCount) {
        guard let place = Place(count.conversation) else { return }
        counts[place] = count.lines > 0 ? Count(lines: count.lines, mentions: count.mentions) : nil
    }

    mutating func came(to place: Place, isMention: Bool) {
        counts[place, default: Count(lines: 0, mentions: 0)].lines += 1
        if isMention { counts[place]?.mentions += 1 }
    }

    /// - Returns: the number of lines that were unread.
    @discardableResult
    mutating func clear(_ place: Place) -> Int { counts.removeValue(forKey: place)?.lines ?? 0 }

    func has(_ place: Place) -> Bool { counts[place] != nil }

    /// Where to go next: mentions first, then private messages, then rooms.
    var next: Place? {
        counts.keys.first { counts[$0]?.mentions ?? 0 > 0 } ?? counts.keys.first(where: Self.isPrivate)
            ?? counts.keys.first
    }

    /// `[park 2, @carol 1]`; empty if nothing is unread.
    func text(_ name: (PeerID) -> String) -> String {
        guard !counts.isEmpty else { return "" }
        let (people, rooms) = (counts.keys.filter(Self.isPrivate), counts.keys.filter { !Self.isPrivate($0) })
        let named = counts.count <= Self.namedMax
        let shownRooms = named || rooms.count == 1 ? rooms.map { shown($0, name) } : ["\(rooms.count) rooms"]
        let shownPeople = named || people.count == 1 ? people.map { shown($0, name) } : ["\(people.count) people"]
        let all = (rooms.isEmpty ? [] : shownRooms) + (people.isEmpty ? [] : shownPeople)
        return "[\(all.joined(separator: ", "))]"
    }

    private func shown(_ place: Place, _ name: (PeerID) -> String) -> String {
        let lines = counts[place]?.lines ?? 0
        let count = lines > Self.linesMax ? "\(Self.linesMax)+" : "\(lines)"
        return switch place {
        case .room(let room): "\(DisplayText.isolated(String(room.text.dropFirst()))) \(count)"
        case .peer(let peer): "@\(name(peer)) \(count)"
        }
    }

    private static func isPrivate(_ place: Place) -> Bool {
        if case .peer = place { true } else { false }
    }
}
