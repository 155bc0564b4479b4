import LatticeCore
import LatticeWire
import OrderedCollections

// What neighbours ask for.
extension BlobExchange {
    mutating func asked(_ want: Want, on link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard let row = links.index(forKey: link) else { return }
        let ask = want.ask
        if case .open(let name, let hops, let ranges) = want.kind {
            return opened(name, ask, hops: hops, ranges, at: row, link, at: now, into: &effects)
        }
        guard links.values[row].asksIn[ask] != nil else {
            if case .more = want.kind { effects.append(.send(.absent(Absent(ask: ask, .noSuchAsk)), to: link)) }
            return
        }
        switch want.kind {
        case .open: break
        case .more(let ranges):
            add(ranges, ask, at: row, link, into: &effects)
            settle(ask, on: link, at: now, into: &effects)
        case .less(let ranges) where ranges.isEmpty:
            links.values[row].asksIn[ask] = nil
            effects.append(.send(.absent(Absent(ask: ask, .asYouAsked)), to: link))
        case .less(let ranges):
            let gone = links.values[row].asksIn[ask]?.remove(ranges) ?? .none
            if !gone.isEmpty { effects.append(.send(.absent(Absent(ask: ask, .asYouAsked, pieces: gone)), to: link)) }
        case .wrong(let number):
            guard let given = links.values[row].asksIn[ask], number < given.shape.pieceCount,
                links.values[row].accusations.take(of: BlobLimit.accusations, at: now)
            else { return }
            effects.append(.recheck(given.name, number: number))
        }
    }

    private mutating func opened(
        _ name: BlobName, _ ask: UInt32, hops: UInt8, _ ranges: PieceRanges, at row: Int, _ link: LinkID,
        at now: Instant, into effects: inout [Effect]
    ) {
        guard ask > links.values[row].lastAskIn else { return }
        links.values[row].lastAskIn = ask
        func decline(_ reason: Absent.Reason, wait: UInt16 = 0) {
            effects.append(.send(.absent(Absent(ask: ask, reason, waitSeconds: wait)), to: link))
        }
        guard links.values[row].opens.take(of: BlobLimit.opens, at: now),
            hops == 0 || links.values[row].seeks.take(of: BlobLimit.seeks, at: now)
        else { return decline(.busy, wait: 1) }
        guard links.values[row].asksIn.count < BlobLimit.asksMax else { return decline(.tooManyAsks) }
        links.values[row].asksIn[ask] = GivenAsk(name, hops: hops)
        add(ranges, ask, at: row, link, into: &effects)
        effects.append(.look(name, ask: ask, on: link))
    }

    private mutating func add(
        _ ranges: PieceRanges, _ ask: UInt32, at row: Int, _ link: LinkID, into effects: inout [Effect]
    ) {
        guard let given = links.values[row].asksIn[ask], !ranges.isEmpty else { return }
        guard given.waitingCount + ranges.pieceCount <= BlobLimit.waitingOfAskMax,
            links.values[row].waitingCount + ranges.pieceCount <= BlobLimit.waitingOfLinkMax
        else { return effects.append(.send(.absent(Absent(ask: ask, .busy, pieces: ranges)), to: link)) }
        links.values[row].asksIn[ask]?.add(ranges.ranges)
    }

    mutating func looked(
        _ name: BlobName, _ ask: UInt32, on link: LinkID, _ found: Found, at now: Instant, into effects: inout [Effect]
    ) {
        guard let given = links[link]?.asksIn[ask], given.name == name else { return }
        switch found {
        case .all:
            links[link]?.asksIn[ask]?.held = .all
            effects.append(.send(.holds(.have(ask: ask, away: 0, pieces: nil)), to: link))
        case .some, .nothing:
            if wants[name] != nil {
                links[link]?.asksIn[ask]?.held = .coming
                if given.hops > 0 { tellAskers(of: name, at: now, into: &effects) }
            } else if case .some(let pieces) = found {
                links[link]?.asksIn[ask]?.held = .some(pieces)
                if given.hops > 0 {
                    seek(for: ask, name, on: link, hops: given.hops, having: pieces, at: now, into: &effects)
                }
            } else if given.hops > 0 {
                return seek(for: ask, name, on: link, hops: given.hops, at: now, into: &effects)
            } else {
                return decline(ask, .notHere, on: link, into: &effects)
            }
            if let pieces = here(links[link]?.asksIn[ask]), !pieces.isEmpty {
                links[link]?.asksIn[ask]?.toldCount = pieces.count
                effects.append(.send(.holds(.have(ask: ask, away: 0, pieces: PieceRanges(of: pieces))), to: link))
            }
        case .otherSize: return decline(ask, .otherSize, on: link, into: &effects)
        }
        settle(ask, on: link, at: now, into: &effects)
    }

    private mutating func decline(
        _ ask: UInt32, _ reason: Absent.Reason, on link: LinkID, into effects: inout [Effect]
    ) {
        links[link]?.asksIn[ask] = nil
        effects.append(.send(.absent(Absent(ask: ask, reason)), to: link))
    }

    /// The pieces of an ask that are here; `nil` if all are, or if that is not known yet.
    private func here(_ ask: GivenAsk?) -> PieceSet? {
        switch ask?.held {
        case .some(.some(let pieces)): pieces
        case .coming: ask.flatMap { wants[$0.name]?.have }
        case .all, .unknown, .sought, nil: nil
        }
    }

    private func isHere(in ask: GivenAsk) -> (Int) -> Bool {
        if case .all = ask.held { return { _ in true } }
        let pieces = here(ask)
        return { pieces?.contains($0) ?? false }
    }

    /// Gives what is here, and says of what is asked for whether it may still come.
    private mutating func settle(_ ask: UInt32, on link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard let given = links[link]?.asksIn[ask] else { return }
        switch given.held {
        case .unknown, .sought, .all: break
        case .some, .coming:
            let missing = given.missing(where: isHere(in: given))
            guard !missing.isEmpty else { break }
            wants[given.name]?.want(missing)
            if let want = wants[given.name], hasSource(want) {
                wants[given.name]?.idleSince = now
                fetch(given.name, at: now, into: &effects)
            } else {
                let ranges = PieceRanges(asking: missing)
                _ = links[link]?.asksIn[ask]?.remove(ranges)
                effects.append(.send(.absent(Absent(ask: ask, .notHere, pieces: ranges)), to: link))
            }
        }
        giveNext(on: link, into: &effects)
    }

    // MARK: - For others

    /// Looks for a blob at other links, because a neighbour wants it.
    private mutating func seek(
        for ask: UInt32, _ name: BlobName, on link: LinkID, hops: UInt8, having pieces: PieceSet? = nil,
        at now: Instant,
        into effects: inout [Effect]
    ) {
        let passing = wants.values.count { $0.purpose == .passing }
        guard name.size <= BlobLimit.passingSizeMax, sought[name].map({ $0 <= now }) ?? true,
            passing < BlobLimit.passingMax, links.count > 1
        else {
            // What is here is given all the same.
            if pieces == nil { decline(ask, .notHere, on: link, into: &effects) }
            return
        }
        sought[name] = now.advanced(by: BlobLimit.seekAgain)
        if sought.count > 4 * BlobLimit.wantsMax { sought.removeFirst() }
        links[link]?.asksIn[ask]?.held =
            pieces == nil ? .sought(until: now.advanced(by: BlobLimit.seeking)) : .coming
        if pieces != nil { effects.append(.begin(name)) }
        var want = BlobWant(name, .passing, have: pieces ?? PieceSet(of: BlobShape(name).pieceCount))
        want.ring = Int(hops) - 1
        want.idleSince = now
        wants[name] = want
        seek(name, at: now, into: &effects)
        wants[name]?.seekAt = nil
    }

    /// Tells neighbours that ask what has come, and what is behind other links.
    mutating func tellAskers(of name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants[name] else { return }
        wants[name]?.untoldCount = 0
        var begins = false
        for (link, row) in links {
            for (ask, given) in row.asksIn where given.name == name {
                if case .coming = given.held, want.have.count > given.toldCount {
                    links[link]?.asksIn[ask]?.toldCount = want.have.count
                    let pieces = PieceRanges(of: want.have)
                    effects.append(.send(.holds(.have(ask: ask, away: 0, pieces: pieces)), to: link))
                }
                guard given.hops > 0, let (away, source) = nearest(of: want, except: link) else { continue }
                guard away <= Holds.awayMax, given.toldAway.map({ away < $0 }) ?? true else { continue }
                if case .sought = given.held {
                    links[link]?.asksIn[ask]?.held = .coming
                    begins = true
                }
                links[link]?.asksIn[ask]?.toldAway = away
                let pieces = source.hasAll ? nil : source.has.map { PieceRanges(of: $0) } ?? PieceRanges.none
                effects.append(.send(.holds(.have(ask: ask, away: away, pieces: pieces)), to: link))
            }
        }
        if begins { effects.append(.begin(name)) }
    }

    /// How far away the nearest source is for a neighbour, who is not sent back to itself.
    private func nearest(of want: BlobWant, except link: LinkID) -> (away: UInt8, BlobWant.Source)? {
        let others = want.sources.filter { $0.key != link && $0.value.away != nil }.values
        guard let source = others.min(by: { ($0.away ?? 0, $0.hasAll ? 0 : 1) < ($1.away ?? 0, $1.hasAll ? 0 : 1) })
        else { return nil }
        return ((source.away ?? 0) + 1, source)
    }

    mutating func began(_ name: BlobName, _ have: PieceSet?, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants[name], want.purpose == .passing else { return }
        guard let have else { return end(name, at: now, into: &effects) }
        wants[name]?.found(have)
        for (link, row) in links {
            for (ask, given) in row.asksIn where given.name == name { settle(ask, on: link, at: now, into: &effects) }
        }
    }

    // MARK: - Giving

    /// Neighbours' asks take turns, a few pieces at a time.
    mutating func giveNext(on link: LinkID, into effects: inout [Effect]) {
        guard let row = links.index(forKey: link), !links.values[row].isReading,
            links.values[row].queuedCount <= BlobLimit.givenAtOnce
        else { return }
        let count = links.values[row].asksIn.count
        for step in 0..<count {
            let index = (links.values[row].turn + step) % count
            let (ask, given) = links.values[row].asksIn.elements[index]
            guard given.waitingCount > 0 else { continue }
            let isHere = isHere(in: given)
            let numbers = links.values[row].asksIn.values[index].take(BlobLimit.givenAtOnce, where: isHere)
            guard !numbers.isEmpty else { continue }
            links.values[row].turn = index + 1
            links.values[row].isReading = true
            return effects.append(.give(given.name, ask: ask, numbers, to: link))
        }
    }

    mutating func gave(
        _ name: BlobName, ask: UInt32, count: Int, missing: [Int], to link: LinkID, into effects: inout [Effect]
    ) {
        guard let row = links.index(forKey: link) else { return }
        links.values[row].isReading = false
        links.values[row].queuedCount += count
        if !missing.isEmpty {
            effects.append(.send(.absent(Absent(ask: ask, .notHere, pieces: PieceRanges(asking: missing))), to: link))
        }
        giveNext(on: link, into: &effects)
    }
}
