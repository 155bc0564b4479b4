package import LatticeCore
package import LatticeWire
import OrderedCollections

/// Fetches blobs from neighbours, and gives them to neighbours.
///
/// It knows numbers of pieces and no bytes. A store checks and keeps pieces, and reads them; see `LatticeMesh.md`, "Blobs".
package struct BlobExchange: Sendable {
    package enum Event: Sendable {
        /// A link that carries records, to a peer that exchanges blobs.
        case linkOpened(LinkID, PeerID)
        case linkClosed(LinkID)
        /// A `want`, `holds` or `absent`.
        case received(Frame, on: LinkID)
        /// A piece came; the caller has its bytes.
        case pieceCame(ask: UInt32, number: Int, on: LinkID)
        /// A person or a rule wants all of this blob.
        ///
        /// - Parameters:
        ///   - have: the pieces that are here.
        ///   - from: the link of the peer that most likely has it; `nil` if unknown.
        case wanted(BlobName, have: PieceSet, from: LinkID?)
        case unwanted(BlobName)
        /// The answer to `look`.
        case looked(BlobName, ask: UInt32, on: LinkID, Found)
        /// The answer to `begin`; `nil` if there is no room for it.
        case began(BlobName, PieceSet?)
        /// The answer to `check`.
        case checked(BlobName, number: Int, from: LinkID, Verdict)
        /// These pieces are on their way, except those that could not be read.
        case gave(BlobName, ask: UInt32, count: Int, missing: [Int], to: LinkID)
        /// Fewer than four pieces wait in the link's own queue.
        case room(LinkID)
        case tick
    }

    /// What there is of a blob here.
    package enum Found: Hashable, Sendable {
        case all
        case some(PieceSet)
        /// Nothing, or nothing that may be given.
        case nothing
        case otherSize
    }

    package enum Verdict: Hashable, Sendable {
        case kept
        case wrong
        /// What proves it is missing.
        case again
        /// The disk is full or broken.
        case notStored
    }

    package enum Effect: Hashable, Sendable {
        case send(Frame, to: LinkID)
        case look(BlobName, ask: UInt32, on: LinkID)
        case give(BlobName, ask: UInt32, [Int], to: LinkID)
        /// Make room for a blob that neighbours want.
        case begin(BlobName)
        /// Neighbours no longer want it, and it is not complete.
        case dropped(BlobName)
        /// Verify the piece that came, and keep it.
        case check(BlobName, number: Int, from: LinkID)
        /// Verify a piece on disk: a neighbour says that it is wrong.
        case recheck(BlobName, number: Int)
        /// The number of pieces that are here.
        case progress(BlobName, Int)
        case completed(BlobName)
        /// All neighbours were asked, and nobody has it. It will be asked for again.
        case nobodyHas(BlobName)
    }

    var wants: OrderedDictionary<BlobName, BlobWant> = [:]
    var links: OrderedDictionary<LinkID, BlobLink> = [:]
    /// Blobs that were looked for on behalf of others, and until when that is not done again.
    var sought: OrderedDictionary<BlobName, Instant> = [:]
    var standings: OrderedDictionary<PeerID, BlobStanding> = [:]
    /// Pieces that came and are not checked.
    private var arrivedCount = 0
    private var generator: SeededGenerator

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Whether something is being fetched or given.
    package var isIdle: Bool { wants.isEmpty && links.values.allSatisfy { $0.asksIn.isEmpty } }

    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .linkOpened(let link, let peer): opened(link, to: peer, at: now, into: &effects)
        case .linkClosed(let link): closed(link, at: now, into: &effects)
        case .received(.want(let want), let link): asked(want, on: link, at: now, into: &effects)
        case .received(.holds(let holds), let link): told(holds, on: link, at: now, into: &effects)
        case .received(.absent(let absent), let link): declined(absent, on: link, at: now, into: &effects)
        case .received: break
        case .pieceCame(let ask, let number, let link): came(number, of: ask, on: link, at: now, into: &effects)
        case .wanted(let name, let have, let link): wanted(name, have, from: link, at: now, into: &effects)
        case .unwanted(let name): end(name, at: now, into: &effects)
        case .looked(let name, let ask, let link, let found):
            looked(name, ask, on: link, found, at: now, into: &effects)
        case .began(let name, let have): began(name, have, at: now, into: &effects)
        case .checked(let name, let number, let link, let verdict):
            checked(name, number, from: link, verdict, at: now, into: &effects)
        case .gave(let name, let ask, let count, let missing, let link):
            gave(name, ask: ask, count: count, missing: missing, to: link, into: &effects)
        case .room(let link):
            links[link]?.queuedCount = BlobLimit.givenAtOnce - 1
            giveNext(on: link, into: &effects)
        case .tick: passed(at: now, into: &effects)
        }
        return effects
    }

    // MARK: - Links

    private mutating func opened(_ link: LinkID, to peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        guard links[link] == nil else { return }
        links[link] = BlobLink(peer)
        for name in wants.keys { ask(link, for: name, hops: 0, at: now, into: &effects) }
    }

    private mutating func closed(_ link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard links.removeValue(forKey: link) != nil else { return }
        for name in Array(wants.keys) {
            _ = wants[name]?.drop(link)
            wants[name]?.out[link] = nil
            seekIfNobody(name, at: now)
            fetch(name, at: now, into: &effects)
        }
    }

    // MARK: - Asking

    private mutating func wanted(
        _ name: BlobName, _ have: PieceSet, from link: LinkID?, at now: Instant, into effects: inout [Effect]
    ) {
        if wants[name] != nil {
            wants[name]?.found(have)
            wants[name]?.wantAll()
            if let want = wants[name], !hasSource(want), !want.isComplete {
                wants[name]?.ring = 0
                seek(name, at: now, first: link, into: &effects)
            }
            return fetch(name, at: now, into: &effects)
        }
        guard wants.count < BlobLimit.wantsMax else { return effects.append(.nobodyHas(name)) }
        wants[name] = BlobWant(name, .whole, have: have)
        if have.isComplete { return complete(name, at: now, into: &effects) }
        seek(name, at: now, first: link, into: &effects)
    }

    /// Asks every neighbour that is not asked yet.
    mutating func seek(_ name: BlobName, at now: Instant, first: LinkID? = nil, into effects: inout [Effect]) {
        guard let want = wants[name] else { return }
        let hops = want.purpose == .passing ? UInt8(max(0, want.ring)) : UInt8(min(want.ring, Int(Want.hopsMax)))
        for link in (first.map { [$0] } ?? []) + links.keys {
            // It has nothing that is lacking, so it is asked to look further.
            if hops > 0, let source = want.sources[link], source.away != nil, !want.isUseful(source) {
                effects.append(.send(.want(Want(ask: source.ask, .less(.none))), to: link))
                links[link]?.asksOut[source.ask] = nil
                lose(link, of: name)
            }
            ask(link, for: name, hops: hops, at: now, into: &effects)
        }
        let wait: Duration =
            switch want.ring {
            case 0: .milliseconds(500)
            case 1: .seconds(1)
            case 2: .seconds(2)
            default: min(.seconds(10) * (1 << min(want.ring - 3, 6)), BlobLimit.seekLast)
            }
        wants[name]?.seekAt = now.advanced(by: wait)
    }

    func isShunned(_ peer: PeerID, at now: Instant) -> Bool { standings[peer]?.isShunned(at: now) ?? false }

    mutating func ask(
        _ link: LinkID, for name: BlobName, hops: UInt8, at now: Instant, into effects: inout [Effect]
    ) {
        guard let want = wants[name], want.sources[link] == nil, want.sources.count < BlobLimit.sourcesMax,
            want.out[link].map({ $0.until <= now }) ?? true, let index = links.index(forKey: link),
            links.values[index].asksOut.count < (want.purpose == .whole ? BlobLimit.asksMax : BlobLimit.asksMax / 2),
            !isShunned(links.values[index].peer, at: now),
            // Never back to a neighbour that asks for it here.
            want.purpose == .whole || !links.values[index].asksIn.values.contains(where: { $0.name == name })
        else { return }
        let ask = links.values[index].open(name)
        wants[name]?.sources[link] = BlobWant.Source(
            ask: ask, heardAt: now)
        effects.append(.send(.want(Want(ask: ask, .open(name, hops: hops, .none))), to: link))
    }

    /// Asks sources for pieces, as many as their links carry.
    mutating func fetch(_ name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants[name] else { return }
        if want.isComplete { return complete(name, at: now, into: &effects) }
        for link in want.sources.keys { fetch(name, from: link, at: now, into: &effects) }
        seekIfNobody(name, at: now)
    }

    /// Asks over a link for more, of all blobs that are fetched over it, each time another one first.
    mutating func refill(_ link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard let row = links.index(forKey: link) else { return }
        let names = Array(links.values[row].asksOut.values)
        guard !names.isEmpty else { return }
        links.values[row].refillTurn &+= 1
        let first = links.values[row].refillTurn % names.count
        for name in names[first...] + names[..<first] where links.values[row].pace.window > links.values[row].owedCount
        {
            fetch(name, from: link, at: now, into: &effects)
        }
    }

    private mutating func fetch(_ name: BlobName, from link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard arrivedCount < BlobLimit.arrivedMax, let row = links.index(forKey: link),
            let wanted = wants.index(forKey: name), wants.values[wanted].lacks,
            wants.values[wanted].pausedUntil.map({ $0 <= now }) ?? true,
            let source = wants.values[wanted].sources[link], source.away != nil
        else { return }
        let room = links.values[row].pace.window - links.values[row].owedCount
        let numbers = wants.values[wanted].pick(
            min(room, PieceRanges.askedPiecesMax), from: link, links.values[row].pace.mark(at: now), using: &generator)
        let ranges = PieceRanges(asking: numbers)
        // What does not fit one frame is asked for later.
        let rest = numbers.dropFirst(ranges.pieceCount)
        if !rest.isEmpty { _ = wants.values[wanted].release(rest, of: link) }
        guard !ranges.isEmpty else { return }
        links.values[row].owedCount += ranges.pieceCount
        effects.append(.send(.want(Want(ask: source.ask, .more(ranges))), to: link))
    }

    // MARK: - Pieces

    private mutating func came(
        _ number: Int, of ask: UInt32, on link: LinkID, at now: Instant, into effects: inout [Effect]
    ) {
        guard let row = links.index(forKey: link) else { return }
        guard let name = links.values[row].asksOut[ask], let index = wants.index(forKey: name),
            number < wants.values[index].shape.pieceCount, wants.values[index].sources[link]?.ask == ask
        else { return unasked(ask, on: link, at: now, into: &effects) }
        guard let (mark, others) = wants.values[index].came(number, on: link, at: now) else {
            if !wants.values[index].wasExcused(number, on: link) { unasked(ask, on: link, at: now, into: &effects) }
            return
        }
        links.values[row].owedCount -= 1
        links.values[row].pace.came(mark, at: now)
        for other in others {
            links[other]?.owedCount -= 1
            guard let ask = wants.values[index].sources[other]?.ask else { continue }
            effects.append(.send(.want(Want(ask: ask, .less(PieceRanges(asking: [number])))), to: other))
        }
        arrivedCount += 1
        effects.append(.check(name, number: number, from: link))
        refill(link, at: now, into: &effects)
    }

    private mutating func unasked(_ ask: UInt32, on link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard let row = links.index(forKey: link) else { return }
        if ask <= links.values[row].lastAskOut, links.values[row].excusedCount > 0 {
            links.values[row].excusedCount -= 1
            return
        }
        let isExcused = links.values[row].unasked.take(of: BlobLimit.unasked, at: now)
        if !isExcused { shun(links.values[row].peer, at: now, into: &effects) }
    }

    private mutating func checked(
        _ name: BlobName, _ number: Int, from link: LinkID, _ verdict: Verdict, at now: Instant,
        into effects: inout [Effect]
    ) {
        let wasFull = arrivedCount >= BlobLimit.arrivedMax
        arrivedCount -= 1
        defer {
            if wasFull { for link in links.keys { refill(link, at: now, into: &effects) } }
        }
        guard let index = wants.index(forKey: name) else { return }
        if verdict == .again {
            wants.values[index].again(number)
        } else {
            wants.values[index].checked(number, isKept: verdict == .kept)
        }
        switch verdict {
        case .kept:
            wants.values[index].pause = BlobLimit.pauseFirst
            effects.append(.progress(name, wants.values[index].have.count))
            if wants.values[index].isComplete { return complete(name, at: now, into: &effects) }
            if wants.values[index].untoldCount >= BlobLimit.toldEvery { tellAskers(of: name, at: now, into: &effects) }
            for link in links.keys { giveNext(on: link, into: &effects) }
        case .again: break
        case .wrong: wrong(number, of: name, from: link, at: now, into: &effects)
        case .notStored:
            guard wants.values[index].pausedUntil.map({ $0 <= now }) ?? true else { return }
            let pause = wants.values[index].pause
            wants.values[index].pausedUntil = now.advanced(by: pause)
            wants.values[index].pause = min(pause * 2, BlobLimit.pauseLast)
            return
        }
        fetch(name, at: now, into: &effects)
    }

    private mutating func wrong(
        _ number: Int, of name: BlobName, from link: LinkID, at now: Instant, into effects: inout [Effect]
    ) {
        guard let row = links[link] else { return }
        if let source = wants[name]?.sources[link] {
            effects.append(.send(.want(Want(ask: source.ask, .wrong(number))), to: link))
            putOut(link, of: name, at: now, into: &effects)
        }
        var standing = standings[row.peer] ?? BlobStanding()
        let isShunned = standing.wasWrong(at: now)
        standings[row.peer] = standing
        if standings.count > BlobLimit.standingsMax { standings.removeFirst() }
        if isShunned { dropSources(of: row.peer, at: now, into: &effects) }
    }

    /// It is no source of this blob for a while.
    mutating func putOut(_ link: LinkID, of name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let source = wants[name]?.sources[link] else { return }
        effects.append(.send(.want(Want(ask: source.ask, .less(.none))), to: link))
        links[link]?.asksOut[source.ask] = nil
        lose(link, of: name)
        let count = wants[name]?.out[link]?.count ?? 0
        let wait = min(BlobLimit.outFirst * (1 << min(count, 10)), BlobLimit.outLast)
        wants[name]?.out[link] = (now.advanced(by: wait), count + 1)
        seekIfNobody(name, at: now)
    }

    private mutating func shun(_ peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        var standing = standings[peer] ?? BlobStanding()
        standing.shun(at: now)
        standings[peer] = standing
        if standings.count > BlobLimit.standingsMax { standings.removeFirst() }
        dropSources(of: peer, at: now, into: &effects)
    }

    private mutating func dropSources(of peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        for (link, row) in links where row.peer == peer {
            for (ask, name) in row.asksOut {
                effects.append(.send(.want(Want(ask: ask, .less(.none))), to: link))
                lose(link, of: name)
                seekIfNobody(name, at: now)
            }
            links[link]?.asksOut.removeAll()
        }
    }
}
