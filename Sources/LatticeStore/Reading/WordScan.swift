import GRDB
import LatticeCore
import LatticeGeo
import LatticeWire

/// Finds the first so many of what holds the words and may be read.
///
/// Of a rare word each match is looked up. A common word would take thousands of look-ups for the twenty that are shown; there
/// the places around, or the newest, are gone through in their order instead until enough of them hold it.
struct WordScan {
    private let database: Database
    private let search: WordSearch
    private let distance: FastDistance?
    /// The viewer and whom they follow, in order.
    private let authors: [Int64]
    private let item: RawStatement
    private let after: WordRank?
    private(set) var best: Smallest<WordRank>

    /// Up to so many matches each is looked up: about four milliseconds.
    private static let fewMax = 4_096
    /// Of the newest so many are gone through before giving up on finding enough among them: some six milliseconds, and ten
    /// where each has to be looked up.
    private static let newestMax = 30_000
    private static let newestLooksMax = 8_000
    /// Of the posts around so many are looked up, and so many gone past, before it is known that few of them may be read.
    private static let aroundMax = 6_000
    private static let passedMax = 40_000
    /// What it takes to look a match up, in what it takes to go past a post of somebody one follows.
    private static let lookUpCost = 4

    init(_ database: Database, _ search: WordSearch, viewer: PeerID) throws {
        self.database = database
        self.search = search
        distance = search.position.map(FastDistance.init(from:))
        authors = try database.followed(by: viewer, andSelf: true).sorted()
        item = try RawStatement(
            database, "SELECT kind, author, latitude, longitude, date, expires FROM item WHERE record = ?")
        after = search.after.map { WordRank($0, isNearestFirst: search.isNearestFirst) }
        best = Smallest(limit: min(search.limit, pageLimitMax))
    }

    mutating func find(among matches: WordMatches) throws {
        if let all = matches.all, all.count <= Self.fewMax { return try lookUp(all) }
        let isEnough = try search.isNearestFirst ? findAround(matches) : findNewest(matches, isPatient: false)
        if isEnough { return }
        best = Smallest(limit: best.limit)
        // Either all that holds the words or all that may be read is few.
        let isOpen = search.position == nil
        if let all = matches.all, try isOpen || all.count * Self.lookUpCost < postsOfAuthors() {
            try lookUp(all)
        } else if isOpen {
            _ = try findNewest(matches, isPatient: true)
        } else {
            try findReadable(matches)
        }
    }

    /// About how many posts the viewer and those they follow have here.
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

    /// - Returns: `nil` for what has expired or may not be read, and where places count for what has none.
    private func rank(_ seq: Int64) throws -> WordRank? {
        try item.bind(seq, at: 1)
        defer { item.reset() }
        guard try item.step(), item.int(5) > search.now.milliseconds else { return nil }
        let metres = item.coordinate(2).flatMap { place in distance?.distance(to: place) }
        let isNear = search.position == nil || metres.map { $0 <= search.readableMetres } ?? false
        guard isNear || item.int(0) == 8 || authors.holds(item.int(1)) else { return nil }
        if search.isNearestFirst {
            return metres.flatMap { $0 <= NearSearch.reachMax ? WordRank(metres: $0, seq: seq) : nil }
        }
        return WordRank(date: item.int(4), seq: seq)
    }

    // MARK: In their order

    /// Posts near enough to be read first: nothing else can come before them. Then whatever is around.
    ///
    /// - Returns: whether that was enough.
    private mutating func findAround(_ matches: WordMatches) throws -> Bool {
        guard let position = search.position else { return true }
        var near = NearSearch(
            kind: .event, centre: position, reachMetres: NearSearch.reachMax, now: search.now, limit: best.limit,
            after: search.after)
        try offer(SpotScan(database, near).nearest(where: matches.hold))
        near.kind = .post
        near.reachMetres = search.readableMetres
        try offer(SpotScan(database, near).nearest(where: matches.hold))
        if let worst = best.elements.last, best.isFull, worst.value <= search.readableMetres { return true }
        // What is further away is read by few: whose posts are few are gone through themselves.
        if try postsOfAuthors() <= Self.aroundMax { return false }
        best = Smallest(limit: best.limit)
        near.reachMetres = NearSearch.reachMax
        near.kind = .event
        try offer(SpotScan(database, near).nearest(where: matches.hold))
        near.kind = .post
        var (looked, passed) = (0, 0)
        func isTooMuch() -> Bool { looked > Self.aroundMax || passed > Self.passedMax }
        let spots = try SpotScan(database, near).nearest { seq in
            // Whatever fills the list ends it.
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

    /// - Parameter isPatient: whether everything is gone through if need be.
    /// - Returns: whether that was enough.
    private mutating func findNewest(_ matches: WordMatches, isPatient: Bool) throws -> Bool {
        let newest = try RawStatement(
            database,
            """
            SELECT record FROM item WHERE kind IN (4, 8) AND state = 0 AND (date, record) < (?1, ?2)
            ORDER BY date DESC, record DESC
            """)
        try newest.bind(after.map { Int64($0.value) } ?? .max, at: 1)
        try newest.bind(after?.seq ?? .max, at: 2)
        defer { newest.reset() }
        // Where all matches are known, who holds the words is known sooner than who may be read.
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

    /// Goes through what may be read, which is little where the newest and what is around are mostly others'.
    private mutating func findReadable(_ matches: WordMatches) throws {
        let own = try authored()
        var ranks = try search.isNearestFirst ? own.compactMap { try rank($0.seq) } : own
        ranks += try events().compactMap(rank)
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
            if try matches.hold(rank.seq) { best.offer(rank) }
            if best.isFull { return }
        }
    }

    /// By date, from the index alone.
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

    private func events() throws -> [Int64] {
        try RawStatement(database, "SELECT item FROM spot WHERE kind = 8 ORDER BY cell, item").seqs()
    }
}

extension RawStatement {
    /// Two columns of ten-millionths of a degree.
    func coordinate(_ column: Int32) -> Coordinate? {
        guard !isNull(column) else { return nil }
        return Coordinate(
            latitudeE7: Int32(truncatingIfNeeded: int(column)),
            longitudeE7: Int32(truncatingIfNeeded: int(column + 1)))
    }
}
