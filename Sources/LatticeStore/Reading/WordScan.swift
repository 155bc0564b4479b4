import GRDB
import LatticeCore
import LatticeGeo
import LatticeWire

/// Finds the first readable items that contain the words, up to a limit.
///
/// For rare words each match is looked up. A common word would take thousands of look-ups for the twenty items shown; then the
/// items around the place, or the newest ones, are checked in order until enough contain it.
struct WordScan {
    private let database: Database
    private let search: WordSearch
    private let distance: FastDistance?
    /// The viewer's number; `nil` if they have written nothing.
    private let viewer: Int64?
    /// The viewer and the people they follow, sorted.
    private let authors: [Int64]
    private let item: RawStatement
    private let after: WordRank?
    private(set) var best: Smallest<WordRank>

    /// Up to this many matches are looked up one by one: about four milliseconds.
    private static let fewMax = 4_096
    /// Limit on the newest items checked before giving up on this order: some six milliseconds, or ten if each has to be
    /// looked up.
    private static let newestMax = 30_000
    private static let newestLooksMax = 8_000
    /// Limits on the posts looked up, and passed over, around a place before concluding that few of them are readable.
    private static let aroundMax = 6_000
    private static let passedMax = 40_000
    /// The cost of looking up a match, relative to passing over a post of a followed author.
    private static let lookUpCost = 4

    init(_ database: Database, _ search: WordSearch, viewer: PeerID) throws {
        self.database = database
        self.search = search
        distance = search.position.map(FastDistance.init(from:))
        self.viewer = try database.seq(of: viewer)
        authors = try database.followed(by: viewer, andSelf: true).sorted()
        item = try RawStatement(
            database, "SELECT kind, author, latitude, longitude, date, expires, unlock FROM item WHERE record = ?")
        after = search.after.map { WordRank($0, isNearestFirst: search.isNearestFirst) }
        best = Smallest(limit: min(search.limit, pageLimitMax))
    }

    mutating func find(among matches: WordMatches) throws {
        if let all = matches.all, all.count <= Self.fewMax { return try lookUp(all) }
        let isEnough = try search.isNearestFirst ? findAround(matches) : findNewest(matches, isPatient: false)
        if isEnough { return }
        best = Smallest(limit: best.limit)
        // Either few items contain the words, or few are readable.
        let isOpen = search.position == nil
        if let all = matches.all, try isOpen || all.count * Self.lookUpCost < postsOfAuthors() {
            try lookUp(all)
        } else if isOpen {
            _ = try findNewest(matches, isPatient: true)
        } else {
            try findReadable(matches)
        }
    }

    /// The approximate number of stored posts by the viewer and the people they follow.
    private func postsOfAuthors() throws -> Int {
        let records = try RawStatement(database, "SELECT records FROM usage_author WHERE author = ?")
        return try authors.reduce(0) { sum, author in
            try records.bind(author, at: 1)
            return sum + (try records.first { Int($0.int(0)) } ?? 0)
        }
    }

    // MARK: One by one

    private mutating func lookUp(_ seqs: [Int64]) throws {
        for seq in seqs {
            if let rank = try rank(seq), after.map({ $0 < rank }) ?? true { best.offer(rank) }
        }
    }

    /// - Returns: `nil` if it has expired or is not readable, or if it has no place and the order is by distance.
    private func rank(_ seq: Int64) throws -> WordRank? {
        try item.bind(seq, at: 1)
        defer { item.reset() }
        guard try item.step(), item.int(5) > search.now.milliseconds else { return nil }
        let metres = item.coordinate(2).flatMap { place in distance?.distance(to: place) }
        guard isReadable(metres) else { return nil }
        if search.isNearestFirst {
            return metres.flatMap { $0 <= NearSearch.reachMax ? WordRank(metres: $0, seq: seq) : nil }
        }
        return WordRank(date: item.int(4), seq: seq)
    }

    /// As `Viewer` in the node judges it.
    ///
    /// - Parameter metres: to the current row of `item`; `nil` without a place of the viewer.
    private func isReadable(_ metres: Double?) -> Bool {
        if item.int(1) == viewer { return true }
        if let unlock = item.optionalInt(6) { return metres.map { $0 <= Double(unlock) } ?? false }
        let isNear = search.position == nil || metres.map { $0 <= search.readableMetres } ?? false
        return isNear || Self.anywhere.contains { Int64($0.rawValue) == item.int(0) } || authors.holds(item.int(1))
    }

    /// Kinds that can be read from everywhere.
    private static let anywhere: [RecordKind] = [.event, .place]

    // MARK: In their order

    /// Tries items that are near enough to be readable, since nothing can precede them, and then everything around.
    ///
    /// - Returns: whether that was enough.
    private mutating func findAround(_ matches: WordMatches) throws -> Bool {
        guard let position = search.position else { return true }
        var near = NearSearch(
            kind: .event, centre: position, reachMetres: NearSearch.reachMax, now: search.now, limit: best.limit,
            after: search.after)
        for kind in Self.anywhere {
            near.kind = kind
            try offer(SpotScan(database, near).nearest(where: matches.hold))
        }
        near.kind = .post
        near.reachMetres = search.readableMetres
        try offer(SpotScan(database, near).nearest { try matches.hold($0) && rank($0) != nil })
        if let worst = best.elements.last, best.isFull, worst.value <= search.readableMetres { return true }
        // Beyond that distance only the viewer's circle is readable; if it has few posts, these are checked directly.
        if try postsOfAuthors() <= Self.aroundMax { return false }
        best = Smallest(limit: best.limit)
        near.reachMetres = NearSearch.reachMax
        for kind in Self.anywhere {
            near.kind = kind
            try offer(SpotScan(database, near).nearest(where: matches.hold))
        }
        near.kind = .post
        var (looked, passed) = (0, 0)
        func isTooMuch() -> Bool { looked > Self.aroundMax || passed > Self.passedMax }
        let spots = try SpotScan(database, near).nearest { seq in
            // Accepting everything fills the list and ends the scan.
            if isTooMuch() { return true }
            passed += 1
            if matches.all != nil, try !matches.hold(seq) { return false }
            looked += 1
            return try rank(seq) != nil && matches.hold(seq)
        }
        if isTooMuch() { return false }
        offer(spots)
        return true
    }

    private mutating func offer(_ spots: [NearSpot]) {
        for spot in spots { best.offer(WordRank(metres: spot.metres, seq: spot.seq)) }
    }

    /// - Parameter isPatient: whether to check all items if necessary.
    /// - Returns: whether that was enough.
    private mutating func findNewest(_ matches: WordMatches, isPatient: Bool) throws -> Bool {
        let newest = try RawStatement(
            database,
            """
            SELECT record FROM item WHERE (kind = 4 OR kind = 8 OR kind = 17) AND state = 0 AND (date, record) < (?1, ?2)
            ORDER BY date DESC, record DESC
            """)
        try newest.bind(after.map { Int64($0.value) } ?? .max, at: 1)
        try newest.bind(after?.seq ?? .max, at: 2)
        defer { newest.reset() }
        // If all matches are known, checking for the words is faster than checking readability.
        let isKnown = matches.all != nil
        for _ in 0..<(isPatient ? .max : isKnown ? Self.newestMax : Self.newestLooksMax) {
            guard try newest.step() else { return true }
            let seq = newest.int(0)
            if isKnown, try !matches.hold(seq) { continue }
            guard let rank = try rank(seq), try isKnown || matches.hold(seq) else { continue }
            best.offer(rank)
            if best.isFull { return true }
        }
        return false
    }

    /// Checks the readable items, which are few if most of the newest and nearest items are by others.
    private mutating func findReadable(_ matches: WordMatches) throws {
        let own = try authored()
        var ranks = try search.isNearestFirst ? own.compactMap { try rank($0.seq) } : own
        ranks += try readableAnywhere().compactMap(rank)
        if let position = search.position {
            let near = NearSearch(
                kind: .post, centre: position, reachMetres: search.readableMetres, now: search.now, limit: 1)
            try SpotScan(database, near).forEach { seq, date, metres in
                ranks.append(
                    search.isNearestFirst ? WordRank(metres: metres, seq: seq) : WordRank(date: date, seq: seq))
            }
        }
        ranks.sort()
        var last: WordRank?
        for rank in ranks where rank != last {
            last = rank
            if let after, !(after < rank) { continue }
            if try matches.hold(rank.seq), try self.rank(rank.seq) != nil { best.offer(rank) }
            if best.isFull { return }
        }
    }

    /// By date, using only the index.
    private func authored() throws -> [WordRank] {
        let posts = try RawStatement(
            database, "SELECT date, record FROM item WHERE author = ?1 AND kind = 4 AND state = 0 AND expires > ?2")
        try posts.bind(search.now.milliseconds, at: 2)
        var ranks: [WordRank] = []
        for author in authors {
            try posts.bind(author, at: 1)
            try posts.forEach { row in
                ranks.append(WordRank(date: row.int(0), seq: row.int(1)))
                return true
            }
        }
        return ranks
    }

    /// Events and places.
    private func readableAnywhere() throws -> [Int64] {
        try RawStatement(database, "SELECT item FROM spot WHERE kind IN (8, 17) ORDER BY cell, item").seqs()
    }
}

extension RawStatement {
    /// Reads two columns in ten-millionths of a degree.
    func coordinate(_ column: Int32) -> Coordinate? {
        guard !isNull(column) else { return nil }
        return Coordinate(
            latitudeE7: Int32(truncatingIfNeeded: int(column)),
            longitudeE7: Int32(truncatingIfNeeded: int(column + 1)))
    }
}
