import LatticeCore
import LatticeGeo
import Testing

struct CellCoverTests {
    static let radii: [Double] = [
        0, 1, 250, 2000, 5000, 100_000, 999_999, 1_000_001, 5_000_000, 12_000_000, 20_000_000,
    ]

    @Test(arguments: radii) func noPointOfACircleIsOutsideOfItsRanges(radius: Double) {
        var generator = SeededGenerator(seed: UInt64(radius))
        for _ in 0..<300 {
            let circle = Circle(centre: Samples.coordinate(using: &generator), radius: radius)
            let rangesMax = [1, 2, 5, 16, 32, 100].randomElement(using: &generator) ?? 1
            let ranges = CellCover.ranges(circle, rangesMax: rangesMax)
            #expect((1...rangesMax).contains(ranges.count))
            #expect(isInOrder(ranges))
            #expect(holds(ranges, circle.centre))
            for _ in 0..<20 {
                let point = Samples.coordinate(in: circle, using: &generator)
                guard circle.contains(point) else { continue }
                #expect(holds(ranges, point), "\(circle) \(rangesMax) \(point.exactText)")
            }
        }
    }

    @Test(arguments: radii) func noPointOfARingIsOutsideOfItsRanges(radius: Double) {
        var generator = SeededGenerator(seed: UInt64(radius) + 1)
        for _ in 0..<300 {
            let circle = Circle(centre: Samples.coordinate(using: &generator), radius: radius)
            let inner = radius * Double.random(in: 0...1, using: &generator)
            let ranges = CellCover.ring(circle.centre, from: inner, to: radius, rangesMax: 24)
            #expect(ranges.count <= 24)
            #expect(isInOrder(ranges))
            for share in [0, 0, 0.5, 1, 1] {
                let metres = inner + (radius - inner) * share
                let bearing = Double.random(in: 0..<360, using: &generator)
                let point = circle.centre.destination(bearing: bearing, distance: metres)
                let distance = circle.centre.distance(to: point)
                guard inner <= distance, distance <= radius else { continue }
                #expect(holds(ranges, point), "\(circle) from \(inner) \(point.exactText)")
            }
        }
    }

    /// Squares so small that nothing of a bound's error hides in their size: the plane is furthest from the sphere here.
    @Test func aFineCoverOfALargeCircleForgetsNothingEither() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<40 {
            let centre = place(.random(in: -72...72, using: &generator), .random(in: -180...180, using: &generator))
            let circle = Circle(centre: centre, radius: 990_000)
            let ranges = CellCover.ranges(circle, rangesMax: 1000)
            for _ in 0..<100 {
                let point = Samples.coordinate(in: circle, using: &generator)
                guard circle.contains(point) else { continue }
                #expect(holds(ranges, point), "\(circle) \(point.exactText)")
            }
        }
    }

    /// Every coordinate for a few steps around a circle of three steps, none left to chance.
    @Test(arguments: [(0, 0), (60, 10), (-45, 179.9999999), (0, -180), (89.9999999, 5), (-90, 0)])
    func noCoordinateOfATinyCircleIsForgotten(latitude: Double, longitude: Double) {
        let centre = place(latitude, longitude)
        let circle = Circle(centre: centre, radius: 0.034)
        let ranges = CellCover.ranges(circle, rangesMax: 8)
        for north in Int32(-5)...5 {
            for east in Int32(-12)...12 {
                let turned = (Int64(centre.longitudeE7) + Int64(east) + 1_800_000_000) % 3_600_000_000
                let longitudeE7 = Int32((turned < 0 ? turned + 3_600_000_000 : turned) - 1_800_000_000)
                guard let point = Coordinate(latitudeE7: centre.latitudeE7 + north, longitudeE7: longitudeE7),
                    circle.contains(point)
                else { continue }
                #expect(holds(ranges, point), "\(point.exactText)")
            }
        }
    }

    @Test(arguments: [(8, 1.6), (16, 1.3), (32, 1.15), (64, 1.08)])
    func moreRangesAreTighter(rangesMax: Int, areaFactorMax: Double) {
        var generator = SeededGenerator(seed: 5)
        for radius in [250.0, 2000, 100_000] {
            var factors = 0.0
            for _ in 0..<100 {
                let latitude = Double.random(in: -75...75, using: &generator)
                let centre = place(latitude, .random(in: -179...179, using: &generator))
                let circle = Circle(centre: centre, radius: radius)
                factors += area(CellCover.ranges(circle, rangesMax: rangesMax), at: centre) / (.pi * radius * radius)
            }
            #expect(factors / 100 < areaFactorMax)
            #expect(factors / 100 >= 1)
        }
    }

    @Test func aRingLeavesItsHoleOut() {
        let centre = place(40.7128, -74.0060)
        let ring = area(CellCover.ring(centre, from: 2000, to: 4000, rangesMax: 32), at: centre)
        #expect(ring / (.pi * (4000 * 4000 - 2000 * 2000)) < 1.3)
        #expect(!holds(CellCover.ring(centre, from: 2000, to: 4000, rangesMax: 32), centre))
        #expect(CellCover.ring(centre, from: 4000, to: 2000, rangesMax: 32).isEmpty)
        #expect(!CellCover.ring(centre, from: .nan, to: .infinity, rangesMax: 1).isEmpty)
    }

    @Test func theWholeGlobeIsOneRangeAtTheLeast() {
        var generator = SeededGenerator(seed: 6)
        let ranges = CellCover.ranges(Circle(centre: place(1, 2), radius: .infinity), rangesMax: 1)
        #expect(ranges.count == 1)
        for _ in 0..<1000 { #expect(holds(ranges, Samples.coordinate(using: &generator))) }
    }

    @Test func anAbsurdNumberOfRangesFillsNoMemory() {
        let ranges = CellCover.ranges(Circle(centre: place(1, 2), radius: 2000), rangesMax: .max)
        #expect(ranges.count < 20_000)
    }

    private func holds(_ ranges: [ClosedRange<Int64>], _ coordinate: Coordinate) -> Bool {
        let value = Cell(coordinate).value
        return ranges.contains { $0.contains(value) }
    }

    /// Ascending, apart, and gaps between.
    private func isInOrder(_ ranges: [ClosedRange<Int64>]) -> Bool {
        zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound }
            && ranges.allSatisfy { $0.lowerBound >= 0 && $0.upperBound < 1 << 62 }
    }

    /// Square metres, near `centre`.
    private func area(_ ranges: [ClosedRange<Int64>], at centre: Coordinate) -> Double {
        let north = centre.distance(to: place(centre.latitude + 0.01, centre.longitude)) / 100_000
        let east = centre.distance(to: place(centre.latitude, centre.longitude + 0.01)) / 100_000
        let cells = ranges.reduce(0.0) { $0 + Double($1.upperBound - $1.lowerBound + 1) }
        return cells * north * east * 2
    }
}
