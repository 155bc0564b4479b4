import LatticeAPI
import Testing

@testable import LatticeCommands

@Suite struct SpotTests {
    @Test(arguments: ["Kitchen", "Camp/Kitchen", "Tent 12", "Café", "stage", "5th street"])
    func whatIsNoCoordinateIsAName(text: String) throws {
        #expect(try Spot(text) == .named(PlaceReference(text)))
    }

    @Test(arguments: ["40.7128,-74.0060", "40.7128N 74.0060W", "dr5regw3p", "geo:40.7128,-74.0060"])
    func aCoordinateIsNoName(text: String) throws {
        guard case .parsed = try Spot(text) else { throw Unexpected() }
    }

    @Test(arguments: ["", "40.7", "40.7 N", "geo:here", "91,0", "x", "1 2 3 4 5 6 7"])
    func whatIsNeitherIsRefused(text: String) {
        #expect(throws: (any Error).self) { try Spot(text) }
    }

    private struct Unexpected: Error {}
}
