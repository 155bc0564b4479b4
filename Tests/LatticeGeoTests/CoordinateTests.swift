import LatticeGeo
import Testing

struct CoordinateTests {
    @Test func outsideOfTheGlobeIsRefused() {
        #expect(Coordinate(latitude: 90.0000001, longitude: 0) == nil)
        #expect(Coordinate(latitude: 0, longitude: -180.0000001) == nil)
        #expect(Coordinate(latitude: .nan, longitude: 0) == nil)
        #expect(Coordinate(latitude: 0, longitude: .infinity) == nil)
        #expect(Coordinate(latitudeE7: 900_000_001, longitudeE7: 0) == nil)
        #expect(Coordinate(latitudeE7: .min, longitudeE7: .min) == nil)
        #expect(Coordinate(latitude: -90, longitude: 180) != nil)
    }

    @Test func theAntimeridianIsOneMeridianAndNotTwo() {
        #expect(Coordinate(latitude: 1, longitude: 180) == Coordinate(latitude: 1, longitude: -180))
        #expect(Coordinate(latitude: 1, longitude: 179.99999999) == Coordinate(latitude: 1, longitude: -180))
    }
}
