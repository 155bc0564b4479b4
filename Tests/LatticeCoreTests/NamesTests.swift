import LatticeCore
import Testing

struct NamesTests {
    @Test func aNameOfWhichNothingCanBeSeenIsRefused() {
        for text in ["\u{200D}", "\u{200C}\u{200D}", "\u{301}\u{302}"] {
            #expect(throws: NameError.self) { try PeerName(text) }
        }
    }

    @Test(arguments: ["bob> pay me", "<bob", "bob#ybnd", "#x"])
    func namesCannotHoldTheMarksThatSetThemOff(text: String) {
        #expect(throws: NameError.mark) { try PeerName(text) }
    }

    @Test(arguments: ["bob\u{34F}", "bob\u{115F}", "bob\u{3164}", "bob\u{17B4}", "bob\u{E0100}", "\u{2800}"])
    func whatTakesNoInkIsRefused(text: String) {
        #expect(throws: NameError.control(what: "name")) { try PeerName(text) }
    }

    @Test func namesThatLookTheSameHaveOneSkeleton() throws {
        for text in ["Bob", "bob\u{200D}", "bob\u{200C}", "bob\u{FE0F}"] {
            #expect(try PeerName(text).skeleton == "bob")
        }
    }

    @Test func marksDoNotPileUp() throws {
        _ = try PeerName("a" + String(repeating: "\u{301}", count: 4))
        #expect(throws: NameError.pile(what: "name")) { try PeerName("a" + String(repeating: "\u{301}", count: 5)) }
        #expect(throws: NameError.pile(what: "name")) { try PeerName("\u{301}a") }
    }

    @Test(arguments: ["a", "Bob", "Zoë Müller", "日本", "👩‍👩‍👧", "می‌خواهم", "a b", "❤️"])
    func ordinaryNamesAreNames(text: String) throws {
        #expect(try PeerName(text).text == text)
        #expect(try MeshName(text).description == text)
    }

    @Test func sixtyThreeBytesAreTheLimit() throws {
        _ = try PeerName(String(repeating: "a", count: 63))
        _ = try PeerName(String(repeating: "é", count: 31))
        #expect(throws: NameError.tooLong(what: "name", bytes: 64, bytesMax: 63)) {
            try PeerName(String(repeating: "a", count: 64))
        }
        #expect(throws: NameError.tooLong(what: "mesh name", bytes: 64, bytesMax: 63)) {
            try MeshName(String(repeating: "é", count: 32))
        }
        #expect(throws: NameError.empty(what: "name")) { try PeerName("") }
        #expect(throws: NameError.empty(what: "mesh name")) { try MeshName("") }
    }

    @Test(arguments: [
        "a\u{0}b", "a\nb", "a\tb", "\u{1B}[31mred", "a\u{7F}", "a\u{85}b", "a\u{9B}31m", "a\u{202E}b", "a\u{2066}b",
        "\u{200F}a", "a\u{2028}b", "a\u{FEFF}", "a\u{E0041}", "a\u{AD}b",
    ])
    func whatCouldMoveACursorOrTurnALineIsRefused(text: String) {
        #expect(throws: NameError.control(what: "name")) { try PeerName(text) }
        #expect(throws: NameError.control(what: "mesh name")) { try MeshName(text) }
        #expect(throws: NameError.control(what: "room name")) { try RoomName("#" + text) }
    }

    @Test(arguments: [" a", "a ", " ", "\u{A0}a", "a\u{3000}"])
    func whiteSpaceAtTheEndsIsRefused(text: String) {
        #expect(throws: NameError.space(what: "name")) { try PeerName(text) }
    }

    @Test func aRoomHasItsMarkAndOneSpelling() throws {
        #expect(try RoomName("#Park").text == "#park")
        #expect(try RoomName("#PARK") == RoomName("#park"))
        #expect(try RoomName("#ÄÖ").text == "#äö")
        #expect(throws: NameError.roomMark) { try RoomName("park") }
        #expect(throws: NameError.roomMark) { try RoomName("#") }
        #expect(throws: NameError.empty(what: "room name")) { try RoomName("") }
    }

    @Test func aRoomHasSixtyFourBytesWithItsMark() throws {
        _ = try RoomName("#" + String(repeating: "a", count: 63))
        #expect(throws: NameError.tooLong(what: "room name", bytes: 65, bytesMax: 64)) {
            try RoomName("#" + String(repeating: "a", count: 64))
        }
    }

    /// U+0130 takes 2 bytes, its lower case 3: the limit holds for what is kept.
    @Test func theLimitOfARoomHoldsAfterFolding() {
        #expect(throws: NameError.tooLong(what: "room name", bytes: 94, bytesMax: 64)) {
            try RoomName("#" + String(repeating: "\u{130}", count: 31))
        }
    }

    @Test(arguments: ["#a b", "#a,b", "#a\u{A0}b", "#a\u{2003}b"])
    func aRoomWithSpacesOrCommasIsRefused(text: String) {
        #expect(throws: NameError.space(what: "room name")) { try RoomName(text) }
    }

    @Test func roomsAreOrderedByTheirBytes() throws {
        let rooms = try ["#b", "#a", "#ä", "#a1"].map { try RoomName($0) }
        #expect(rooms.sorted().map(\.text) == ["#a", "#a1", "#b", "#ä"])
    }

    @Test func everyErrorSaysWhatWouldDo() {
        let errors: [NameError] = [
            .empty(what: "name"), .tooLong(what: "name", bytes: 64, bytesMax: 63), .control(what: "name"),
            .space(what: "name"), .roomMark,
        ]
        for error in errors { #expect(!error.description.isEmpty) }
        #expect(errors[1].description == "this name has 64 bytes; use at most 63")
    }
}
