import LatticeGeo
import Testing

struct CircleTests {
    @Test func aCirclesRadiusIsBetweenNothingAndHalfTheWayRound() {
        let here = place(1, 2)
        #expect(Circle(centre: here, radius: -1).radius == 0)
        #expect(Circle(centre: here, radius: .nan).radius == 0)
        #expect(Circle(centre: here, radius: .infinity).contains(place(-1, -178)))
        #expect(Circle(centre: here, radius: 0).contains(here))
    }
}
