import LatticeCore
import LatticeWire
import OrderedCollections

// What neighbours answer.
extension BlobExchange {
    mutating func told(_ holds: Holds, on link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard let row = links[link], !isShunned(row.peer, at: now) else { return }
        guard case .have(let ask, let away, let pieces) = holds else {
            if case .offer(let name) = holds { offered(name, on: link, at: now, into: &effects) }
            return
        }
        guard let name = row.asksOut[ask], let index = wants.index(forKey: name),
            wants.values[index].sources[link]?.ask == ask
        else { return }
        wants.values[index].sources[link]?.claims(pieces, away: away, at: now)
        if let source = wants.values[index].sources[link], wants.values[index].isUseful(source) {
            wants.values[index].seekAt = nil
        }
        tellSoon(name, at: now, into: &effects)
        fetch(name, at: now, into: &effects)
    }

    mutating func declined(_ absent: Absent, on link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard let name = links[link]?.asksOut[absent.ask], let source = wants[name]?.sources[link],
            source.ask == absent.ask
        else {
            links[link]?.asksOut[absent.ask] = nil
            return
        }
        let wait = Int(absent.waitSeconds)
        if absent.pieces.isEmpty {
            links[link]?.asksOut[absent.ask] = nil
            lose(link, of: name)
            // One that has nothing is asked again with everybody, if nobody has it.
            if source.hasAny || wait > 0 || absent.reason == .busy || absent.reason == .tooManyAsks {
                wants[name]?.out[link, default: BlobOutcast()].ended(at: now, waitSeconds: wait)
            }
        } else if absent.reason == .asYouAsked {
            return  // They were released when that was asked.
        } else {
            let pieceCount = wants[name]?.shape.pieceCount ?? 0
            let numbers = Array(absent.pieces.numbers.prefix { $0 < pieceCount })
            let count = wants[name]?.release(numbers, of: link) ?? 0
            links[link]?.owedCount -= count
            if absent.reason == .notHere || absent.reason == .notGiven {
                wants[name]?.sources[link]?.declines(numbers, at: now)
            } else if wants[name]?.sources[link]?.wasBusy(at: now, waitSeconds: wait) ?? false {
                putOut(link, of: name, at: now, into: &effects)
            }
            loosen(name, link)
        }
        seekIfNobody(name, at: now)
    }

    /// A source is none any more.
    mutating func lose(_ link: LinkID, of name: BlobName) {
        let excused = wants[name]?.sources[link].map { $0.owed.count + $0.excused.count } ?? 0
        let count = wants[name]?.drop(link) ?? 0
        links[link]?.owedCount -= count
        links[link]?.excusedCount += excused
        loosen(name, link)
    }

    mutating func seekIfNobody(_ name: BlobName, at now: Instant) {
        guard let want = wants[name], want.purpose == .whole, want.seekAt == nil, want.lacks, !want.hasSource else {
            return
        }
        wants[name]?.seekAt = now.advanced(by: .milliseconds(500))
    }
}
