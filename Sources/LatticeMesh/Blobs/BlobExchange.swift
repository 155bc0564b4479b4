package import LatticeCore
import LatticeWire
import OrderedCollections

/// Fetches blobs from neighbours, and gives them to neighbours.
///
/// It knows numbers of pieces and no bytes. A store checks and keeps pieces, and reads them; see `LatticeMesh.md`, "Blobs".
package struct BlobExchange: Sendable {
    package typealias Event = BlobEvent
    package typealias Effect = BlobEffect
    package typealias Found = BlobFound
    package typealias Verdict = BlobVerdict

    var wants: OrderedDictionary<BlobName, BlobWant> = [:]
    var links: OrderedDictionary<LinkID, BlobLink> = [:]
    /// Blobs that were looked for on behalf of others, and until when that is not done again.
    var sought: OrderedDictionary<BlobName, Instant> = [:]
    private(set) var standings = BlobStandings()
    /// Blobs and links of sources that were given up: others are asked, and for other blobs.
    private var loose: (names: OrderedSet<BlobName>, links: OrderedSet<LinkID>) = ([], [])
    /// Pieces that came and are not checked.
    private(set) var arrivedCount = 0
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
        case .offer(let name, let targets): offer(name, to: targets, at: now, into: &effects)
        case .taken(let name, let have, let link): taken(name, have, from: link, at: now, into: &effects)
        case .looked(let name, let ask, let link, let found):
            looked(name, ask, on: link, found, at: now, into: &effects)
        case .began(let name, let have): began(name, have, at: now, into: &effects)
        case .checked(let name, let number, let link, let verdict):
            checked(name, number, from: link, verdict, at: now, into: &effects)
        case .gave(let name, let ask, let count, let missing, let link):
            gave(name, ask: ask, count: count, missing: missing, to: link, into: &effects)
        case .room(let link):
            links[link]?.hasRoom()
            giveNext(on: link, into: &effects)
        case .tick: passed(at: now, into: &effects)
        }
        fetchLoose(at: now, into: &effects)
        return effects
    }

    /// Pieces that a source no longer owes are asked of others, or declined to neighbours that wait for them.
    private mutating func fetchLoose(at now: Instant, into effects: inout [Effect]) {
        while !loose.names.isEmpty || !loose.links.isEmpty {
            if !loose.names.isEmpty {
                let name = loose.names.removeFirst()
                fetch(name, at: now, into: &effects)
                takeBack(name, at: now, into: &effects)
            } else {
                refill(loose.links.removeFirst(), at: now, into: &effects)
            }
        }
    }

    mutating func loosen(_ name: BlobName, _ link: LinkID) {
        loose.names.append(name)
        loose.links.append(link)
    }

    // MARK: - Links

    private mutating func opened(_ link: LinkID, to peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        guard links[link] == nil else { return }
        links[link] = BlobLink(peer)
        for (name, want) in wants where want.purpose != .keeping {
            ask(link, for: name, hops: 0, at: now, into: &effects)
        }
    }

    private mutating func closed(_ link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard links.removeValue(forKey: link) != nil else { return }
        for name in Array(wants.keys) {
            wants[name]?.out[link] = nil
            guard wants[name]?.sources[link] != nil else { continue }
            _ = wants[name]?.drop(link)
            seekIfNobody(name, at: now)
            loosen(name, link)
        }
    }

    // MARK: - Asking

    private mutating func wanted(
        _ name: BlobName, _ have: PieceSet, from link: LinkID?, at now: Instant, into effects: inout [Effect]
    ) {
        if wants[name] != nil {
            wants[name]?.found(have)
            wants[name]?.wantAll(.whole)
            // The last pieces may have come another way.
            if wants[name]?.isComplete == true { return complete(name, at: now, into: &effects) }
            if let want = wants[name], !want.hasSource, !want.isComplete {
                wants[name]?.ring = 0
                seek(name, at: now, first: link, into: &effects)
            }
            return fetch(name, at: now, into: &effects)
        }
        guard have.isComplete || wants.count < BlobLimit.wantsMax else { return effects.append(.nobodyHas(name)) }
        wants[name] = BlobWant(name, .whole, have: have)
        if have.isComplete { return complete(name, at: now, into: &effects) }
        seek(name, at: now, first: link, into: &effects)
    }

    /// Asks every neighbour that is not asked yet.
    mutating func seek(_ name: BlobName, at now: Instant, first: LinkID? = nil, into effects: inout [Effect]) {
        guard let want = wants[name] else { return }
        let hops = want.hops
        for link in (first.map { [$0] } ?? []) + links.keys {
            // It has nothing that is lacking, so it is asked to look further.
            let source = want.sources[link]
            let isAskedFurther = source.map { $0.away != nil && $0.believedAt == nil && !want.isUseful($0) } ?? false
            if hops > 0, isAskedFurther, let source {
                effects.append(.send(.want(Want(ask: source.ask, .less(.none))), to: link))
                links[link]?.asksOut[source.ask] = nil
                lose(link, of: name)
            }
            ask(link, for: name, hops: hops, at: now, into: &effects)
            if hops > 0, isAskedFurther, let source { wants[name]?.sources[link]?.remember(source) }
        }
        // Neighbours that began together do not go on together: each is asked on behalf of one of them at a time.
        wants[name]?.seekAt = now.advanced(by: want.seekWait * Double.random(in: 0.75...1.25, using: &generator))
    }

    /// Whether this peer is asked for nothing at the moment, because it sent wrong pieces or what nobody asked for.
    package func isShunned(_ peer: PeerID, at now: Instant) -> Bool { standings.isShunned(peer, at: now) }

    mutating func ask(
        _ link: LinkID, for name: BlobName, hops: UInt8, at now: Instant, into effects: inout [Effect]
    ) {
        guard let want = wants[name], want.sources[link] == nil, want.sources.count < BlobLimit.sourcesMax,
            want.out[link]?.until.map({ $0 <= now }) ?? true, let index = links.index(forKey: link),
            links.values[index].asksOut.count < BlobLimit.asksMax,
            !isShunned(links.values[index].peer, at: now),
            mayPass(name, hops: hops, over: index, for: want.asker, at: now)
        else { return }
        let ask = links.values[index].open(name)
        wants[name]?.sources[link] = BlobSource(ask: ask, of: want.shape.pieceCount, at: now)
        wants[name]?.out[link]?.until = nil
        effects.append(.send(.want(Want(ask: ask, .open(name, hops: hops, .none))), to: link))
    }

    private mutating func mayPass(
        _ name: BlobName, hops: UInt8, over index: Int, for asker: BlobAsker?, at now: Instant
    ) -> Bool {
        guard let asker else { return true }
        let taken = links[asker.link]?.taken(isNear: asker.isNear, at: now) ?? 0
        return links.values[index].mayPass(name, hops: hops, asker: { wants[$0]?.asker }, taken: taken, at: now)
    }

    /// Asks sources for pieces, as many as their links carry.
    mutating func fetch(_ name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let index = wants.index(forKey: name) else { return }
        if wants.values[index].isComplete { return complete(name, at: now, into: &effects) }
        for link in Array(wants.values[index].sources.keys) { fetch(name, from: link, at: now, into: &effects) }
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
            let wanted = wants.index(forKey: name), wants.values[wanted].lacks, wants.values[wanted].space == .ready,
            wants.values[wanted].pausedUntil.map({ $0 <= now }) ?? true,
            let source = wants.values[wanted].sources[link], source.away != nil, source.restsUntil == nil
        else { return }
        let room = min(links.values[row].pace.window - links.values[row].owedCount, wants.values[wanted].most)
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
        guard let arrival = wants.values[index].came(number, on: link, at: now) else {
            if !wants.values[index].wasExcused(number, on: link) { unasked(ask, on: link, at: now, into: &effects) }
            return
        }
        links.values[row].owedCount -= 1
        links.values[row].pace.came(arrival.mark, at: now)
        for other in arrival.others {
            links[other]?.owedCount -= 1
            guard let ask = wants.values[index].sources[other]?.ask else { continue }
            effects.append(.send(.want(Want(ask: ask, .less(PieceRanges(asking: [number])))), to: other))
        }
        if arrival.isOutOfOrder { putOut(link, of: name, at: now, into: &effects) }
        if !arrival.isEarly {
            arrivedCount += 1
            effects.append(.check(name, number: number, from: link))
        }
        refill(link, at: now, into: &effects)
    }

    private mutating func unasked(_ ask: UInt32, on link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard let row = links.index(forKey: link) else { return }
        guard !links.values[row].excuses(ask, at: now) else { return }
        standings.shun(links.values[row].peer, at: now)
        dropSources(of: links.values[row].peer, at: now, into: &effects)
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
        switch verdict {
        case .kept:
            wants.values[index].checked(number, isKept: true)
            let wasPaused = wants.values[index].goesOn()
            wants.values[index].out[link]?.gave()
            effects.append(.progress(name, wants.values[index].have.count))
            if wants.values[index].isComplete { return complete(name, at: now, into: &effects) }
            if wants.values[index].untoldCount >= BlobLimit.toldEvery { tellSoon(name, at: now, into: &effects) }
            for link in links.keys { giveNext(on: link, into: &effects) }
            if wasPaused { fetch(name, at: now, into: &effects) }
        case .again:
            if wants.values[index].again(number) { wants.values[index].rest(at: now) }
        case .wrong:
            wants.values[index].checked(number, isKept: false)
            wrong(number, of: name, from: link, at: now, into: &effects)
        case .notStored:
            wants.values[index].checked(number, isKept: false)
            return wants.values[index].rest(at: now)
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
        if standings.wasWrong(row.peer, at: now) { dropSources(of: row.peer, at: now, into: &effects) }
    }

    /// It is no source of this blob for a while.
    mutating func putOut(_ link: LinkID, of name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let source = wants[name]?.sources[link] else { return }
        effects.append(.send(.want(Want(ask: source.ask, .less(.none))), to: link))
        links[link]?.asksOut[source.ask] = nil
        lose(link, of: name)
        wants[name]?.out[link, default: BlobOutcast()].wasAtFault(at: now)
        seekIfNobody(name, at: now)
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
