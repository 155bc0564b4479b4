/// The requirements for a run. Each check returns what is wrong, or nothing.
struct EnduranceJudge {
    /// Allowed growth of resident memory from the second quarter to the last, in KiB, independent of lines: one or two
    /// more allocator blocks in each of its arenas.
    var memoryGrowthMax = 4_096.0
    /// Allowed growth for each line, in KiB: the key of its record in the sets for reconciling, and its share of the
    /// counters by author and room.
    var memoryGrowthPerLine = 0.125
    /// SQLite caches pages of recent writes and reads: as much as the store grew by, up to this limit in KiB, the full
    /// cache of two of its connections.
    var pageCacheMax = 16_384.0
    /// How many times longer the delays of the last quarter may be than those of the first …
    var delayRatioMax = 2.0
    /// … and delays below this count as zero, in milliseconds.
    var delayFloor = 10.0
    /// If a second of work takes longer than this, in seconds, other load on the machine may have caused late lines.
    var contentionMax = 1.5
    /// How far a line may be dated ahead of the machine's clock, in milliseconds; all processes share that clock.
    var clockAheadMax = 250.0
    /// The thread pools of Swift's tasks and of SQLite reach their full size only gradually.
    var threadsMoreMax = 4

    /// - Parameters:
    ///   - lines: the number of lines from the middle of the second quarter to the middle of the last.
    ///   - store: the size of its store, in KiB.
    func memory(of name: String, _ series: EnduranceSeries, lines: Int, store: EnduranceSeries) -> [String] {
        let (early, late) = (Sample(series.quarter(1)).median, Sample(series.quarter(3)).median)
        guard early.isFinite, late.isFinite else { return ["the memory of \(name) was not looked at often enough"] }
        let pages = Sample(store.quarter(3)).median - Sample(store.quarter(1)).median
        let allowed = memoryGrowthMax + memoryGrowthPerLine * Double(lines) + min(max(0, pages), pageCacheMax)
        var faults: [String] = []
        if late - early > allowed {
            faults.append("the memory of \(name) grew by \(Int(late - early)) KiB, \(Int(allowed)) are allowed")
        }
        let grown = series.slopePerMinute * series.duration / 60 / 2
        if grown > allowed {
            faults.append("the memory of \(name) grows by \(Int(series.slopePerMinute)) KiB a minute")
        }
        return faults
    }

    /// Descriptors at rest, before and after the run, must be equal without those of links.
    func descriptors(of name: String, before: EnduranceRest, after: EnduranceRest) -> [String] {
        var faults: [String] = []
        for (early, late) in zip(before.named, after.named) where late.count != early.count {
            faults.append("\(name) has \(late.count) \(late.what) open at rest, and had \(early.count)")
        }
        if after.threads > before.threads + threadsMoreMax {
            faults.append("\(name) has \(after.threads) threads, and had \(before.threads)")
        }
        return faults
    }

    /// Whether delays are due to the program and not to other load on the machine.
    ///
    /// - Parameter contention: wall time divided by processor time of a busy thread.
    func isQuiet(_ contention: EnduranceSeries) -> Bool {
        [0, 3].allSatisfy { Sample(contention.quarter($0)).percentile(75) <= contentionMax }
    }

    /// Compares delays from typing a line to hearing it, in milliseconds.
    func delays(first: [Double], last: [Double]) -> [String] {
        guard !first.isEmpty, !last.isEmpty else {
            return ["nobody heard anything in the first quarter, or in the last"]
        }
        return [50.0, 95.0].compactMap { percent in
            let (early, late) = (Sample(first).percentile(percent), Sample(last).percentile(percent))
            guard late > max(early, delayFloor) * delayRatioMax else { return nil }
            return
                "\(Int(percent)) % of the lines arrived within \(rounded(early)) ms at first and \(rounded(late)) ms at the end"
        }
    }

    /// - Parameter milliseconds: the furthest that any line was dated ahead.
    func clock(ahead milliseconds: Double) -> [String] {
        milliseconds > clockAheadMax ? ["lines are dated \(Int(milliseconds)) ms ahead of the machine's clock"] : []
    }
}

/// Open descriptors and threads of one process while nothing is said.
struct EnduranceRest: Equatable {
    /// Without those of links.
    var sockets: Int
    var pipes: Int
    var storeFiles: Int
    var others: Int
    var threads: Int

    var named: [(what: String, count: Int)] {
        [("sockets", sockets), ("pipes", pipes), ("files of its store", storeFiles), ("other descriptors", others)]
    }

    /// Equal without threads, whose number varies.
    func isLike(_ other: Self) -> Bool {
        zip(named, other.named).allSatisfy { $0.count == $1.count }
    }
}

/// For each line: whether it was acknowledged, and how often it is in each store.
struct EnduranceBooks {
    var isAcknowledged: [Bool]
    /// By peer, then by line.
    var kept: [[Int]]

    /// Acknowledged, and missing in some store.
    var lost: Int { count { line in isAcknowledged[line] && kept.contains { $0[line] == 0 } } }
    /// In some store more than once.
    var repeated: Int { count { line in kept.contains { $0[line] > 1 } } }
    /// Typed into a process that was killed before it acknowledged the line. Such a line may be missing, but must be
    /// the same everywhere.
    var apart: Int {
        count { line in !isAcknowledged[line] && Set(kept.map { $0[line] > 0 }).count > 1 }
    }

    var faults: [String] {
        [
            (lost, "lines are missing in somebody's store"), (repeated, "lines are more than once in somebody's store"),
            (apart, "lines that no front received are in some stores only"),
        ].filter { $0.0 > 0 }.map { "\($0) \($1)" }
    }

    private func count(where holds: (Int) -> Bool) -> Int {
        isAcknowledged.indices.count { holds($0) }
    }
}
