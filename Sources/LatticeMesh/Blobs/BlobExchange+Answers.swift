import LatticeCore
import LatticeWire
import OrderedCollections

// What neighbours answer.
extension BlobExchange {
    mutating func told(_ holds: Holds, on link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard case .have(let ask, let away, let pieces) = holds, let name = links[link]?.asksOut[ask],
            let index = wants.index(forKey: name), let row = links[link], !isShunned(row.peer, at: now),
            var source = wants.values[index].sources[link], source.ask == ask
        else { return }
        source.away = min(source.away ?? away, away)
        source.heardAt = now
        if let pieces {
            let count = wants.values[index].shape.pieceCount
            var has = source.has ?? PieceSet(of: count)
            for range in pieces.ranges { has.insert(range.clamped(to: 0..<count)) }
            source.has = has
        } else {
            source.hasAll = true
        }
        wants.values[index].sources[link] = source
        if wants.values[index].isUseful(source) { wants.values[index].seekAt = nil }
        tellAskers(of: name, at: now, into: &effects)
        fetch(name, at: now, into: &effects)
    }

    mutating func declined(_ absent: Absent, on link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard let name = links[link]?.asksOut[absent.ask], wants[name]?.sources[link]?.ask == absent.ask else {
            links[link]?.asksOut[absent.ask] = nil
            return
        }
        if absent.pieces.isEmpty {
            links[link]?.asksOut[absent.ask] = nil
            lose(link, of: name)
            if absent.waitSeconds > 0 {
                wants[name]?.out[link] = (now.advanced(by: .seconds(Int(absent.waitSeconds))), 1)
            }
        } else if absent.reason == .asYouAsked {
            return  // They were released when that was asked.
        } else {
            let pieceCount = wants[name]?.shape.pieceCount ?? 0
            let numbers = Array(absent.pieces.numbers.prefix { $0 < pieceCount })
            let count = wants[name]?.release(numbers, of: link) ?? 0
            links[link]?.owedCount -= count
            if absent.reason == .notHere || absent.reason == .notGiven {
                wants[name]?.lost(numbers, at: link)
            } else {
                wants[name]?.pausedUntil = now.advanced(by: BlobLimit.pauseFirst)
            }
        }
        seekIfNobody(name, at: now)
        fetch(name, at: now, into: &effects)
        refill(link, at: now, into: &effects)
    }

    /// A source is none any more.
    mutating func lose(_ link: LinkID, of name: BlobName) {
        let excused = wants[name]?.sources[link].map { $0.owed.count + $0.excused.count } ?? 0
        let count = wants[name]?.drop(link) ?? 0
        links[link]?.owedCount -= count
        links[link]?.excusedCount += excused
    }

    func hasSource(_ want: BlobWant) -> Bool { want.sources.values.contains { want.isUseful($0) } }

    mutating func seekIfNobody(_ name: BlobName, at now: Instant) {
        guard let want = wants[name], want.purpose == .whole, want.seekAt == nil, want.lacks, !hasSource(want) else {
            return
        }
        wants[name]?.seekAt = now.advanced(by: .milliseconds(500))
    }
}
