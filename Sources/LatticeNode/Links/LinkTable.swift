import LatticeCore
import LatticeDiscovery
import LatticeLink
import LatticeWire
import OrderedCollections

/// Which links are open, and how much waits on each.
struct LinkTable {
    /// Queued bytes, of a link's 12 MB, beyond which the mesh holds back relayed records. The rest is for our own records and
    /// for a new link's 9 MB of outbox and presences.
    static let busyBytes = 1 << 20
    /// Queued bytes at which the next portion is released: some of the writer's batches, so that it never runs dry. Own speech
    /// is paced by it as well, so that it leaves relayed records their share.
    static let freeBytes = 512 << 10
    /// As many links as `LinkLimits` allows, and as many that have ended meanwhile.
    static let linksMax = 512
    /// Two milliseconds of signatures: batches also cost their readers less than single lines.
    private static let linesInTurnMax = 64

    private struct Row {
        let link: Link
        /// Its send queue is full; relayed records are held back.
        var isBusy = false
        /// It received nothing for a while; writers no longer wait for it.
        var isStalled = false
        /// Its queue will report that it has drained.
        var isWatched = false
    }

    let transport: Links
    /// What a handshake says about us.
    let face: PublicFace
    private var rows: OrderedDictionary<LinkID, Row> = [:]
    /// Lines written since links last had their turn.
    private var linesInTurn = 0

    init(_ transport: Links, _ face: PublicFace) {
        (self.transport, self.face) = (transport, face)
    }

    var isEmpty: Bool { rows.isEmpty }

    /// Bytes queued on all links.
    var waitingBytes: Int { rows.values.reduce(0) { $0 + $1.link.waitingBytes } }

    subscript(_ id: LinkID) -> Link? { rows[id]?.link }

    /// What a neighbour said about itself in the handshake.
    func introduction(of peer: PeerID) -> Introduction? {
        rows.values.lazy.map(\.link.peer).first { $0.peer == peer }
    }

    /// Names of neighbours.
    var names: [PeerID: String] {
        var names: [PeerID: String] = [:]
        for row in rows.values { names[row.link.peer.peer] = row.link.peer.name.text }
        return names
    }

    /// Links whose local address is gone. Without a carrier an address stays, so a cable soon plugged in again costs nothing.
    func without(_ interfaces: [NetworkInterface]) -> [LinkID] {
        let hosts = Set(interfaces.flatMap(\.addresses).map(\.text))
        return rows.values.filter { row in
            !row.link.isClosing && row.link.localHost.map { !hosts.contains($0) } ?? false
        }.map(\.link.id).sorted()
    }

    mutating func opened(_ link: Link) {
        rows[link.id] = Row(link: link)
    }

    mutating func closed(_ id: LinkID) {
        rows[id] = nil
    }

    /// Queues an encoded frame; a link with a full queue is closed. It changes nothing here, but an ordinary call would copy the
    /// table's parts for every frame.
    ///
    /// - Returns: whether it was queued.
    mutating func send(_ frame: [UInt8], to id: LinkID, _ lane: SendLane = .usual) -> Bool {
        guard let link = self[id] else { return false }
        if link.send(frame, lane) { return true }
        if !link.isClosing { link.close(Goodbye(.tooSlow, "the send queue to this peer is full")) }
        return false
    }

    /// Queues data between programs, like `send`. Chat goes first: data can be sent again.
    ///
    /// - Returns: whether it was queued; `nil` if the link is gone.
    mutating func sendData(_ frame: [UInt8], to id: LinkID) -> Bool? {
        self[id].map { $0.waitingBytes < Self.busyBytes && $0.send(frame) }
    }

    // MARK: - Full queues

    /// - Returns: whether its queue has just become full.
    mutating func becameBusy(_ id: LinkID) -> Bool {
        guard let row = rows[id], !row.isBusy, row.link.waitingBytes > Self.busyBytes, !row.link.isClosing else {
            return false
        }
        rows[id]?.isBusy = true
        return true
    }

    func isBusy(_ id: LinkID) -> Bool { rows[id]?.isBusy ?? false }

    mutating func becameFree(_ id: LinkID) {
        rows[id]?.isBusy = false
    }

    /// - Returns: the link, unless it is watched already.
    mutating func watch(_ id: LinkID) -> Link? {
        guard let row = rows[id], !row.isWatched else { return nil }
        rows[id]?.isWatched = true
        return row.link
    }

    mutating func unwatch(_ id: LinkID) {
        rows[id]?.isWatched = false
    }

    // MARK: - Pace of own speech

    /// Bytes queued on a link for which a writer should wait; `nil` if it need not.
    func excess(on id: LinkID) -> Int? {
        guard let row = rows[id], !row.isStalled, !row.link.isClosing else { return nil }
        let waiting = row.link.waitingBytes
        return waiting > Self.freeBytes ? waiting : nil
    }

    /// Links for which a writer should wait. A stalled one that has drained counts again from now on.
    mutating func slow() -> [LinkID] {
        var slow: [LinkID] = []
        for (id, row) in rows {
            if row.link.waitingBytes <= Self.freeBytes {
                if row.isStalled { rows[id]?.isStalled = false }
            } else if !row.isStalled {
                slow.append(id)
            }
        }
        return slow
    }

    /// After a wait for a slow link: if it took nothing, writers no longer wait for it.
    mutating func waited(for id: LinkID, excessBefore: Int) {
        if let now = excess(on: id), now >= excessBefore { rows[id]?.isStalled = true }
    }

    /// A caller on the node's thread that never suspends would starve the links.
    ///
    /// - Returns: whether the lines so far should be sent now.
    mutating func isTurnOver(after lines: Int) -> Bool {
        linesInTurn += lines
        guard linesInTurn >= Self.linesInTurnMax else { return false }
        linesInTurn = 0
        return true
    }
}
