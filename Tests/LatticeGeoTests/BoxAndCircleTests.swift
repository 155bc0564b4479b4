import LatticeCore
import LatticeGeo
import Testing

struct BoxAndCircleTests {
    @Test func aBoxHoldsItsEdges() throws {
        let box = try #require(Box(southE7: -10, westE7: -20, northE7: 30, eastE7: 40))
        #expect(!box.crossesAntimeridian)
        for (latitude, longitude) in [(-10, -20), (30, 40), (0, 0)] as [(Int32, Int32)] {
            #expect(try box.contains(#require(Coordinate(latitudeE7: latitude, longitudeE7: longitude))))
        }
        for (latitude, longitude) in [(-11, 0), (31, 0), (0, -21), (0, 41)] as [(Int32, Int32)] {
            #expect(try !box.contains(#require(Coordinate(latitudeE7: latitude, longitudeE7: longitude))))
        }
    }

    @Test func aBoxMayCrossTheAntimeridian() throws {
        let box = try #require(Box(southE7: 0, westE7: 1_790_000_000, northE7: 10, eastE7: -1_790_000_000))
        #expect(box.crossesAntimeridian)
        #expect(box.contains(place(0, 180)))
        #expect(box.contains(place(0, -179.5)))
        #expect(!box.contains(place(0, 0)))
    }

    @Test func anEdgeAtTheAntimeridianHoldsIt() throws {
        let east = try #require(Box(southE7: 0, westE7: 1_790_000_000, northE7: 0, eastE7: 1_800_000_000))
        #expect(east.contains(place(0, 180)))
        #expect(east.contains(place(0, 179.9999999)))
        #expect(!east.contains(place(0, -179.9999999)))
        let whole = Box(
            southE7: -900_000_000, westE7: -1_800_000_000, northE7: 900_000_000, eastE7: 1_800_000_000)
        #expect(whole == .world)
    }

    @Test func aBoxOffTheGlobeOrUpsideDownIsRefused() {
        #expect(Box(southE7: 1, westE7: 0, northE7: 0, eastE7: 0) == nil)
        #expect(Box(southE7: -900_000_001, westE7: 0, northE7: 0, eastE7: 0) == nil)
        #expect(Box(southE7: 0, westE7: .min, northE7: 0, eastE7: .max) == nil)
    }

    @Test func aCirclesRadiusIsBetweenNothingAndHalfTheWayRound() {
        let here = place(1, 2)
        #expect(Circle(centre: here, radius: -1).radius == 0)
        #expect(Circle(centre: here, radius: .nan).radius == 0)
        #expect(Circle(centre: here, radius: .infinity).contains(place(-1, -178)))
        #expect(Circle(centre: here, radius: 0).contains(here))
    }

    @Test func noPointOfACircleIsOutsideOfItsBoxes() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<2000 {
            let radius = Samples.one(of: [0, 1, 2000, 100_000, 3_000_000, 12_000_000], using: &generator)
            let circle = Circle(centre: Samples.coordinate(using: &generator), radius: radius)
            let boxes = circle.boundingBoxes
            #expect((1...2).contains(boxes.count))
            #expect(boxes.allSatisfy { !$0.crossesAntimeridian })
            for _ in 0..<20 {
                let point = Samples.coordinate(in: circle, using: &generator)
                guard circle.contains(point) else { continue }
                #expect(boxes.contains { $0.contains(point) }, "\(circle) \(point.exactText)")
            }
        }
    }

    @Test func theBoxAroundACircleIsTight() throws {
        let circle = Circle(centre: place(60, 10), radius: 2000)
        let box = try #require(circle.boundingBoxes.first)
        #expect(abs(circle.centre.distance(to: place(box.north, 10)) - 2000) < 0.05)
        #expect(abs(box.east - 10 - 2 * 0.0179864) < 0.0001)
    }

    @Test func aCircleAroundAPoleMeetsEveryMeridian() {
        let boxes = Circle(centre: place(89.99, 50), radius: 2000).boundingBoxes
        #expect(boxes.count == 1)
        #expect(boxes.first?.contains(place(90, 0)) == true)
        #expect(boxes.first?.contains(place(89.999, -130)) == true)
        #expect(Circle(centre: place(0, 0), radius: .infinity).boundingBoxes == [.world])
    }
}
