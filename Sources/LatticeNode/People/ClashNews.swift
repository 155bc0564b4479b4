import LatticeAPI
import LatticeCore

/// Which name clashes are shown one by one and which are summed up: somebody may make keys by the thousand.
struct ClashNews {
    /// What to do about a clash.
    enum Verdict: Equatable {
        case show
        case sumUp
    }

    private struct Name {
        let known: KnownPerson
        var shown = 0
        var summedUp = 0
        /// The number of clashes in the last summary.
        var inLastLine = 0
    }

    /// Clashes with one person that are shown one by one.
    static let shownPerPersonMax = 3
    /// For people without marks, one clash in 30 s is shown, 10 at once.
    private static let unmarked = TokenBucket.Rate(perSecond: 1, burst: 300)
    private static let unmarkedCost: Int64 = 30
    /// Unmarked people whose clashes are counted separately; some 200 bytes each.
    private static let namesMax = 256
    /// Names in one summary.
    private static let linesMax = 3
    /// A crowd that arrives at once is counted before the first summary.
    private static let gatheringInterval: Duration = .seconds(2)
    private static let lineInterval: Duration = .seconds(60)

    private var names: [PeerID: Name] = [:]
    private var bucket = TokenBucket()
    private var otherNames = 0
    private var dueAt: Instant?
    private var toldAt: Instant?

    mutating func judge(_ clash: NameClash, at now: Instant) -> Verdict {
        let known = clash.known
        // The number of marked people is limited already.
        let isTracked = names[known.id] != nil || names.count < Self.namesMax || known.isMarked
        var name = names[known.id] ?? Name(known: known)
        defer { if isTracked { names[known.id] = name } }
        if isTracked, name.shown < Self.shownPerPersonMax,
            known.isMarked || bucket.take(Self.unmarkedCost, of: Self.unmarked, at: now)
        {
            name.shown += 1
            return .show
        }
        name.summedUp += 1
        if !isTracked { otherNames += 1 }
        if dueAt == nil {
            let next = toldAt?.advanced(by: Self.lineInterval) ?? now
            dueAt = max(now.advanced(by: Self.gatheringInterval), next)
        }
        return .sumUp
    }

    /// - Returns: one notice for each of the names that most keys use now, once it is time.
    mutating func summary(at now: Instant) -> [Notice] {
        guard let time = dueAt, time <= now else { return [] }
        (dueAt, toldAt) = (nil, now)
        let news = names.values.filter { $0.summedUp > $0.inLastLine }.sorted {
            ($1.summedUp, $0.known.id) < ($0.summedUp, $1.known.id)
        }
        var notices = news.prefix(Self.linesMax).map { name in
            Notice.nameShared(name: name.known.petname ?? name.known.name, others: name.summedUp)
        }
        let rest = news.dropFirst(Self.linesMax).count + otherNames
        if rest > 0 { notices.append(.namesShared(count: rest)) }
        for name in news { names[name.known.id]?.inLastLine = name.summedUp }
        otherNames = 0
        return notices
    }
}
