import LatticeAPI
import LatticeCore
import OrderedCollections

/// How all known peers stand, and in which order that changed.
struct PeerBoard: Sendable {
    private struct Entry: Sendable {
        var name: String
        var link = LatticeAPI.PeerState.notConnected
        /// Links on the way by which the mesh says it is here; `nil` if it is not.
        var hops: Int?
        var reason: LatticeError?
        /// The round trip of the link with this peer; `nil` until it is measured.
        var roundTrip: Duration?
        var changed: UInt64 = 0
    }

    /// What the node remembers at a time.
    private static let peersMax = 4_096

    private var entries: OrderedDictionary<LatticeCore.PeerID, Entry> = [:]
    private(set) var lastChange: UInt64 = 0
    private(set) var isOver = false

    /// By id.
    var all: [PeerStatus] { entries.keys.sorted().compactMap(status) }

    /// By id.
    var connected: [Peer] { all.filter { $0.state == .connected }.map(\.peer) }

    subscript(id: LatticeCore.PeerID) -> PeerStatus? { status(of: id) }

    private func status(of id: LatticeCore.PeerID) -> PeerStatus? {
        guard let entry = entries[id] else { return nil }
        let isConnected = entry.link == .connected || entry.hops != nil
        let state: PeerState =
            if isConnected { .connected } else if entry.link == .connecting { .connecting } else { .notConnected }
        return PeerStatus(
            peer: Peer(id, name: entry.name), state: state,
            hops: isConnected ? (entry.link == .connected ? 1 : entry.hops) : nil,
            roundTrip: entry.link == .connected ? entry.roundTrip : nil,
            reason: state == .notConnected ? entry.reason : nil)
    }

    /// - Returns: the peer that changed first after `change`, and when; changes of it that are over are skipped.
    func next(after change: UInt64) -> (status: PeerStatus, changed: UInt64)? {
        let changed = entries.elements.lazy.filter { $0.value.changed > change }
        let next = changed.min { $0.value.changed < $1.value.changed }
        guard let next, let status = status(of: next.key) else { return nil }
        return (status, next.value.changed)
    }

    // MARK: - News

    mutating func note(_ change: PeerChange) {
        update(change.id) { entry in
            entry.name = change.name.text
            entry.link = change.state
            entry.reason = change.reason.flatMap(LatticeError.init)
        }
    }

    /// A link with this peer was just made.
    mutating func connected(_ peer: Peer) {
        update(peer.id.core) { ($0.name, $0.link, $0.reason) = (peer.name, .connected, nil) }
    }

    /// No change that readers of updates would see: it comes every few seconds.
    mutating func measured(_ id: LatticeCore.PeerID, _ roundTrip: Duration) {
        entries[id]?.roundTrip = roundTrip
    }

    mutating func note(_ change: PresenceChange) {
        update(change.id) { entry in
            entry.name = change.name.text
            entry.hops = change.isHere ? max(1, change.hops) : nil
        }
    }

    /// - Parameter list: every peer that the node knows.
    mutating func replace(with list: [PeerInfo]) {
        var left = Set(entries.keys)
        for info in list {
            guard let id = info.id else { continue }
            left.remove(id)
            update(id) { entry in
                entry.name = info.name
                entry.link = info.state
                entry.hops = info.isHere ? info.hops : nil
                entry.reason = info.reason.flatMap(LatticeError.init) ?? entry.reason
            }
        }
        for id in left {
            update(id) { ($0.link, $0.hops) = (.notConnected, nil) }
        }
    }

    mutating func end() {
        for id in entries.keys {
            update(id) { ($0.link, $0.hops) = (.notConnected, nil) }
        }
        isOver = true
    }

    /// Whether readers of updates learn it. A round trip alone is no news; the equality of peers leaves out names.
    private static func isNews(_ now: PeerStatus?, after before: PeerStatus?) -> Bool {
        before?.state != now?.state || before?.hops != now?.hops || before?.reason != now?.reason
            || before?.peer.name != now?.peer.name
    }

    private mutating func update(_ id: LatticeCore.PeerID, _ body: (inout Entry) -> Void) {
        guard !isOver else { return }
        let before = status(of: id)
        body(&entries[id, default: Entry(name: "")])
        // The next link is another one.
        if entries[id]?.link != .connected { entries[id]?.roundTrip = nil }
        guard Self.isNews(status(of: id), after: before) else { return }
        lastChange += 1
        entries[id]?.changed = lastChange
        guard entries.count > Self.peersMax else { return }
        let gone = entries.filter { $0.value.link == .notConnected && $0.value.hops == nil }
        if let oldest = gone.min(by: { $0.value.changed < $1.value.changed }) { entries[oldest.key] = nil }
    }
}

/// How all peers stand now, then each change. It ends with ``Session/run()``.
///
/// Any number of readers may iterate it, each from the beginning. A slow reader skips states that are over, but never the
/// last one of a peer.
public struct PeerUpdates: AsyncSequence, Sendable {
    /// One peer as it stands.
    public typealias Element = PeerStatus
    /// It does not throw.
    public typealias Failure = Never

    let board: Watched<PeerBoard>

    /// Begins with how all peers stand at the first call of `next`.
    public func makeAsyncIterator() -> Iterator { Iterator(board: board) }

    /// Reads the changes in order.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let board: Watched<PeerBoard>
        private var seen: UInt64 = 0

        fileprivate init(board: Watched<PeerBoard>) {
            self.board = board
        }

        private enum Look: Sendable {
            case status(PeerStatus, UInt64)
            case over
        }

        /// - Returns: `nil` after the end of the session, or when the task is cancelled.
        nonisolated(nonsending) public mutating func next() async -> PeerStatus? {
            let seen = seen
            let look = await board.first { board -> Look? in
                if let (status, changed) = board.next(after: seen) { return .status(status, changed) }
                return board.isOver ? .over : nil
            }
            guard case .status(let status, let changed) = look else { return nil }
            self.seen = changed
            return status
        }

        /// - Returns: `nil` after the end of the session, or when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> PeerStatus? {
            await next()
        }
    }
}
