package import LatticeCore
import LatticeWire
import OrderedCollections

// What happens after a while.
extension BlobExchange {
    /// When `tick` is wanted; `nil` if nothing waits.
    package var nextDeadline: Instant? {
        var earliest: Instant?
        func note(_ time: Instant?) {
            if let time { earliest = min(earliest ?? time, time) }
        }
        for index in wants.values.indices { wants.values[index].noteDeadlines(note) }
        for row in links.values { row.noteDeadlines(note) }
        return earliest
    }

    mutating func passed(at now: Instant, into effects: inout [Effect]) {
        let reach = Dictionary(
            links.values.flatMap { row in row.asksIn.values.map { ($0.name, $0.hops) } }, uniquingKeysWith: max)
        for name in Array(wants.keys) where wants[name]?.isDue(at: now) ?? false {
            resume(name, at: now, into: &effects)
            silent(name, at: now, into: &effects)
            askAgain(for: name, at: now, into: &effects)
            if let time = wants[name]?.tellAt, time <= now { tellAskers(of: name, at: now, into: &effects) }
            lookAgain(for: name, at: now, into: &effects)
            let goes = wants[name]?.letsGo(asked: reach[name] ?? 0, at: now) ?? false
            if goes { end(name, at: now, into: &effects) }
        }
        for (link, row) in links {
            sendOffers(on: link, at: now, into: &effects)
            for (ask, given) in row.asksIn {
                guard case .sought(let until) = given.held, until <= now else { continue }
                links[link]?.asksIn[ask] = nil
                effects.append(.send(.absent(Absent(ask: ask, .notHere)), to: link))
            }
        }
    }

    private mutating func resume(_ name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard wants[name]?.resumes(at: now) ?? false else { return }
        fetch(name, at: now, into: &effects)
    }

    /// Sources that owe pieces and send nothing: others are asked.
    private mutating func silent(_ name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants[name] else { return }
        var isLate = false
        for (link, source) in want.sources where source.away == nil {
            let isOver = source.heardAt.advanced(by: BlobLimit.unanswered) <= now
            if isOver { putOut(link, of: name, at: now, into: &effects) }
        }
        for (link, source) in want.sources where !source.owed.isEmpty {
            guard source.heardAt.advanced(by: BlobLimit.silence) <= now else { continue }
            isLate = true
            links[link]?.pace.slowDown()
            if source.lateCount > 0 {
                putOut(link, of: name, at: now, into: &effects)
                continue
            }
            let numbers = wants[name]?.late(link, at: now) ?? []
            links[link]?.owedCount -= numbers.count
            effects.append(.send(.want(Want(ask: source.ask, .less(PieceRanges(asking: numbers)))), to: link))
        }
        if isLate { fetch(name, at: now, into: &effects) }
    }

    /// Sources that were left alone for a while, and those that were given up, are asked again.
    private mutating func askAgain(for name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants[name] else { return }
        for link in want.sources.keys where wants[name]?.sources[link]?.believe(at: now) ?? false { loosen(name, link) }
        for (link, outcast) in want.out {
            guard let until = outcast.until, until <= now else { continue }
            wants[name]?.out[link]?.until = nil
            ask(link, for: name, hops: want.hops, at: now, into: &effects)
        }
    }

    private mutating func lookAgain(for name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants[name], let seekAt = want.seekAt, seekAt <= now else { return }
        guard want.purpose == .whole, !want.hasSource else {
            wants[name]?.seekAt = nil
            return
        }
        wants[name]?.ring += 1
        if want.ring >= Int(Want.hopsMax), !want.hasToldNobody {
            wants[name]?.hasToldNobody = true
            effects.append(.nobodyHas(name))
        }
        seek(name, at: now, into: &effects)
    }
}
