import LatticeAPI
import LatticeCore

/// The names in one list; people who share a name get short ids.
struct NamesInList {
    private var holders: [String: Set<PeerID>] = [:]

    init(_ items: [ItemInfo] = [], _ people: [PersonInfo] = []) {
        for item in items { holders[Self.look(item.authorName), default: []].insert(item.author) }
        for person in people { holders[Self.look(person.name ?? ""), default: []].insert(person.id) }
    }

    init(_ named: [(name: String, peer: PeerID)]) {
        for (name, peer) in named { holders[Self.look(name), default: []].insert(peer) }
    }

    /// `you`, `bob`, `bob#k7f3`, or `#k7f3` without a known name.
    func author(_ item: ItemInfo) -> String {
        item.isMine ? "you" : shown(item.authorName, item.author)
    }

    func person(_ person: PersonInfo) -> String {
        person.isMe ? "you" : shown(person.name ?? "", person.id)
    }

    func shown(_ name: String, _ peer: PeerID) -> String {
        let others = holders[Self.look(name), default: []].subtracting([peer])
        let safe = DisplayText.isolated(name)
        return safe.isEmpty || !others.isEmpty ? "\(safe)#\(peer.short)" : safe
    }

    /// The skeleton: names that look alike count as the same.
    private static func look(_ name: String) -> String {
        do {
            return try PeerName(name).skeleton
        } catch {
            return name
        }
    }
}
