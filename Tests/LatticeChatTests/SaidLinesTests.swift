import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeChat

/// What people see about the delivery of their lines.
struct SaidLinesTests {
    private static let full = StoreFault.diskFull(path: "/x")
    private static let words = "the disk of /x is full; nothing new is stored until there is space again"
    private static let lost =
        "Nobody is connected, and your messages are lost if nobody connects before you leave: \(words)"

    private static func record(_ number: UInt8) throws -> RecordID {
        RecordID(try #require(Bytes32([UInt8](repeating: number, count: 32))))
    }

    @Test func whatWaitsAndIsKeptIsToldOfOnce() {
        var lines = SaidLines()
        #expect(lines.news(isWaiting: true, unkept: nil)?.code == "waiting")
        #expect(lines.news(isWaiting: true, unkept: nil) == nil)
        lines.connected()
        #expect(lines.news(isWaiting: true, unkept: nil)?.code == "waiting")
    }

    @Test func whatWaitsAndIsNotKeptIsNeverCalledKept() {
        var lines = SaidLines()
        #expect(lines.news(isWaiting: true, unkept: Self.full)?.words == Self.lost)
        #expect(lines.news(isWaiting: true, unkept: Self.full) == nil)
    }

    @Test func thatTheDiskIsFullMeanwhileIsToldOf() {
        var lines = SaidLines()
        _ = lines.news(isWaiting: true, unkept: nil)
        #expect(lines.news(isWaiting: true, unkept: Self.full)?.words == Self.lost)
    }

    @Test func whatGoesOutAndIsNotKeptIsToldOfOnce() {
        var lines = SaidLines()
        let told = Notice(.problem, code: "notKept", "Your messages are sent but not stored: \(Self.words)")
        #expect(lines.news(isWaiting: false, unkept: Self.full) == told)
        #expect(lines.news(isWaiting: false, unkept: Self.full) == nil)
        #expect(lines.news(isWaiting: false, unkept: nil) == nil)
        #expect(lines.news(isWaiting: false, unkept: Self.full) == told)
    }

    @Test func whatTheNodeToldOfIsNotToldOfAgainUnlessALineIsAtStake() {
        var lines = SaidLines()
        lines.noted(Notice(.problem, code: "diskFull", Self.words))
        #expect(lines.news(isWaiting: false, unkept: Self.full) == nil)
        #expect(lines.news(isWaiting: true, unkept: Self.full)?.words == Self.lost)
    }

    @Test func onlyWhatWasSaidHereIsAskedAfter() throws {
        var lines = SaidLines()
        #expect(lines.all == .nothing && lines.lost == .nothing)
        lines.add(try Self.record(1), isKept: true)
        lines.add(try Self.record(2), isKept: false)
        #expect(lines.all == .these([try Self.record(1), try Self.record(2)]))
        #expect(lines.lost == .these([try Self.record(2)]))
    }

    /// A node may have stored a line before it answers.
    @Test func whatIsStillBeingSaidIsHeld() throws {
        var lines = SaidLines()
        let line = try Samples.message("hi", from: 1)
        #expect(!lines.holds(line))
        lines.begin([SayLines.Line("hi")])
        #expect(lines.holds(line))
        #expect(!lines.holds(try Samples.message("hi", from: 1, style: .acts)))
        lines.end([.refused(.other(code: .invalid, message: "no"))])
        #expect(!lines.holds(line))
        lines.end([.said(Say.Reply(line.record, isWaiting: false))])
        #expect(lines.holds(line))
    }

    /// More than are asked after by name, or told by records that are not known here.
    @Test func whatCannotBeNamedIsCountedAsAWhole() throws {
        var lines = SaidLines()
        lines.addTold()
        #expect(lines.all == .all)
        lines = SaidLines()
        for number in 0...1_000 {
            var bytes = [UInt8](repeating: 0, count: 32)
            (bytes[0], bytes[1]) = (UInt8(number >> 8), UInt8(truncatingIfNeeded: number))
            lines.add(RecordID(try #require(Bytes32(bytes))), isKept: false)
        }
        #expect(lines.all == .all && lines.lost == .all)
    }
}
