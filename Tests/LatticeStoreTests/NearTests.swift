import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire
import Testing

struct NearTests {
    private static let centres = [
        (40.7128, -74.006), (0, 0), (-17.0, 179.9999), (89.9999, 10), (-90, 0), (52.5, -180),
    ].compactMap { Coordinate(latitude: $0.0, longitude: $0.1) }

    /// Things around a centre, close and far, some of them at one place, some expired, taken back or old.
    private func things(around centre: Coordinate, count: Int, _ generator: inout SeededGenerator) -> [Shelf.Thing] {
        var things: [Shelf.Thing] = []
        for _ in 0..<count {
            let metres = Double.random(in: 0...1, using: &generator)
            let place = centre.destination(
                bearing: Double.random(in: 0..<360, using: &generator),
                distance: [3, 200, 5_000, 150_000].randomElement(using: &generator).map { $0 * metres * metres } ?? 0)
            var thing = Shelf.Thing(author: Int.random(in: 0..<5, using: &generator), place: place)
            if Int.random(in: 0..<4, using: &generator) == 0 { thing.kind = .event }
            if Int.random(in: 0..<6, using: &generator) == 0 { thing.expires = Shelf.now.milliseconds }
            if Int.random(in: 0..<6, using: &generator) == 0 { thing.state = 1 }
            if Int.random(in: 0..<3, using: &generator) == 0 { thing.date -= 1_000_000 }
            if Int.random(in: 0..<9, using: &generator) == 0, let last = things.last?.place { thing.place = last }
            things.append(thing)
        }
        return things
    }

    /// The seqs that looking at everything gives.
    private func expected(_ things: [Shelf.Thing], _ search: NearSearch) -> [Int64] {
        var found: [(Int, Int64)] = []
        for (index, thing) in things.enumerated() {
            guard let place = thing.place, thing.kind == search.kind, thing.state == 0,
                thing.expires > search.now.milliseconds,
                thing.date >= search.since?.milliseconds ?? .min
            else { continue }
            let metres = FastDistance(from: search.centre).distance(to: place)
            if metres <= search.reachMetres { found.append((Int((metres * 10).rounded()), Int64(index + 1))) }
        }
        // Of two at one place the one that came last.
        return found.sorted { ($0.0, -$0.1) < ($1.0, -$1.1) }.map(\.1)
    }

    @Test(arguments: centres) func pagesOfNearAreWhatLookingAtEverythingFinds(centre: Coordinate) async throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let shelf = try Shelf(seed: seed)
            let things = things(around: centre, count: 400, &generator)
            try shelf.put(things)
            for reach in [0, 5, 250, 2_000, 100_000] as [Double] {
                for since in [nil, WallTime(milliseconds: Shelf.now.milliseconds - 100_000)] {
                    var search = NearSearch(
                        kind: reach == 2_000 ? .event : .post, centre: centre, reachMetres: reach, since: since,
                        now: Shelf.now, limit: Int.random(in: 1...40, using: &generator))
                    var seqs: [Int64] = []
                    while true {
                        let page = try await shelf.store.items.near(search)
                        seqs += page.map(\.item.seq)
                        search.after = page.last?.mark
                        if page.count < search.limit { break }
                    }
                    #expect(seqs == expected(things, search))
                }
            }
        }
    }

    @Test func nothingIsFoundWhereNothingIs() async throws {
        let shelf = try Shelf()
        let centre = try #require(Self.centres.first)
        let search = NearSearch(kind: .post, centre: centre, reachMetres: 100_000, now: Shelf.now)
        #expect(try await shelf.store.items.near(search).isEmpty)
    }

    @Test func aFoundPostIsWhole() async throws {
        let shelf = try Shelf()
        let centre = try #require(Self.centres.first)
        let place = centre.destination(bearing: 45, distance: 180)
        let id = try shelf.put([Shelf.Thing(author: 3, place: place, text: "meet me here")])[0]
        try shelf.react(.like, by: 0, to: id.hash)
        try shelf.profile(3, name: "Carol")
        let search = NearSearch(kind: .post, centre: centre, reachMetres: 2_000, now: Shelf.now)
        let found = try await shelf.store.items.near(search)
        let item = try #require(found.first?.item)
        #expect(abs((found.first?.metres ?? 0) - 180) < 0.05)
        #expect(item.id == id && item.author == Shelf.peer(3) && item.authorName == "Carol")
        #expect(
            item.authorLook.colour == Colour(rgb: 255) && item.text == "meet me here" && item.place?.coordinate == place
        )
        #expect(item.likes == 1 && item.isLikedByOwner && !item.isAttendedByOwner && !item.isWaiting)
        #expect(item.parent == nil && item.starts == nil && item.edited == nil)
        #expect(try await shelf.store.items.item(id, at: Shelf.now) == item)
        #expect(try await shelf.store.items.item(id, at: item.expires) == nil)
    }
}
