package import LatticeCore
import LatticeWire

/// All links and their phases. `Mesh`, `Overlay` and `Invitations` change it; every machine reads it.
package struct LinkRegister: Sendable {
    /// In the order in which they opened. There are few, so a linear search is faster than a table.
    private(set) var rows: [LinkRow] = []
    /// Their ids in a dense array, because every incoming frame is looked up here.
    private var ids: [LinkID] = []
    /// The last reported state of each peer, so that a change is reported once however many links it has.
    private var reported: [PeerID: LinkState] = [:]
    /// Counts ended links, so that a machine with its own table sees when to check it.
    private(set) var endings = 0

    func index(of id: LinkID) -> Int? {
        ids.firstIndex(of: id)
    }

    subscript(at index: Int) -> LinkRow {
        get { rows[index] }
        _modify { yield &rows[index] }
    }

    subscript(_ id: LinkID) -> LinkRow? {
        index(of: id).map { rows[$0] }
    }

    func isConnected(_ id: LinkID) -> Bool {
        index(of: id).map { rows[$0].isConnected } ?? false
    }

    var connectedCount: Int {
        var count = 0
        for index in rows.indices where rows[index].isConnected { count += 1 }
        return count
    }

    /// Peers with a connected link.
    package var neighbourCount: Int { Set(rows.lazy.filter(\.isConnected).map(\.peer)).count }

    package func isNeighbour(_ peer: PeerID) -> Bool { connectedLinkID(to: peer) != nil }

    /// All links but those that are closing or wait for an invitation.
    var countInUse: Int {
        rows.count { $0.phase != .closing && !$0.isUninvited }
    }

    /// Links that are connected, or will be if they are accepted.
    var slotsTaken: Int {
        var count = 0
        for index in rows.indices where rows[index].takesSlot { count += 1 }
        return count
    }

    /// The links to this peer, without closing ones.
    func indices(to peer: PeerID) -> [Int] {
        var found: [Int] = []
        for index in rows.indices where rows[index].opened.peer == peer && rows[index].phase != .closing {
            found.append(index)
        }
        return found
    }

    /// All connected links, without one link and the links to one peer.
    func connected(without excluded: LinkID?, and peer: PeerID? = nil) -> [LinkID] {
        var found: [LinkID] = []
        for index in rows.indices {
            guard rows[index].isConnected, rows[index].id != excluded else { continue }
            if rows[index].opened.peer != peer { found.append(rows[index].id) }
        }
        return found
    }

    /// All connected links, each with its peer.
    package var connectedLinks: [(link: LinkID, peer: PeerID)] {
        rows.filter(\.isConnected).map { ($0.id, $0.peer) }
    }

    func connectedLink(to peer: PeerID) -> LinkRow? {
        rows.first { $0.peer == peer && $0.isConnected }
    }

    /// Like `connectedLink`, but cheap enough to call for every frame.
    func connectedLinkID(to peer: PeerID) -> LinkID? {
        for index in rows.indices where rows[index].opened.peer == peer && rows[index].isConnected {
            return rows[index].id
        }
        return nil
    }

    func isLinked(_ prefix: PeerPrefix) -> Bool {
        for index in rows.indices where rows[index].opened.peer.prefix == prefix && rows[index].phase != .closing {
            return true
        }
        return false
    }

    func state(of peer: PeerID) -> LinkState {
        var best = LinkState.notConnected
        for index in rows.indices where rows[index].opened.peer == peer {
            switch rows[index].state {
            case .connected: return .connected
            case .connecting: best = .connecting
            case .notConnected: break
            }
        }
        return best
    }

    mutating func add(_ row: LinkRow) {
        precondition(index(of: row.id) == nil, "a link opens once")
        rows.append(row)
        ids.append(row.id)
    }

    mutating func remove(at index: Int) -> LinkRow {
        ids.remove(at: index)
        endings += 1
        return rows.remove(at: index)
    }

    /// Says goodbye on a link. Its frames count until the other side closes it.
    mutating func close(_ index: Int, _ goodbye: Goodbye, into effects: inout [MeshEffect]) {
        guard rows[index].phase != .closing else { return }
        rows[index].phase = .closing
        endings += 1
        effects.append(.close(rows[index].id, goodbye))
    }

    /// Reports a peer's state if it has changed.
    mutating func report(_ opened: OpenedLink, end: LinkEnd? = nil, into effects: inout [MeshEffect]) {
        let state = state(of: opened.peer)
        guard reported[opened.peer, default: .notConnected] != state else { return }
        reported[opened.peer] = state == .notConnected ? nil : state
        effects.append(.stateChanged(opened.peer, opened.name, state, state == .notConnected ? end : nil))
    }
}
