import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire
import Testing

struct WordTests {
    private let position: Coordinate

    init() throws {
        position = try #require(Coordinate(latitude: 40.7128, longitude: -74.006))
    }

    /// Enough of one word that looking each up is given up.
    private func things(_ count: Int, _ generator: inout SeededGenerator) -> [Shelf.Thing] {
        (0..<count).map { index in
            Shelf.Thing(
                kind: index % 50 == 0 ? .event : .post, author: Int.random(in: 0..<6, using: &generator),
                date: Shelf.now.milliseconds - Int64.random(in: 0..<100_000, using: &generator),
                expires: Shelf.now.milliseconds + (index % 7 == 0 ? 0 : 1),
                place: position.destination(
                    bearing: Double.random(in: 0..<360, using: &generator),
                    distance: Double.random(in: 0..<20_000, using: &generator)),
                text: index % 10 == 0 ? "common Crème brûlée" : "common tea")
        }
    }

    /// The seqs that looking at everything gives.
    private func expected(_ things: [Shelf.Thing], holding word: String, _ search: WordSearch) -> [Int64] {
        var found: [(Int, Int64)] = []
        for (index, thing) in things.enumerated() {
            guard let place = thing.place, thing.expires > search.now.milliseconds, thing.text.contains(word) else {
                continue
            }
            let metres = search.position.map { FastDistance(from: $0).distance(to: place) }
            guard
                thing.kind == .event || [0, 2].contains(thing.author)
                    || metres.map({ $0 <= search.readableMetres }) ?? true
            else { continue }
            let seq = Int64(index + 1)
            if search.isNearestFirst, let metres {
                found.append((Int((metres * 10).rounded()), -seq))
            } else {
                found.append((-Int(thing.date), -seq))
            }
        }
        return found.sorted { $0 < $1 }.map { abs($0.1) }
    }

    private func pages(_ shelf: Shelf, _ search: WordSearch) async throws -> [Int64] {
        var search = search
        var seqs: [Int64] = []
        while true {
            let page = try await shelf.store.items.search(search)
            seqs += page.map(\.item.seq)
            search.after = page.last?.mark
            if page.count < search.limit { return seqs }
        }
    }

    @Test(arguments: [true, false]) func pagesOfASearchAreWhatLookingAtEverythingFinds(isCommon: Bool) async throws {
        var generator = SeededGenerator(seed: 7)
        let shelf = try Shelf()
        let things = things(6_000, &generator)
        try shelf.put(things)
        try shelf.react(.follow, by: 0, to: Shelf.peer(2).key)
        let word = isCommon ? "common" : "brûlée"
        for isNearestFirst in [true, false] {
            for position in [position, nil] {
                for reach in [250, 2_000, 100_000] as [Double] {
                    let search = WordSearch(
                        words: isCommon ? "COMM" : "creme Brul", isNearestFirst: isNearestFirst, position: position,
                        readableMetres: reach, now: Shelf.now, limit: 800)
                    #expect(try await pages(shelf, search) == expected(things, holding: word, search))
                }
            }
        }
    }

    /// A word in too many items to read them all.
    @Test func theFirstPagesOfAVeryCommonWordAreWhatLookingAtEverythingFinds() async throws {
        var generator = SeededGenerator(seed: 8)
        let shelf = try Shelf()
        let things = things(26_000, &generator)
        try shelf.put(things)
        try shelf.react(.follow, by: 0, to: Shelf.peer(2).key)
        for isNearestFirst in [true, false] {
            for (position, reach) in [(position, 250), (position, 5_000), (nil, 250)] as [(Coordinate?, Double)] {
                for words in ["com", "common"] {
                    var search = WordSearch(
                        words: words, isNearestFirst: isNearestFirst, position: position, readableMetres: reach,
                        now: Shelf.now, limit: 100)
                    let first = try await shelf.store.items.search(search)
                    search.after = first.last?.mark
                    let second = try await shelf.store.items.search(search)
                    let expected = expected(things, holding: "common", search).prefix(200)
                    #expect((first + second).map(\.item.seq) == Array(expected))
                }
            }
        }
    }

    @Test func aSearchNearestFirstGoesNoFurtherThanAHundredKilometres() async throws {
        let shelf = try Shelf()
        let distances = [99_999, 100_001, 3_000_000] as [Double]
        try shelf.put(
            distances.map { Shelf.Thing(place: position.destination(bearing: 10, distance: $0), text: "plank") })
        for words in ["plank", "pla", "plan"] {
            let nearest = WordSearch(
                words: words, isNearestFirst: true, position: position, readableMetres: 250, now: Shelf.now)
            #expect(try await pages(shelf, nearest) == [1])
            let newest = WordSearch(words: words, position: position, readableMetres: 250, now: Shelf.now)
            #expect(try await pages(shelf, newest).count == 3)
        }
    }

    @Test func whatIsTypedIsNeverTakenForAQueryLanguage() async throws {
        let shelf = try Shelf()
        try shelf.put([Shelf.Thing(place: position, text: "tea \"for\" two AND NOT one* (near^)")])
        var generator = SeededGenerator(seed: 3)
        let pieces = [
            "\"", "*", "AND", "OR", "NOT", "NEAR(", ")", "^", "tea", ":", "text:", "-", "\0", "{", "}", "'", "é", "👍🏽",
            " ",
        ]
        func found(_ words: String) async throws -> Int {
            try await shelf.store.items.search(
                WordSearch(words: words, position: position, readableMetres: 10, now: Shelf.now)
            ).count
        }
        for _ in 0..<300 {
            let words = (0..<6).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            _ = try await found(words)
        }
        for words in ["tea AND two", "\"tea", "TEA (two", "nea", "one*", "not near", "tea-two"] {
            #expect(try await found(words) == 1, "\(words)")
        }
        for words in ["", " ", "\"\"", "*", "tea OR coffee", "ea", "te", "t wo"] {
            #expect(try await found(words) == 0, "\(words)")
        }
    }
}
