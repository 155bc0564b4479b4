import GRDB
import LatticeCore
import LatticeGeo
import LatticeWire

/// Finds the nearest items in widening rings, so that a search in a city does not read all of it.
struct SpotScan {
    private let search: NearSearch
    private let reach: Double
    private let distance: FastDistance
    private let rows: RawStatement
    private let database: Database
    private let sinceMilliseconds: Int64

    /// Ranges of the index for one ring. Each costs a look-up, and fewer ranges read more rows outside the ring.
    private static let rangesMax = 8
    /// The first ring should hold this many times the wanted number, by the density found: most searches then need only one.
    private static let surplus = 1.6
    /// Factor by which a ring may exceed the radius of the previous one.
    private static let widening = 4.0

    init(_ database: Database, _ search: NearSearch) throws {
        self.search = search
        self.database = database
        reach = min(max(search.reachMetres, 0), NearSearch.reachMax)
        distance = FastDistance(from: search.centre)
        sinceMilliseconds = search.since?.milliseconds ?? .min
        rows = try RawStatement(
            database,
            """
            SELECT item, latitude, longitude, date, expires FROM spot
            WHERE kind = ?1 AND cell BETWEEN ?2 AND ?3
            """)
        try rows.bind(Int64(search.kind.rawValue), at: 1)
    }

    /// - Parameter accept: a further condition on an item, by its seq.
    func nearest(where accept: (Int64) throws -> Bool = { _ in true }) throws -> [NearSpot] {
        var nearest = Smallest<NearSpot>(limit: min(search.limit, NearSearch.limitMax))
        guard search.limit > 0 else { return [] }
        let last = NearSpot.decimetres(reach)
        // A ring has whole decimetres, otherwise items of one decimetre could be out of order.
        var inner = (search.after?.spot.decimetres ?? 0) - 1
        var outer = min(max(try firstRing(from: inner), inner + 1), last)
        while inner < last {
            let before = nearest.elements.count
            try read(inner: inner, outer: outer, into: &nearest, where: accept)
            if nearest.isFull { break }
            let next = widened(inner: inner, outer: outer, found: nearest.elements.count - before)
            inner = outer
            outer = min(next, last)
        }
        return nearest.elements
    }

    /// All unexpired items within reach, in the order of the index, with their dates and distances.
    func forEach(_ body: (_ seq: Int64, _ date: Int64, _ metres: Double) -> Void) throws {
        for range in cover(inner: -1, outer: NearSpot.decimetres(reach)) {
            try rows.bind(range.lowerBound, at: 2)
            try rows.bind(range.upperBound, at: 3)
            try rows.forEach { row in
                if row.int(4) > search.now.milliseconds, let place = row.coordinate(1) {
                    let metres = distance.distance(to: place)
                    if metres <= reach { body(row.int(0), row.int(3), metres) }
                }
                return true
            }
        }
    }

    /// Offers the items with `inner < decimetres <= outer`.
    private func read(
        inner: Int, outer: Int, into nearest: inout Smallest<NearSpot>, where accept: (Int64) throws -> Bool
    ) throws {
        let after = search.after?.spot
        for range in cover(inner: inner, outer: outer) {
            try rows.bind(range.lowerBound, at: 2)
            try rows.bind(range.upperBound, at: 3)
            defer { rows.reset() }
            while try rows.step() {
                guard let place = rows.coordinate(1) else { continue }
                let metres = distance.distance(to: place)
                let spot = NearSpot(
                    decimetres: NearSpot.decimetres(metres), metres: metres, seq: rows.int(0))
                guard spot.decimetres > inner, spot.decimetres <= outer, metres <= reach,
                    rows.int(4) > search.now.milliseconds, rows.int(3) >= sinceMilliseconds
                else { continue }
                if let after, !(after < spot) { continue }
                if nearest.wants(spot), try accept(spot.seq) { nearest.offer(spot) }
            }
        }
    }

    private func cover(inner: Int, outer: Int) -> [ClosedRange<Int64>] {
        // A decimetre to either side covers rounding.
        let far = min(Double(outer) / 10 + 0.1, reach)
        let near = Double(inner) / 10 - 0.1
        if near <= 0 {
            return CellCover.ranges(Circle(centre: search.centre, radius: far), rangesMax: Self.rangesMax)
        }
        return CellCover.ring(search.centre, from: near, to: far, rangesMax: Self.rangesMax)
    }

    /// The outer radius of the first ring, in decimetres. It should hold the wanted number, estimated from how far along
    /// the index that many items reach.
    private func firstRing(from inner: Int) throws -> Int {
        let wanted = Int64(min(search.limit, NearSearch.limitMax))
        let here = Cell(search.centre).value
        let probe = try RawStatement(
            database, "SELECT cell FROM spot WHERE kind = ?1 AND cell >= ?2 ORDER BY cell LIMIT 1 OFFSET ?3")
        try probe.bind(Int64(search.kind.rawValue), at: 1)
        try probe.bind(here, at: 2)
        try probe.bind(wanted, at: 3)
        guard let there = try probe.first({ $0.int(0) }) else { return NearSpot.decimetres(reach) }
        let squareMetres = Double(there - here) * cellSquareMetres
        let taken = Double(max(inner, 0)) / 10
        return NearSpot.decimetres((taken * taken + Self.surplus * squareMetres / .pi).squareRoot()) + 1
    }

    /// The outer radius of the next ring, by what was found so far.
    private func widened(inner: Int, outer: Int, found: Int) -> Int {
        let wanted = Double(min(search.limit, NearSearch.limitMax))
        let factor = min(Self.widening, max(1.5, (Self.surplus * wanted / Double(max(found, 1))).squareRoot()))
        return Int(Double(outer) * factor) + 1
    }

    /// The area of one cell of the index on the ground: a ten-millionth of a degree north by two of them east.
    private var cellSquareMetres: Double {
        let centre = search.centre
        let sideways = centre.longitudeE7 < 0 ? Self.stepE7 : -Self.stepE7
        let east =
            Coordinate(latitudeE7: centre.latitudeE7, longitudeE7: centre.longitudeE7 + sideways)
            .map { distance.distance(to: $0) / Double(Self.stepE7) } ?? 0
        return Self.metresPerE7 * max(2 * east, Self.metresPerE7 / 100)
    }

    private static let stepE7: Int32 = 10_000
    private static let metresPerE7 = 0.0111195
}
