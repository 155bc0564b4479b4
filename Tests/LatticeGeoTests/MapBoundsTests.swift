import Foundation
import Testing

@testable import LatticeGeo

@Suite struct MapBoundsTests {
    @Test(arguments: [
        [0, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0], [-180.1, 0, 1, 1], [0, 0, 180.1, 1], [0, -90.1, 1, 1],
        [0, 0, 1, 90.1],
        [0, 0, 1], [0, 0, 1, 1, 1], [.nan, 0, 1, 1], [0, 0, .infinity, 1], [],
    ])
    func whatIsNoRectangleIsRefused(degrees: [Double]) {
        #expect(MapBounds(degrees: degrees) == nil)
    }

    @Test func theEdgesBelongToIt() throws {
        let world = try #require(MapBounds(degrees: [-180, -90, 180, 90]))
        #expect(world.degrees == [-180, -90, 180, 90])
        let bounds = try #require(MapBounds(degrees: [-74.02, 40.70, -73.98, 40.73]))
        for (lat, lon, isInside) in [
            (40.70, -74.02, true), (40.73, -73.98, true), (40.7300001, -74, false), (40.71, -74.0200001, false),
        ] {
            let point = try #require(Coordinate(latitude: lat, longitude: lon))
            #expect(bounds.contains(point) == isInside)
            #expect(world.contains(point))
        }
        #expect(bounds.centre == Coordinate(latitude: 40.715, longitude: -74))
    }

    /// A degree of latitude has 111.195 km on this sphere; at 60° a degree of longitude has half of that.
    @Test func itsSizeIsInMetres() throws {
        let bounds = try #require(MapBounds(degrees: [10, 59.5, 11, 60.5]))
        #expect(abs(bounds.size.height - 111_195) < 1)
        #expect(abs(bounds.size.width - 111_195 / 2) < 1)
    }

    @Test func inJSONItIsFourNumbersFromTheWest() throws {
        let bounds = try #require(MapBounds(degrees: [-1.5, 0, 2, 3]))
        let data = try JSONEncoder().encode(bounds)
        #expect(String(decoding: data, as: UTF8.self) == "[-1.5,0,2,3]")
        #expect(try JSONDecoder().decode(MapBounds.self, from: data) == bounds)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(MapBounds.self, from: Data("[1,2,3]".utf8)) }
    }
}
