import LatticeCore
import LatticeGeo
import Testing

struct DistanceTests {
    /// From GeographicLib (Karney 2013) on the ellipsoid of WGS 84: two places, metres, degrees at the first.
    struct Vector {
        let from: Coordinate
        let to: Coordinate
        let metres: Double
        let bearing: Double

        init(
            _ latitude: Double, _ longitude: Double, _ otherLatitude: Double, _ otherLongitude: Double,
            metres: Double, bearing: Double
        ) {
            from = place(latitude, longitude)
            to = place(otherLatitude, otherLongitude)
            self.metres = metres
            self.bearing = bearing
        }
    }

    static let vectors = [
        Vector(40.7128, -74.006, 51.5074, -0.1278, metres: 5585233.579, bearing: 51.241),
        Vector(51.5007, -0.1246, 51.5014, -0.1419, metres: 1203.815, bearing: 273.716),
        Vector(52.5163, 13.3777, 52.5219, 13.4132, metres: 2489.036, bearing: 75.487),
        Vector(-33.8688, 151.2093, -36.8509, 174.7645, metres: 2160624.036, bearing: 105.545),
        Vector(35.6762, 139.6503, 37.7749, -122.4194, metres: 8293443.176, bearing: 54.351),
        Vector(-16.5, 179.9, -16.5, -179.9, metres: 21352.830, bearing: 90.028),
        Vector(65, 179.999, 65.001, -179.999, metres: 146.056, bearing: 40.238),
        Vector(52.0, -179.5, 53.0, 179.5, metres: 130359.286, bearing: 329.001),
        Vector(90, 0, 0, 0, metres: 10001965.729, bearing: 180.000),
        Vector(90, 0, -90, 0, metres: 20003931.459, bearing: 180.000),
        Vector(-90, 0, -89.9, 120, metres: 11169.398, bearing: 120.000),
        Vector(89.9, 10, 89.9, -170, metres: 22338.796, bearing: 0.000),
        Vector(89.99, 0, 89.99, 90, metres: 1579.591, bearing: 45.000),
        Vector(90, 0, 89.999, 77, metres: 111.694, bearing: 103.000),
        Vector(0, 0, 0, 180, metres: 20003931.459, bearing: 0.000),
        Vector(0, 0, 0.5, 179.5, metres: 19936288.579, bearing: 25.672),
        Vector(10, 20, -10, -160, metres: 20003931.459, bearing: 0.000),
        Vector(45, 45, -45, -135, metres: 20003931.459, bearing: 0.000),
        Vector(40.7128, -74.006, -40.7, 105.9, metres: 20001723.628, bearing: 11.417),
        Vector(0, 0, 0, 1, metres: 111319.491, bearing: 90.000),
        Vector(0, 0, 1, 0, metres: 110574.389, bearing: 0.000),
        Vector(0, 0, 0, 0.00001, metres: 1.113, bearing: 90.000),
        Vector(60, 10, 60, 10.00001, metres: 0.558, bearing: 90.000),
        Vector(60, 25, 60, 26, metres: 55799.470, bearing: 89.567),
        Vector(78.2232, 15.6267, 78.25, 15.5, metres: 4156.246, bearing: 316.109),
        Vector(-54.8019, -68.303, -62.2, -58.9, metres: 987604.655, bearing: 150.307),
        Vector(-1.2921, 36.8219, 30.0444, 31.2357, metres: 3518309.435, bearing: 350.737),
        Vector(64.1466, -21.9426, -77.85, 166.6667, metres: 18447449.831, bearing: 187.487),
        Vector(19.4326, -99.1332, -12.0464, -77.0428, metres: 4241579.895, bearing: 143.394),
        Vector(1.3521, 103.8198, -6.2088, 106.8456, metres: 901164.989, bearing: 158.120),
        Vector(48.8566, 2.3522, 48.857, 2.353, metres: 73.655, bearing: 52.847),
        Vector(0.0001, -0.0001, -0.0001, 0.0001, metres: 31.381, bearing: 134.808),
    ]

    /// A sphere cannot do better: a degree of latitude is 0.56 % shorter at the equator, and everything else less out.
    @Test(arguments: vectors) func aDistanceIsThatOfTheEllipsoidToWhatASphereCan(_ vector: Vector) {
        let share = vector.from.distance(to: vector.to) / vector.metres
        #expect(abs(share - 1) < 0.0057)
        #expect(vector.to.distance(to: vector.from) / vector.metres == share)
    }

    @Test func betweenTownsADistanceIsThatOfTheEllipsoidToHalfAPercent() {
        for vector in Self.vectors where abs(vector.from.latitude) > 10 {
            #expect(abs(vector.from.distance(to: vector.to) / vector.metres - 1) < 0.005)
        }
    }

    @Test func aBearingIsThatOfTheEllipsoidToAFifthOfADegreeNearby() {
        for vector in Self.vectors where vector.metres < 1_000_000 && abs(vector.from.latitude) < 89.9 {
            #expect(turn(vector.from.bearing(to: vector.to), vector.bearing) < 0.2, "\(vector)")
        }
    }

    @Test func fromAPoleThereIsOneBearing() {
        #expect(place(90, 0).bearing(to: place(10, 77)) == 180)
        #expect(place(-90, 0).bearing(to: place(10, 77)) == 0)
        #expect(place(90, 0).bearing(to: place(90, 120)) == 0)
        #expect(place(90, 0).bearing(to: place(-90, 0)) == 180)
        #expect(place(10, 77).bearing(to: place(90, -20)) == 0)
        #expect(place(10, 77).bearing(to: place(-90, -20)) == 180)
    }

    @Test func aPlaceIsNoDistanceFromItself() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<1000 {
            let here = Samples.coordinate(using: &generator)
            #expect(here.distance(to: here) == 0)
            #expect(here.bearing(to: here) == 0)
        }
        #expect(place(90, 0).distance(to: place(90, 90)) < 1e-6)
    }

    /// Where the arcsine form of the formula is out by metres.
    @Test func oneStepFromTheAntipodeIsOneStepLess() {
        let here = place(12, 34)
        let half = here.distance(to: place(-12, -146))
        #expect(abs(half - .pi * 6_371_008.8) < 1e-6)
        #expect(abs(half - here.distance(to: place(-12.00001, -146)) - 1.11195) < 1e-4)
    }

    @Test func aWalkEndsWhereItsBearingAndDistanceSay() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<5000 {
            let here = Samples.coordinate(using: &generator)
            let metres = Samples.one(of: [1, 250, 5000, 100_000, 9_000_000, 19_000_000], using: &generator)
            let bearing = Double.random(in: 0..<360, using: &generator)
            let there = here.destination(bearing: bearing, distance: metres)
            #expect(abs(here.distance(to: there) - metres) < 0.02)
            guard abs(here.latitude) < 89, metres > 1000 else { continue }
            #expect(turn(here.bearing(to: there), bearing) < 0.01)
        }
    }

    @Test func aWalkMayGoRoundTheGlobeAndBackwards() {
        let here = place(50, 8)
        let round = 2 * Double.pi * 6_371_008.8
        #expect(here.destination(bearing: 70, distance: round * 3).distance(to: here) < 0.02)
        let back = here.destination(bearing: 250, distance: 1000)
        #expect(here.destination(bearing: 70, distance: -1000).distance(to: back) < 0.02)
        #expect(here.destination(bearing: 70 - 720, distance: 1000) == here.destination(bearing: 70, distance: 1000))
        for (bearing, metres) in [(.nan, 1), (.infinity, 1), (0, .nan), (0, -.infinity)] as [(Double, Double)] {
            #expect(here.destination(bearing: bearing, distance: metres) == here)
        }
        _ = here.destination(bearing: 1e300, distance: -1e300)
    }

    @Test func theFastDistanceIsTheSameToAMicrometre() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let here = Samples.coordinate(using: &generator)
            let fast = FastDistance(from: here)
            for radius in [0.01, 1, 2000, 150_000, 199_000, 201_000, 20_000_000] {
                let there = Samples.coordinate(in: Circle(centre: here, radius: radius), using: &generator)
                let exact = here.distance(to: there)
                #expect(abs(fast.distance(to: there) - exact) < 1e-6)
            }
        }
    }

    /// Degrees between two bearings.
    private func turn(_ bearing: Double, _ other: Double) -> Double {
        abs((bearing - other + 540).truncatingRemainder(dividingBy: 360) - 180)
    }
}
