import LatticeCore
import LatticeMesh
import LatticeWire

// What travels between peers.
extension BlobWorld {
    /// Bytes of a frame's message and its TCP header.
    private static let overhead = 70

    // MARK: - Links

    mutating func join(_ pair: Int) {
        let (left, right) = pairs[pair].ends
        guard pairs[pair].link == nil, !isCut[pair], peers[left].isUp, peers[right].isUp else { return }
        lastLink += 1
        let link = LinkID(rawValue: lastLink)
        pairs[pair].link = link
        pairOf[link] = pair
        handle(.linkOpened(link, peers[right].id), at: left)
        handle(.linkOpened(link, peers[left].id), at: right)
    }

    mutating func part(_ pair: Int) {
        guard let link = pairs[pair].link else { return }
        pairs[pair].link = nil
        pairOf[link] = nil
        for direction in 0...1 { pairs[pair].wires[direction].clear() }
        for rank in [pairs[pair].ends.0, pairs[pair].ends.1] where peers[rank].isUp {
            peers[rank].changeAll()
            peers[rank].asks[link] = nil
            peers[rank].asked[link] = nil
            peers[rank].owed[link] = nil
            handle(.linkClosed(link), at: rank)
        }
    }

    /// Open links of a peer, and who is at the other end.
    func links(of rank: Int) -> [(link: LinkID, far: Int)] {
        pairs.compactMap { pair in
            guard pair.ends.0 == rank || pair.ends.1 == rank, let link = pair.link else { return nil }
            return (link, pair.far(from: rank))
        }
    }

    // MARK: - Sending

    /// - Returns: whether there was space in the lane.
    mutating func transmit(_ parcel: BlobParcel, from rank: Int, over link: LinkID) -> Bool {
        guard let pair = pairOf[link] else { return true }
        let direction = pairs[pair].direction(from: rank)
        guard pairs[pair].wires[direction].put(parcel) else { return false }
        startWire(pair, direction)
        return true
    }

    mutating func startWire(_ pair: Int, _ direction: Int) {
        guard let link = pairs[pair].link, let parcel = pairs[pair].wires[direction].start() else { return }
        let ends = pairs[pair].ends
        let start = max(now, pairs[pair].stalledUntil)
        let gone = start + Int64(parcel.bytes) * 1_000_000_000 / pairs[pair].bytesPerSecond
        push(.sent(pair: pair, direction: direction, link: link, isPiece: parcel.isPiece), at: gone)
        push(.arrived(parcel, over: link, at: direction == 0 ? ends.1 : ends.0), at: gone + pairs[pair].delay)
    }

    mutating func send(_ frame: Frame, from rank: Int, over link: LinkID) {
        guard let pair = pairOf[link] else { return }
        var frame = frame
        if case .want(let want) = frame {
            guard let changed = note(want, from: rank, over: link, to: pairs[pair].far(from: rank)) else { return }
            frame = .want(changed)
        }
        _ = transmit(BlobParcel(frame: frame, bytes: frame.byteCount + Self.overhead), from: rank, over: link)
    }

    /// What a peer wants of another, for judges and sabotages.
    ///
    /// - Returns: what it sends; `nil` for nothing.
    private mutating func note(_ want: Want, from rank: Int, over link: LinkID, to far: Int) -> Want? {
        switch want.kind {
        case .open(let name, let hops, let ranges): return noteOpen(want, name, hops, ranges, from: rank, over: link)
        case .more(let ranges):
            guard let blob = peers[rank].asks[link]?[want.ask] else { return want }
            if plan.sabotage == .noEndGame,
                ranges.numbers.contains(where: { peers[rank].owes($0, of: blob, except: link) })
            {
                return nil
            }
            peers[rank].owed[link, default: [:]][want.ask, default: []].formUnion(ranges.numbers)
            if plan.sabotage == .askEverybody { askAll(ranges, of: blob, from: rank, except: link) }
        case .less(let ranges):
            if let blob = peers[rank].asks[link]?[want.ask], ranges.isEmpty || ranges.pieceCount > 1,
                peers[rank].disk[blob]?.have.isComplete != true
            {
                peers[rank].change(blob)
            }
            if ranges.isEmpty {
                story.tell("peer \(rank) ends its ask \(want.ask) of peer \(far)", at: milliseconds)
                peers[rank].owed[link]?[want.ask] = nil
            } else {
                peers[rank].owed[link]?[want.ask]?.subtract(ranges.numbers)
            }
            if plan.sabotage == .noCancel { return nil }
        case .wrong(let number):
            story.tell("peer \(rank) says that piece \(number) of peer \(far) is wrong", at: milliseconds)
        }
        return want
    }

    private mutating func noteOpen(
        _ want: Want, _ name: BlobName, _ hops: UInt8, _ ranges: PieceRanges, from rank: Int, over link: LinkID
    ) -> Want? {
        let words = words(name)
        story.tell("peer \(rank) asks for \(words) over link \(link.rawValue), \(hops) hops", at: milliseconds)
        let blob = number(of: name)
        if let blob { peers[rank].asks[link, default: [:]][want.ask] = blob }
        let isOwn = blob.map { peers[rank].disk[$0]?.use == .own } ?? false
        var hops = hops
        if plan.sabotage == .noSecondRing { hops = 0 }
        if plan.sabotage == .forwardAlways, !isOwn { hops = Want.hopsMax }
        if peers[rank].isHonest, !isOwn {
            judge.forwarded(name, hops: hops, by: rank, linkCount: links(of: rank).count, at: milliseconds)
        }
        return Want(ask: want.ask, .open(name, hops: hops, ranges))
    }

    private mutating func askAll(_ ranges: PieceRanges, of blob: Int, from rank: Int, except link: LinkID) {
        for (other, far) in links(of: rank) where other != link && far != rank {
            guard let ask = peers[rank].asks[other]?.filter({ $0.value == blob }).keys.max() else { continue }
            let frame = Frame.want(Want(ask: ask, .more(ranges)))
            _ = transmit(BlobParcel(frame: frame, bytes: frame.byteCount + Self.overhead), from: rank, over: other)
        }
    }

    // MARK: - Receiving

    mutating func arrived(_ parcel: BlobParcel, over link: LinkID, at rank: Int) {
        guard let pair = pairOf[link], peers[rank].isUp, peers[rank].lie?.floods != true else { return }
        let far = pairs[pair].far(from: rank)
        switch parcel.frame {
        case .piece(let piece): arrived(piece, parcel, over: link, from: far, at: rank)
        case .want(let want):
            if case .open(let name, let hops, _) = want.kind {
                judge.heard(name, hops: hops, at: rank, milliseconds)
                if !peers[rank].isHonest { peers[rank].asked[link, default: [:]][want.ask] = name }
            }
            if case .less(let ranges) = want.kind, ranges.isEmpty { peers[rank].asked[link]?[want.ask] = nil }
            if case .more(let ranges) = want.kind, peers[rank].lie == .falseHolds {
                send(.absent(Absent(ask: want.ask, .notHere, pieces: ranges)), from: rank, over: link)
                send(.holds(.have(ask: want.ask, away: 0, pieces: nil)), from: rank, over: link)
                return
            }
            handle(.received(parcel.frame, on: link), at: rank)
        case .absent(let absent):
            if absent.pieces.isEmpty {
                if absent.reason != .asYouAsked, let blob = peers[rank].asks[link]?[absent.ask] {
                    peers[rank].change(blob)
                }
                peers[rank].owed[link]?[absent.ask] = nil
            } else {
                peers[rank].owed[link]?[absent.ask]?.subtract(absent.pieces.numbers)
            }
            if plan.sabotage == .believeHolds, absent.reason == .notHere { return }
            handle(.received(parcel.frame, on: link), at: rank)
        default: handle(.received(parcel.frame, on: link), at: rank)
        }
    }

    private mutating func arrived(
        _ piece: PieceFrame, _ parcel: BlobParcel, over link: LinkID, from far: Int, at rank: Int
    ) {
        let isOwed = peers[rank].owed[link]?[piece.ask]?.remove(piece.number) != nil
        if let blob = peers[rank].asks[link]?[piece.ask] { peers[rank].wishes[blob]?.bytesIn += parcel.bytes }
        if !parcel.isTrue, peers[far].lie != nil {
            judge.cost(of: far, at: rank, bytes: parcel.bytes, milliseconds)
        }
        // An ask that never was excuses nothing.
        let isBlamed = plan.sabotage == .blameAfterCancel && !isOwed
        take(parcel, isBlamed ? .max : piece.ask, piece.number, over: link, at: rank)
    }

    // MARK: - Giving

    func found(_ name: BlobName, at rank: Int) -> BlobFound {
        switch peers[rank].lie {
        case .silent, .talks, .drips, .wrongPieces, .falseHolds, .wrongOrder: return .all
        case .endlessWants, .endlessSeeks, .endlessOffers, nil: break
        }
        guard let blob = number(of: name) else { return .nothing }
        if let held = peers[rank].disk.shared(blob) {
            return held.have.isComplete ? .all : held.have.isEmpty ? .nothing : .some(held.have)
        }
        // The first piece proves the size.
        let hasOther = names.indices.contains { other in
            names[other].root == name.root && peers[rank].disk.shared(other)?.have.contains(0) ?? false
        }
        return hasOther ? (plan.sabotage == .blameOnSize ? .all : .otherSize) : .nothing
    }

    mutating func give(_ name: BlobName, _ ask: UInt32, _ numbers: [Int], from rank: Int, over link: LinkID) {
        let shape = BlobShape(name)
        func parcel(_ number: Int, isTrue: Bool) -> BlobParcel {
            let frame = Frame.piece(PieceFrame(ask: ask, number: number, octets: []))
            return BlobParcel(frame: frame, bytes: shape.byteCount(of: number) + Self.overhead, isTrue: isTrue)
        }
        // No piece belongs to a false name.
        let canBeTrue = number(of: name).map { plan.blobs[$0].falseNameOf == nil } ?? false
        var count = numbers.count
        var missing: [Int] = []
        var wait: Int64 = 50_000
        switch peers[rank].lie {
        case .silent, .talks, .falseHolds, .endlessWants, .endlessSeeks, .endlessOffers: break
        case .drips:
            for number in numbers {
                wait += BlobLie.dripInterval * 1_000_000
                push(.drip(parcel(number, isTrue: canBeTrue), from: rank, over: link), after: wait)
            }
        case .wrongPieces, .wrongOrder:
            let isReversed = peers[rank].lie == .wrongOrder
            for number in isReversed ? numbers.reversed() : numbers {
                _ = transmit(parcel(number, isTrue: isReversed && canBeTrue), from: rank, over: link)
            }
        case nil:
            for number in numbers {
                guard let isTrue = reads(number, of: name, at: rank),
                    transmit(parcel(number, isTrue: isTrue), from: rank, over: link)
                else {
                    missing.append(number)
                    continue
                }
            }
            count -= missing.count
        }
        push(.gave(name, ask: ask, count: count, missing: missing, to: link), for: rank, after: wait)
    }

    /// - Returns: whether a piece is true; `nil` if it is not there.
    private mutating func reads(_ number: Int, of name: BlobName, at rank: Int) -> Bool? {
        guard let blob = self.number(of: name), let held = peers[rank].disk[blob] else {
            return plan.sabotage == .blameOnSize ? false : nil
        }
        guard held.have.contains(number) else { return nil }
        judge.gave(number, of: blob, held, rank, at: milliseconds)
        return !held.forged.contains(number) && !held.rotten.contains(number)
    }

    // MARK: - Liars

    mutating func mischief(of rank: Int) {
        guard let lie = peers[rank].lie else { return }
        push(.mischief(rank), after: BlobLie.mischiefInterval * 1_000_000)
        for (link, _) in links(of: rank) {
            switch lie {
            case .talks:
                for ask in (peers[rank].asked[link] ?? [:]).keys.sorted() {
                    send(.holds(.have(ask: ask, away: 0, pieces: PieceRanges.none)), from: rank, over: link)
                }
            case .endlessWants, .endlessSeeks, .endlessOffers:
                for _ in 0..<BlobLie.floodCount { send(nonsense(of: lie, by: rank), from: rank, over: link) }
            case .silent, .drips, .wrongPieces, .falseHolds, .wrongOrder: break
            }
        }
    }

    private mutating func nonsense(of lie: BlobLie, by rank: Int) -> Frame {
        let root = Bytes32(words: (generator.next(), generator.next(), 0, 0))
        guard let unknown = BlobName(root: root, size: 1 << 20) else { preconditionFailure("1 MiB is a size") }
        peers[rank].lastAsk += 1
        let ask = peers[rank].lastAsk
        switch lie {
        case .endlessOffers: return .holds(.offer(unknown))
        case .endlessSeeks: return .want(Want(ask: ask, .open(unknown, hops: Want.hopsMax, .none)))
        default:
            let name = names.randomElement(using: &generator) ?? unknown
            let last = min(BlobShape(name).pieceCount, PieceRanges.askedPiecesMax)
            if Bool.random(using: &generator), ask > 1 {
                return .want(
                    Want(ask: UInt32.random(in: 1..<ask, using: &generator), .more(PieceRanges(asking: 0..<last))))
            }
            return .want(Want(ask: ask, .open(name, hops: 0, PieceRanges(asking: 0..<last))))
        }
    }
}
