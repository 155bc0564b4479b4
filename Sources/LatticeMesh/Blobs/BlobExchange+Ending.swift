import LatticeCore
import LatticeWire
import OrderedCollections

// Blobs that are complete, or no longer wanted.
extension BlobExchange {
    mutating func complete(_ name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants.removeValue(forKey: name) else { return }
        closeAsks(of: want, at: now, into: &effects)
        effects.append(.completed(name))
        for (link, row) in links {
            for (ask, given) in row.asksIn where given.name == name {
                links[link]?.asksIn[ask]?.held = .all
                effects.append(.send(.holds(.have(ask: ask, away: 0, pieces: nil)), to: link))
            }
            giveNext(on: link, into: &effects)
        }
    }

    /// It is not fetched any more.
    mutating func end(_ name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants.removeValue(forKey: name) else { return }
        closeAsks(of: want, at: now, into: &effects)
        if want.purpose != .whole { effects.append(.dropped(name)) }
        for (link, row) in links {
            for (ask, given) in row.asksIn where given.name == name {
                links[link]?.asksIn[ask] = nil
                effects.append(.send(.absent(Absent(ask: ask, .notHere)), to: link))
            }
        }
    }

    private mutating func closeAsks(of want: BlobWant, at now: Instant, into effects: inout [Effect]) {
        for (link, source) in want.sources {
            effects.append(.send(.want(Want(ask: source.ask, .less(.none))), to: link))
            links[link]?.asksOut[source.ask] = nil
            links[link]?.owedCount -= source.owed.count
            links[link]?.excusedCount += source.owed.count + source.excused.count
        }
        for link in want.sources.keys { refill(link, at: now, into: &effects) }
    }
}
