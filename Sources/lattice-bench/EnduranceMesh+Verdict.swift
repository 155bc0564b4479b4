import Foundation

// The result of a finished run.
extension EnduranceMesh {
    /// Prints the figures.
    ///
    /// - Parameter ears: those of the peers that stay.
    /// - Returns: what failed.
    func conclude(
        _ before: [EnduranceRest?], _ after: [EnduranceRest?], _ links: [Int], _ ears: [EnduranceEar],
        _ books: EnduranceBooks
    ) throws -> [String] {
        let judge = EnduranceJudge()
        faults += books.faults
        var unjudged: [String] = []
        let steadfast = peers.prefix(options.steadfast)
        for (peer, (memory, store)) in zip(steadfast, zip(watch.memory, watch.store)) {
            faults += judge.memory(of: peer.name, memory, lines: ledger.typedCount / 2, store: store)
        }
        for (peer, (before, after)) in zip(steadfast, zip(before, after)) {
            guard let before, let after else {
                unjudged.append("descriptors of \(peer.name): only root can count them")
                continue
            }
            faults += judge.descriptors(of: peer.name, before: before, after: after)
        }
        let (first, last) = (ledger.delays(inQuarter: 0), ledger.delays(inQuarter: 3))
        if judge.isQuiet(watch.contention) {
            faults += judge.delays(first: first, last: last)
        } else {
            unjudged.append("delays: others work on this machine")
        }
        faults += judge.clock(ahead: ledger.clockAhead)
        let repeated = ears.map(\.now.repeated).reduce(0, +)
        if repeated > 0 { faults.append("\(repeated) lines were shown twice by somebody who stayed") }
        for (peer, ear) in zip(steadfast, ears) {
            let seen = ear.shown.union(peer.typed)
            let unshown = books.isAcknowledged.indices.count { books.isAcknowledged[$0] && !seen.contains($0) }
            if unshown > ear.now.missed { faults.append("\(peer.name) did not show \(unshown) lines") }
        }
        try report(figures(books, ears).merging(restFigures(after, links, unjudged)) { $1 })
        return faults
    }

    private func figures(_ books: EnduranceBooks, _ ears: [EnduranceEar]) -> [String: Any] {
        var figures: [String: Any] = [
            "bench": "endure", "peers": options.peers, "steadfast": options.steadfast, "rate": options.rate,
            "minutes": options.minutes, "churn": options.churn, "seed": options.seed,
            "verdict": faults.isEmpty ? "holds" : "broken", "faults": faults,
            "typed": ledger.typedCount, "acknowledged": ledger.acknowledgedCount, "lost": books.lost,
            "repeated": books.repeated, "apart": books.apart, "shown_twice": ears.map(\.now.repeated).reduce(0, +),
            "missed": ears.map(\.now.missed).reduce(0, +), "starts": peers.map(\.starts).reduce(0, +),
            "store_kb": watch.storeMax.file, "wal_kb_max": watch.storeMax.log,
            "clock_ahead_ms": figure(ledger.clockAhead),
            "rss_kb_second_quarter": watch.memory.map { figure(Sample($0.quarter(1)).median) },
            "rss_kb_last_quarter": watch.memory.map { figure(Sample($0.quarter(3)).median) },
            "rss_kb_per_minute": watch.memory.map { figure($0.slopePerMinute) },
            "cpu_s_quarters": (0..<4).map { figure(watch.processorSeconds(inQuarter: $0)) },
        ]
        for quarter in 0..<4 {
            let delays = Sample(ledger.delays(inQuarter: quarter))
            figures["delay_ms_quarter_\(quarter + 1)"] = [50.0, 95, 99].map { figure(delays.percentile($0)) }
        }
        return figures
    }

    private func restFigures(_ after: [EnduranceRest?], _ links: [Int], _ unjudged: [String]) -> [String: Any] {
        [
            "links": links, "descriptors_max": watch.descriptorsMax, "threads_max": watch.threadsMax,
            "descriptors_at_rest": after.map { $0?.named.map(\.count) ?? [] }, "unjudged": unjudged,
            "contention_quarters": (0..<4).map { figure(Sample(watch.contention.quarter($0)).median) },
        ]
    }

    /// Null if it was never measured.
    private func figure(_ value: Double) -> Any {
        value.isFinite ? rounded(value) : NSNull()
    }
}
