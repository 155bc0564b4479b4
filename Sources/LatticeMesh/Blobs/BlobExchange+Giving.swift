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
        guard links.values[row].isNew(ask) else { return }
        func decline(_ reason: Absent.Reason, wait: UInt16 = 0) {
            effects.append(.send(.absent(Absent(ask: ask, reason, waitSeconds: wait)), to: link))
        }
        guard links.values[row].admits(hops: hops, at: now) else { return decline(.busy, wait: 1) }
        guard links.values[row].asksIn.count < BlobLimit.asksMax else { return decline(.tooManyAsks) }
        links.values[row].asksIn[ask] = GivenAsk(name, hops: hops)
        add(ranges, ask, at: row, link, into: &effects)
        effects.append(.look(name, ask: ask, on: link))
    }

    private mutating func add(
        _ ranges: PieceRanges, _ ask: UInt32, at row: Int, _ link: LinkID, into effects: inout [Effect]
    ) {
        guard !ranges.isEmpty, !links.values[row].add(ranges, to: ask) else { return }
        effects.append(.send(.absent(Absent(ask: ask, .busy, pieces: ranges)), to: link))
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
            if wants[name] != nil { return join(ask, name, on: link, at: now, into: &effects) }
            if case .some(let pieces) = found, !pieces.isEmpty {
                links[link]?.asksIn[ask]?.held = .some(pieces)
                if given.hops > 0 { seek(for: ask, name, on: link, having: pieces, at: now, into: &effects) }
            } else if given.hops > 0 {
                return seek(for: ask, name, on: link, having: nil, at: now, into: &effects)
            } else {
                return decline(ask, .notHere, on: link, into: &effects)
            }
            tellHere(ask, on: link, into: &effects)
        case .otherSize: return decline(ask, .otherSize, on: link, into: &effects)
        }
        settle(ask, on: link, at: now, into: &effects)
    }

    /// A neighbour asks for what is being fetched here. It hears what is here so far, even if that is nothing.
    private mutating func join(
        _ ask: UInt32, _ name: BlobName, on link: LinkID, at now: Instant, into effects: inout [Effect]
    ) {
        guard let want = wants[name], let given = links[link]?.asksIn[ask] else { return }
        links[link]?.asksIn[ask]?.held = .coming
        if given.hops > 0, want.purpose != .whole {
            let behind = want.behind(except: link)
            let hasNothing = want.have.isEmpty && behind == nil
            if sought[name].map({ $0 > now }) ?? false {
                if hasNothing { return decline(ask, .notHere, on: link, into: &effects) }
            } else if behind.map({ $0.pieces != nil }) ?? true {
                if hasNothing {
                    links[link]?.asksIn[ask]?.held = .sought(until: now.advanced(by: BlobLimit.seeking))
                }
                seekForOthers(name, hops: given.hops, at: now, into: &effects)
            }
        }
        tellHere(ask, on: link, into: &effects)
        tellBehind(ask, on: link, into: &effects)
        settle(ask, on: link, at: now, into: &effects)
    }

    private mutating func decline(
        _ ask: UInt32, _ reason: Absent.Reason, on link: LinkID, into effects: inout [Effect]
    ) {
        links[link]?.asksIn[ask] = nil
        effects.append(.send(.absent(Absent(ask: ask, reason)), to: link))
    }

    /// Gives what is here, and says of what is asked for whether it may still come.
    private mutating func settle(_ ask: UInt32, on link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard let given = links[link]?.asksIn[ask] else { return }
        switch given.held {
        case .unknown, .sought, .all: break
        case .some, .coming:
            let missing = given.missing(where: given.isHere(wants[given.name]?.have))
            let coming = missing.filter { wants[given.name]?.canCome($0, except: link) ?? false }
            if !coming.isEmpty {
                if wants[given.name]?.begins() ?? false { effects.append(.begin(given.name)) }
                wants[given.name]?.want(coming)
                if wants[given.name]?.idleSince != nil { wants[given.name]?.idleSince = now }
                fetch(given.name, at: now, into: &effects)
            }
            var gone = Set(missing).subtracting(coming).sorted()[...]
            while !gone.isEmpty {
                let ranges = PieceRanges(asking: gone)
                gone = gone.dropFirst(ranges.pieceCount)
                _ = links[link]?.asksIn[ask]?.remove(ranges)
                effects.append(.send(.absent(Absent(ask: ask, .notHere, pieces: ranges)), to: link))
            }
        }
        giveNext(on: link, into: &effects)
    }

    // MARK: - For others

    /// Looks for a blob at other links, because a neighbour wants it.
    private mutating func seek(
        for ask: UInt32, _ name: BlobName, on link: LinkID, having pieces: PieceSet?, at now: Instant,
        into effects: inout [Effect]
    ) {
        let passing = wants.values.count { $0.asker != nil }
        guard let given = links[link]?.asksIn[ask], name.size <= BlobLimit.passingSizeMax,
            sought[name].map({ $0 <= now }) ?? true, passing < BlobLimit.passingMax, links.count > 1,
            links[link]?.maySeek(isNear: given.hops == Want.hopsMax, at: now) ?? false
        else {
            // What is here is given all the same.
            if pieces == nil { decline(ask, .notHere, on: link, into: &effects) }
            return
        }
        links[link]?.asksIn[ask]?.held =
            pieces == nil ? .sought(until: now.advanced(by: BlobLimit.seeking)) : .coming
        let asker = BlobAsker(link: link, isNear: given.hops == Want.hopsMax)
        wants[name] = BlobWant(name, .passing(for: asker), have: pieces ?? PieceSet(of: BlobShape(name).pieceCount))
        if pieces != nil, wants[name]?.begins() ?? false { effects.append(.begin(name)) }
        seekForOthers(name, hops: given.hops, at: now, into: &effects)
        guard pieces == nil, wants[name]?.sources.isEmpty ?? false else { return }
        // No neighbour could be asked: the next who wants it may have more luck.
        sought[name] = nil
        end(name, at: now, into: &effects)
    }

    private mutating func seekForOthers(
        _ name: BlobName, hops: UInt8, at now: Instant, into effects: inout [Effect]
    ) {
        sought[name] = now.advanced(by: BlobLimit.seekAgain)
        if sought.count > BlobLimit.soughtMax { sought.removeFirst() }
        wants[name]?.seeks(hops: hops - 1)
        wants[name]?.idleSince = now
        seek(name, at: now, into: &effects)
        wants[name]?.seekAt = nil
    }

    /// What neighbours hear of a blob is gathered for a while.
    mutating func tellSoon(_ name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants[name] else { return }
        if let next = want.toldAt?.advanced(by: BlobLimit.toldInterval), next > now {
            wants[name]?.tellAt = next
        } else {
            tellAskers(of: name, at: now, into: &effects)
        }
    }

    /// Tells neighbours that ask what has come, and what is behind other links.
    mutating func tellAskers(of name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants[name] else { return }
        wants[name]?.untoldCount = 0
        wants[name]?.toldAt = now
        wants[name]?.tellAt = nil
        for (link, row) in links {
            for (ask, given) in row.asksIn where given.name == name {
                if want.have.count > given.toldCount { tellHere(ask, on: link, into: &effects) }
                tellBehind(ask, on: link, into: &effects)
            }
        }
    }

    private mutating func tellHere(_ ask: UInt32, on link: LinkID, into effects: inout [Effect]) {
        guard let given = links[link]?.asksIn[ask], let pieces = given.here(wants[given.name]?.have) else { return }
        links[link]?.asksIn[ask]?.toldCount = pieces.count
        for ranges in PieceRanges.frames(of: pieces) {
            effects.append(.send(.holds(.have(ask: ask, away: 0, pieces: ranges)), to: link))
        }
    }

    /// Who asks is not sent back to itself, and hears only of what is nearer or more than before.
    private mutating func tellBehind(_ ask: UInt32, on link: LinkID, into effects: inout [Effect]) {
        guard let given = links[link]?.asksIn[ask], given.hops > 0, let want = wants[given.name],
            let behind = want.behind(except: link), behind.away < Holds.awayMax
        else { return }
        switch given.held {
        case .unknown, .all, .some: return
        case .sought:
            links[link]?.asksIn[ask]?.held = .coming
        case .coming: break
        }
        if wants[given.name]?.begins() ?? false { effects.append(.begin(given.name)) }
        for news in links[link]?.asksIn[ask]?.news(of: behind, ask: ask) ?? [] {
            effects.append(.send(.holds(news), to: link))
        }
    }

    /// Sources behind other links are gone. Neighbours that know of them get an `absent` frame.
    mutating func takeBack(_ name: BlobName, at now: Instant, into effects: inout [Effect]) {
        for (link, row) in links {
            for (ask, given) in row.asksIn where given.name == name {
                guard let want = wants[name], case .coming = given.held else { continue }
                if given.toldBehind != nil {
                    guard let behind = want.behind(except: link) else {
                        decline(ask, .notHere, on: link, into: &effects)
                        continue
                    }
                    let count = behind.pieces?.count ?? want.shape.pieceCount
                    links[link]?.asksIn[ask]?.toldBehind = (behind.away + 1, count)
                }
                settle(ask, on: link, at: now, into: &effects)
            }
        }
    }

    mutating func began(_ name: BlobName, _ have: PieceSet?, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants[name], want.asker != nil else { return }
        guard let have else { return end(name, at: now, into: &effects) }
        wants[name]?.found(have)
        wants[name]?.space = .ready
        for (link, row) in links {
            for (ask, given) in row.asksIn where given.name == name { settle(ask, on: link, at: now, into: &effects) }
        }
    }

    // MARK: - Giving

    mutating func giveNext(on link: LinkID, into effects: inout [Effect]) {
        guard let row = links.index(forKey: link) else { return }
        let wants = wants
        guard let next = links.values[row].nextToGive({ $0.isHere(wants[$0.name]?.have) }) else { return }
        effects.append(.give(next.name, ask: next.ask, next.numbers, to: link))
    }

    mutating func gave(
        _ name: BlobName, ask: UInt32, count: Int, missing: [Int], to link: LinkID, into effects: inout [Effect]
    ) {
        guard let row = links.index(forKey: link) else { return }
        links.values[row].gave(count)
        if !missing.isEmpty {
            effects.append(.send(.absent(Absent(ask: ask, .notHere, pieces: PieceRanges(asking: missing))), to: link))
        }
        giveNext(on: link, into: &effects)
    }
}
