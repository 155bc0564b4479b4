import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

// Incoming records: each sealed record is tried once with each room key.
extension RoomDesk {
    /// Records tried at a time: a hash for each key, after which others may use the store.
    private static let portion = 256

    struct Opened: Sendable {
        var lines: [Message] = []
        var news: [RoomNews] = []
        /// Lines that somebody changed, in the order in which that arrived.
        var changes: [LineChange] = []
        /// Pins that somebody set or removed.
        var pinned: [RoomLinesEntered.Pinned] = []
        var hasMore = false
    }

    /// - Parameters:
    ///   - room: the only room to look for; `nil` is all.
    ///   - isPast: treats all lines as said before this person entered, whatever their date.
    func openNext(
        of room: RoomName? = nil, at now: WallTime, isPast: Bool = false
    ) async throws(StoreError) -> Opened {
        func isFresh(_ id: RecordID) -> Bool { !isPast && fresh.contains(id) }
        let all = try await store.rooms.keys()
        let held = all.filter { room == nil || $0.room == room }
        guard let start = held.map(\.looked).min() else { return Opened() }
        let arrived = try await store.messages.sealed(after: start, limit: Self.portion)
        guard let end = arrived.last?.seq else { return Opened() }
        let view = try await RoomView(all, store)
        var opened: [OpenedRoomLine] = []
        for record in arrived {
            guard let (stored, text) = text(of: record, held) else { continue }
            opened.append(
                OpenedRoomLine(
                    record, key: stored,
                    content: content(of: record, stored, text, view, isLate: !isFresh(record.id))))
        }
        let entered = try await store.rooms.enter(opened, tried: held.map(\.seq), upTo: end, at: now)
        var outcome = Opened(hasMore: arrived.count == Self.portion)
        let others = entered.lines.filter { $0.author != me }
        var answered: [RoomName: [RecordID: LineReference]] = [:]
        for room in Set(others.filter { $0.replyTo != nil }.map(\.room)) {
            answered[room] = try await self.answered(by: others.filter { $0.room == room }, in: room)
        }
        outcome.lines = others.map { line in Message(line, me: me).answering { answered[line.room]?[$0] } }
        for act in entered.acts { outcome.changes.append(try await change(act)) }
        outcome.pinned = entered.pins.filter { $0.author != me }
        outcome.news = entered.changes.filter { isFresh($0.record) && $0.member.peer != me }.compactMap(
            RoomNews.init)
        for line in opened where isFresh(line.arrived.id) {
            let author = line.arrived.record.author
            guard author != me, view.isStranger(author, under: line.key) else { continue }
            outcome.news.append(.oldKey(line.key.room, author))
        }
        return outcome
    }

    /// - Returns: `nil` if it belongs to no room whose key is held.
    private func text(of arrived: ArrivedMessage, _ held: [StoredRoomKey]) -> (StoredRoomKey, [UInt8])? {
        let author = arrived.record.author
        do {
            let body = try SealedBody(decoding: arrived.record.body)
            for stored in held where stored.looked < arrived.seq {
                guard let key = ring.key(stored), key.recognises(body, by: author) else { continue }
                return (stored, try key.open(body, by: author))
            }
            return nil
        } catch {
            return nil  // An earlier version stored it unread, or a member sealed something that does not open.
        }
    }

    private func content(
        of arrived: ArrivedMessage, _ key: StoredRoomKey, _ text: [UInt8], _ view: RoomView, isLate: Bool
    ) -> OpenedRoomLine.Content {
        let author = arrived.record.author
        guard !view.isSilenced(author, under: key, at: arrived.date) else { return .nothing }
        do {
            switch try SealedText(decoding: text) {
            case .line(let line):
                return line.text.isEmpty ? .nothing : .line(line, isLate: isLate && author != me)
            case .member(let member):
                let isTheirs = member.state == .invited ? member.peer != author : member.peer == author
                return isTheirs && view.isCurrent(key) ? .member(member) : .nothing
            case .act(let act): return act.isFit ? .act(act) : .nothing
            case .pin(let pin): return .pin(pin)
            case .receipt, .filesHere, .roomKey, .again, .unknown: return .nothing
            }
        } catch {
            return .nothing  // Its author sealed another format.
        }
    }
}

/// News about a private room, for its members here.
enum RoomNews: Hashable, Sendable {
    /// Somebody entered, left for good, or was invited.
    case came(RoomName, PeerID, String?)
    case left(RoomName, PeerID, String?)
    case invited(RoomName, PeerID, String?, by: PeerID)
    /// Somebody removed others; the remaining members have a new key.
    case removed(RoomName, [PeerID], by: PeerID)
    case invitation(RoomName, by: PeerID)
    /// Somebody uses an old key because they lack the newer one.
    case oldKey(RoomName, PeerID)

    init?(_ change: RoomLinesEntered.Change) {
        let (room, member) = (change.key.room, change.member)
        switch member.state {
        case .here: self = .came(room, member.peer, member.name)
        case .left: self = .left(room, member.peer, member.name)
        case .invited: self = .invited(room, member.peer, member.name, by: change.author)
        case .removed: return nil
        }
    }
}

/// The members of each room before a portion is opened.
struct RoomView: Sendable {
    private let keys: [StoredRoomKey]
    private var members: [Int64: [PeerID: StoredRoomMember.State]] = [:]

    init(_ keys: [StoredRoomKey], _ store: Store) async throws(StoreError) {
        self.keys = keys
        for key in keys {
            let known = try await store.rooms.members(under: key.seq)
            members[key.seq] = Dictionary(known.map { ($0.peer, $0.state) }) { first, _ in first }
        }
    }

    func current(_ room: RoomName) -> StoredRoomKey? { keys.first { $0.room == room } }

    func isCurrent(_ key: StoredRoomKey) -> Bool { current(key.room)?.seq == key.seq }

    private func isIn(_ peer: PeerID, _ key: StoredRoomKey) -> Bool {
        let state = members[key.seq]?[peer]
        return state == .here || state == .invited
    }

    /// Removed since: their later lines are dropped.
    func isSilenced(_ peer: PeerID, under key: StoredRoomKey, at date: WallTime) -> Bool {
        guard let current = current(key.room), current.seq != key.seq, !isIn(peer, current) else { return false }
        return keys.contains { later in
            later.room == key.room && later.number > key.number && members[later.seq]?[peer] == .removed
                && date > later.taken
        }
    }

    /// Neither a member of the current room nor removed from it.
    func isStranger(_ peer: PeerID, under key: StoredRoomKey) -> Bool {
        guard let current = current(key.room), current.seq != key.seq, !isIn(peer, current) else { return false }
        return !keys.contains { $0.room == key.room && members[$0.seq]?[peer] == .removed }
    }
}
