import LatticeGeo
import Testing

struct CompassPointTests {
    @Test func sixteenPointsShareTheRose() {
        let names = [
            "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
        ]
        #expect(CompassPoint.allCases.map(\.abbreviation) == names)
        for (index, name) in names.enumerated() {
            for turn in [-11.25, -5, 0, 11.24] {
                #expect(CompassPoint(bearing: Double(index) * 22.5 + turn).abbreviation == name)
            }
        }
    }

    @Test func anyNumberOfTurnsIsABearing() {
        #expect(CompassPoint(bearing: 360) == .north)
        #expect(CompassPoint(bearing: 359.999) == .north)
        #expect(CompassPoint(bearing: -90) == .west)
        #expect(CompassPoint(bearing: 3690) == .east)
        #expect(CompassPoint(bearing: -1e-20) == .north)
        #expect(CompassPoint(bearing: 1e300).abbreviation.isEmpty == false)
        #expect(CompassPoint(bearing: .nan) == .north)
    }
}
