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
        for want in wants.values {
            note(want.seekAt)
            note(want.pausedUntil)
            if want.purpose == .passing { note(want.idleSince?.advanced(by: BlobLimit.seeking)) }
            for source in want.sources.values {
                if source.away == nil {
                    note(source.heardAt.advanced(by: BlobLimit.unanswered))
                } else if !source.owed.isEmpty {
                    note(source.heardAt.advanced(by: BlobLimit.silence))
                }
            }
        }
        for row in links.values {
            for ask in row.asksIn.values {
                if case .sought(let until) = ask.held { note(until) }
            }
        }
        return earliest
    }

    mutating func passed(at now: Instant, into effects: inout [Effect]) {
        for name in Array(wants.keys) {
            resume(name, at: now, into: &effects)
            silent(name, at: now, into: &effects)
            lookAgain(for: name, at: now, into: &effects)
            letGo(name, at: now, into: &effects)
        }
        for (link, row) in links {
            for (ask, given) in row.asksIn {
                guard case .sought(let until) = given.held, until <= now else { continue }
                links[link]?.asksIn[ask] = nil
                effects.append(.send(.absent(Absent(ask: ask, .notHere)), to: link))
            }
        }
    }

    private mutating func resume(_ name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let until = wants[name]?.pausedUntil, until <= now else { return }
        wants[name]?.pausedUntil = nil
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
            let numbers = Array(source.owed.keys)
            let count = wants[name]?.release(numbers, of: link) ?? 0
            links[link]?.owedCount -= count
            wants[name]?.late(link, numbers, at: now)
            effects.append(.send(.want(Want(ask: source.ask, .less(PieceRanges(asking: numbers.sorted())))), to: link))
        }
        if isLate { fetch(name, at: now, into: &effects) }
    }

    private mutating func lookAgain(for name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants[name], let seekAt = want.seekAt, seekAt <= now else { return }
        guard want.purpose == .whole, !hasSource(want) else {
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

    /// A blob that was fetched for others goes when they no longer ask.
    private mutating func letGo(_ name: BlobName, at now: Instant, into effects: inout [Effect]) {
        guard let want = wants[name], want.purpose == .passing else { return }
        let isAsked = links.values.contains { $0.asksIn.values.contains { $0.name == name } }
        if isAsked, !want.sources.isEmpty {
            if let since = want.idleSince, since.advanced(by: BlobLimit.seeking) <= now { wants[name]?.idleSince = now }
        } else if let since = want.idleSince {
            if since.advanced(by: BlobLimit.seeking) <= now { end(name, at: now, into: &effects) }
        } else {
            wants[name]?.idleSince = now
        }
    }
}
