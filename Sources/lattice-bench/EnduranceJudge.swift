/// What a run has to hold; each question answers with what is wrong, and with nothing if nothing is.
struct EnduranceJudge {
    /// What resident memory may grow by from the second quarter to the last whatever is said: one or two more blocks of the
    /// allocator in each of its arenas, in KiB.
    var memoryGrowthMax = 4_096.0
    /// What it may grow by for each line, in KiB: the key of its record in the sets that are compared, and its share of what is
    /// counted by author and room.
    var memoryGrowthPerLine = 0.125
    /// SQLite keeps pages of what was written and read lately: as much as the store grew by, and no more than this, in KiB, which
    /// is the whole cache of two of its connections.
    var pageCacheMax = 16_384.0
    /// The delays of the last quarter may be so many times those of the first …
    var delayRatioMax = 2.0
    /// … and below this, in milliseconds, are as good as none.
    var delayFloor = 10.0
    /// Where a second of work takes longer than this, in seconds, nobody can say who made a line late.
    var contentionMax = 1.5
    /// A date given to a line may lie so far ahead of the machine's clock, in milliseconds: all of them have the same clock.
    var clockAheadMax = 250.0
    /// The pool that Swift's tasks run on, and SQLite's, come to their full number by and by.
    var threadsMoreMax = 4

    /// - Parameters:
    ///   - lines: how many were said from the middle of the second quarter to that of the last.
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

    /// At rest, before and afterwards: but for one descriptor a link, to the last one.
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

    /// Whether how long things take tells of us, or of others who work on this machine.
    ///
    /// - Parameter contention: how many times the time that it works does one who works take.
    func isQuiet(_ contention: EnduranceSeries) -> Bool {
        [0, 3].allSatisfy { Sample(contention.quarter($0)).percentile(75) <= contentionMax }
    }

    /// Milliseconds from a line typed to a line heard.
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

    /// - Parameter milliseconds: the most that any line was dated ahead.
    func clock(ahead milliseconds: Double) -> [String] {
        milliseconds > clockAheadMax ? ["lines are dated \(Int(milliseconds)) ms ahead of the machine's clock"] : []
    }
}

/// What one process has open while nothing is said.
struct EnduranceRest: Equatable {
    /// Those of its links left out.
    var sockets: Int
    var pipes: Int
    /// The files of its store.
    var storeFiles: Int
    var others: Int
    var threads: Int

    var named: [(what: String, count: Int)] {
        [("sockets", sockets), ("pipes", pipes), ("files of its store", storeFiles), ("other descriptors", others)]
    }

    /// But for its threads, which come and go.
    func isLike(_ other: Self) -> Bool {
        zip(named, other.named).allSatisfy { $0.count == $1.count }
    }
}

/// Of each line: whether its speaker was told that it is said, and how often it is in each store.
struct EnduranceBooks {
    var isAcknowledged: [Bool]
    /// By peer, then by line.
    var kept: [[Int]]

    /// Said, and missing somewhere.
    var lost: Int { count { line in isAcknowledged[line] && kept.contains { $0[line] == 0 } } }
    /// More than once somewhere.
    var repeated: Int { count { line in kept.contains { $0[line] > 1 } } }
    /// Typed into somebody who was killed before it told that it was said: there or not, and everywhere the same.
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
