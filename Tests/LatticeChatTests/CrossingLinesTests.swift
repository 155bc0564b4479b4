import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeChat

/// How it is said what may cross bridges.
@Suite struct CrossingLinesTests {
    private static func output(_ crossing: Crossing) -> CommandOutput {
        CrossingLines.output(crossing, CommandContext(now: Samples.at))
    }

    @Test func whatCrossesIsNamed() throws {
        let rooms = try ["#camp", "#park"].map { try RoomName($0) }
        let some = Self.output(Crossing(rooms: rooms, at: Samples.at, until: Samples.at))
        #expect(some.lines.contains("So may your lines in #camp, #park.") && some.remarks.isEmpty)
        #expect(some.lines.last?.hasPrefix("This holds until 20") == true)
        let json = try #require(some.json.first)
        for member in [##""event":"crossing""##, ##""allows":true"##, ##""rooms":["#camp","#park"]"##] {
            #expect(json.contains(member), "\(json)")
        }
        let posts = Self.output(Crossing(rooms: [], at: Samples.at, until: Samples.at))
        #expect(posts.lines.contains("Your lines in rooms may not."))
    }

    @Test func whatWasDeniedMayStillBeThere() throws {
        let nothing = ["Nothing of yours may cross a bridge to another network."]
        let never = Self.output(Crossing())
        #expect(never.lines == nothing && never.remarks == ["To allow it: lattice bridge allow"])
        #expect(never.json.first?.contains(##""at":null"##) == true)
        let denied = Self.output(Crossing(at: Samples.at, until: Samples.at))
        #expect(denied.lines == nothing)
        #expect(denied.remarks == ["What has crossed already can stay at brokers for up to a year."])
    }
}
