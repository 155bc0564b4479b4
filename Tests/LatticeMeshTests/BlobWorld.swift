import LatticeCore
import LatticeMesh
import LatticeWire
import OrderedCollections

/// Peers that exchange blobs over links with a delay. A piece is its number, and whether it is true.
struct BlobWorld {
    /// How a peer misbehaves.
    enum Lie {
        case none
        /// Gives pieces that are not those of the blob.
        case wrongPieces
        /// Says that it has everything, and sends nothing.
        case silent
    }

    struct Peer {
        var exchange: BlobExchange
        var lie = Lie.none
        /// What is on its disk.
        var kept: [BlobName: PieceSet] = [:]
        /// Whether it keeps what neighbours offer.
        var takesOffers = false
        var isDiskFull = false {
            didSet { wasDiskFull = wasDiskFull || isDiskFull }
        }
        private(set) var wasDiskFull = false
        var completed: [BlobName] = []
        var nobodyHas: [BlobName] = []
        var rechecked: [Int] = []
        /// Bytes of pieces that came.
        var bytesIn = 0
        var falseIn = 0
    }

    private enum Turn {
        case event(BlobExchange.Event, to: Int)
        case frame(Frame, isTrue: Bool, to: Int, on: LinkID)
    }

    private(set) var peers: [Peer] = []
    private var ends: [LinkID: (Int, Int)] = [:]
    private var queue: [(at: Instant, order: Int, turn: Turn)] = []
    private var order = 0
    private(set) var now = Instant.zero
    /// Milliseconds that a frame takes.
    var delay = 2
    /// Frames of each kind that were sent.
    private(set) var opens = 0

    init(_ count: Int) {
        for rank in 0..<count { peers.append(Peer(exchange: BlobExchange(seed: UInt64(rank)))) }
    }

    static func blob(_ number: UInt64, size: Int64) throws -> BlobName {
        guard let name = BlobName(root: Bytes32(words: (number, 0, 0, 0)), size: size) else { throw NoSuchBlob() }
        return name
    }

    struct NoSuchBlob: Error {}

    func id(_ rank: Int) -> PeerID { PeerID(Bytes32(words: (UInt64(rank) + 1, 0, 0, 0))) }

    mutating func change(_ rank: Int, _ change: (inout Peer) -> Void) { change(&peers[rank]) }

    mutating func keep(_ name: BlobName, at rank: Int, _ numbers: Range<Int>? = nil) {
        var set = PieceSet(of: BlobShape(name).pieceCount)
        set.insert(numbers ?? 0..<set.pieceCount)
        peers[rank].kept[name] = set
    }

    mutating func link(_ first: Int, _ second: Int, as link: LinkID) {
        ends[link] = (first, second)
        handle(.linkOpened(link, id(second)), at: first)
        handle(.linkOpened(link, id(first)), at: second)
    }

    mutating func cut(_ link: LinkID) {
        guard let (first, second) = ends.removeValue(forKey: link) else { return }
        handle(.linkClosed(link), at: first)
        handle(.linkClosed(link), at: second)
    }

    mutating func want(_ name: BlobName, at rank: Int, from link: LinkID? = nil) {
        let have = peers[rank].kept[name] ?? PieceSet(of: BlobShape(name).pieceCount)
        peers[rank].kept[name] = have
        handle(.wanted(name, have: have, from: link), at: rank)
    }

    mutating func offer(_ name: BlobName, at rank: Int, to links: [LinkID]) {
        handle(.offer(name, to: links), at: rank)
    }

    mutating func send(_ frame: Frame, to rank: Int, on link: LinkID) {
        later(0, .frame(frame, isTrue: true, to: rank, on: link))
    }

    /// Runs until nothing is left to do, or until that time.
    mutating func run(until end: Instant = Instant(nanoseconds: 3_600_000_000_000)) {
        while let next = nextTurn(before: end) {
            now = max(now, next.at)
            switch next.turn {
            case .event(let event, let rank): handle(event, at: rank)
            case .frame(let frame, let isTrue, let rank, let link): take(frame, isTrue: isTrue, rank, link)
            case nil: for rank in peers.indices { handle(.tick, at: rank) }
            }
        }
    }

    private mutating func nextTurn(before end: Instant) -> (at: Instant, turn: Turn?)? {
        let deadline = peers.compactMap(\.exchange.nextDeadline).min()
        if let first = queue.first, first.at <= deadline ?? first.at {
            guard first.at <= end else { return nil }
            queue.removeFirst()
            return (first.at, first.turn)
        }
        guard let deadline, deadline <= end else { return nil }
        return (deadline, nil)
    }

    private mutating func later(_ milliseconds: Int, _ turn: Turn) {
        order += 1
        let at = now.advanced(by: .milliseconds(milliseconds))
        let index = queue.firstIndex { $0.at > at } ?? queue.count
        queue.insert((at, order, turn), at: index)
    }

    private mutating func take(_ frame: Frame, isTrue: Bool, _ rank: Int, _ link: LinkID) {
        guard ends[link] != nil else { return }
        guard case .piece(let piece) = frame else { return handle(.received(frame, on: link), at: rank) }
        peers[rank].bytesIn += BlobShape.leafBytes
        if !isTrue { peers[rank].falseIn += 1 }
        let effects = peers[rank].exchange.handle(
            .pieceCame(ask: piece.ask, number: piece.number, on: link), at: now)
        for effect in effects {
            if case .check(let name, let number, let link) = effect {
                check(name, number, isTrue: isTrue, from: link, at: rank)
            } else {
                carryOut(effect, of: rank)
            }
        }
    }

    private mutating func check(_ name: BlobName, _ number: Int, isTrue: Bool, from link: LinkID, at rank: Int) {
        var verdict: BlobExchange.Verdict =
            if peers[rank].isDiskFull { .notStored } else { isTrue ? .kept : .wrong }
        let shape = BlobShape(name)
        // The store cannot verify a piece whose parent it lacks.
        let isProvable = shape.parent(of: number).map { peers[rank].kept[name]?.contains($0.number) ?? false } ?? true
        precondition(
            isProvable || peers[rank].wasDiskFull || verdict != .kept, "piece \(number) came before what proves it")
        if verdict == .kept, !isProvable { verdict = .again }
        if verdict == .kept { peers[rank].kept[name, default: PieceSet(of: shape.pieceCount)].insert(number) }
        later(1, .event(.checked(name, number: number, from: link, verdict), to: rank))
    }

    private mutating func handle(_ event: BlobExchange.Event, at rank: Int) {
        for effect in peers[rank].exchange.handle(event, at: now) { carryOut(effect, of: rank) }
    }

    private mutating func carryOut(_ effect: BlobExchange.Effect, of rank: Int) {
        switch effect {
        case .send(let frame, let link):
            if case .want(let want) = frame, case .open = want.kind { opens += 1 }
            guard let far = far(rank, on: link) else { return }
            later(delay, .frame(frame, isTrue: true, to: far, on: link))
        case .look(let name, let ask, let link):
            later(0, .event(.looked(name, ask: ask, on: link, found(name, at: rank)), to: rank))
        case .give(let name, let ask, let numbers, let link):
            if peers[rank].lie == .silent { return }
            for number in numbers {
                guard let far = far(rank, on: link) else { return }
                let isTrue = peers[rank].lie != .wrongPieces
                later(
                    delay,
                    .frame(.piece(PieceFrame(ask: ask, number: number, octets: [])), isTrue: isTrue, to: far, on: link))
            }
            later(0, .event(.gave(name, ask: ask, count: numbers.count, missing: [], to: link), to: rank))
            later(1, .event(.room(link), to: rank))
        case .begin(let name):
            let have = peers[rank].kept[name] ?? PieceSet(of: BlobShape(name).pieceCount)
            peers[rank].kept[name] = have
            later(0, .event(.began(name, have), to: rank))
        case .check: preconditionFailure("only a piece that came is checked")
        case .recheck(_, let number): peers[rank].rechecked.append(number)
        case .progress, .dropped: break
        case .completed(let name): peers[rank].completed.append(name)
        case .nobodyHas(let name): peers[rank].nobodyHas.append(name)
        case .offered(let name, let link):
            guard peers[rank].takesOffers else { return }
            let have = peers[rank].kept[name] ?? PieceSet(of: BlobShape(name).pieceCount)
            peers[rank].kept[name] = have
            later(0, .event(.taken(name, have: have, from: link), to: rank))
        }
    }

    private func found(_ name: BlobName, at rank: Int) -> BlobExchange.Found {
        if peers[rank].lie == .silent { return .all }
        if let set = peers[rank].kept[name] { return set.isComplete ? .all : set.isEmpty ? .nothing : .some(set) }
        return peers[rank].kept.keys.contains { $0.root == name.root } ? .otherSize : .nothing
    }

    private func far(_ rank: Int, on link: LinkID) -> Int? {
        ends[link].map { $0.0 == rank ? $0.1 : $0.0 }
    }
}
