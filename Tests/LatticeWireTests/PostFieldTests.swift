import LatticeCore
import LatticeGeo
import LatticeWire
import Testing

/// What each field of posts may hold, at and around its limits.
struct PostFieldTests {
    private func profileError(about: Int = 0, colour: [UInt8] = [0, 0, 0, 0]) -> WireError? {
        let body = Samples.written {
            $0.text("bob"); $0.text(String(repeating: "a", count: about)); $0.fixed(colour)
        }
        return wireError { () throws(WireError) in try ProfileBody(decoding: body) }
    }

    private func postError(place: [UInt8]? = nil, text: Int = 1, placeName: Int = 0) -> WireError? {
        let body = Samples.written {
            $0.text("bob"); $0.fixed(place ?? [UInt8](repeating: 0, count: 9))
            $0.text(String(repeating: "a", count: text)); $0.text(String(repeating: "a", count: placeName))
        }
        return wireError { () throws(WireError) in try PostBody(decoding: body) }
    }

    private func commentError(text: Int) -> WireError? {
        let body = Samples.written {
            $0.text("bob"); $0.text(String(repeating: "a", count: text))
        }
        return wireError { () throws(WireError) in try CommentBody(decoding: body) }
    }

    private func eventError(
        name: Int = 1, starts: UInt64 = 1, ends: UInt64 = 0, address: Int = 0, text: Int = 0
    ) -> WireError? {
        let body = Samples.written {
            $0.text("bob"); $0.text(String(repeating: "a", count: name))
            $0.fixed([UInt8](repeating: 0, count: 9))
            $0.integer(starts, bytes: 8); $0.integer(ends, bytes: 8)
            $0.text(String(repeating: "a", count: address)); $0.text(String(repeating: "a", count: text))
        }
        return wireError { () throws(WireError) in try EventBody(decoding: body) }
    }

    private func place(_ latitudeE7: Int32, _ longitudeE7: Int32, _ characters: UInt8 = 0) -> [UInt8] {
        Samples.written {
            $0.integer(UInt64(UInt32(bitPattern: latitudeE7)), bytes: 4)
            $0.integer(UInt64(UInt32(bitPattern: longitudeE7)), bytes: 4)
            $0.byte(characters)
        }
    }

    /// - Parameter error: what becomes of a text with that many bytes.
    private func expectLimit(
        _ field: String, _ range: ClosedRange<Int>, sourceLocation: SourceLocation = #_sourceLocation,
        _ error: (Int) -> WireError?
    ) {
        let max = range.upperBound
        let shortest = error(0)
        #expect(shortest == (range.contains(0) ? nil : .outOfRange(field: field)), sourceLocation: sourceLocation)
        for count in [1, max - 1, max] { #expect(error(count) == nil, sourceLocation: sourceLocation) }
        let tooLong = WireError.tooLong(field: field, bytes: max + 1, bytesMax: max)
        #expect(error(max + 1) == tooLong, sourceLocation: sourceLocation)
    }

    @Test func everyTextHasItsLimits() {
        expectLimit("profile about", 0...1_024) { profileError(about: $0) }
        expectLimit("post text", 1...4_096) { postError(text: $0) }
        expectLimit("post place name", 0...256) { postError(placeName: $0) }
        expectLimit("comment text", 1...4_096) { commentError(text: $0) }
        expectLimit("event name", 1...256) { eventError(name: $0) }
        expectLimit("event address", 0...512) { eventError(address: $0) }
        expectLimit("event text", 0...4_096) { eventError(text: $0) }
    }

    @Test func everyBodyNamesItsAuthorProperly() throws {
        for sample in try PostSamples.all() where sample.name != "statement" {
            for name in ["", "a\u{1B}", "<bob>", " bob"] {
                let body = Samples.written { $0.text(name) } + sample.body.dropFirst(4)
                let field = sample.kind == .event ? "event author" : "\(sample.name) name"
                let error = wireError { () throws(WireError) in try sample.reread(body) }
                #expect(error == .notUTF8(field: field), "\(name)")
            }
        }
    }

    @Test(arguments: ["", "日本 👩‍👩‍👧", "a\u{1B}[31mb", "e\u{301}", "\0"])
    func textComesBackScalarByScalar(text: String) throws {
        let (name, place) = (try PeerName("bob"), Place(try PostSamples.gate()))
        let profile = ProfileBody(name: name, about: text, colour: nil)
        #expect(Array(try ProfileBody(decoding: profile.body).about.utf8) == Array(text.utf8))
        let post = PostBody(name: name, place: place, text: "x" + text, placeName: text)
        let read = try PostBody(decoding: post.body)
        #expect(Array(read.text.utf8) == Array(("x" + text).utf8) && Array(read.placeName.utf8) == Array(text.utf8))
    }

    @Test func aColourIsThereOrAllZeros() {
        #expect(profileError(colour: [0, 0, 0, 0]) == nil)
        #expect(profileError(colour: [1, 0, 0, 0]) == nil)
        #expect(profileError(colour: [1, 255, 255, 255]) == nil)
        for colour in [[0, 0, 0, 1], [0, 1, 0, 0], [2, 0, 0, 0], [255, 1, 2, 3]] as [[UInt8]] {
            #expect(profileError(colour: colour) == .outOfRange(field: "profile colour"))
        }
    }

    @Test func blackIsAColourAndNoneIsNone() throws {
        for colour in [Colour(rgb: 0), Colour(rgb: 0xFF_FFFF), nil] {
            let profile = ProfileBody(name: try PeerName("bob"), about: "", colour: colour)
            #expect(try ProfileBody(decoding: profile.body).colour == colour)
        }
    }

    @Test(
        arguments: [
            (900_000_000, 0), (-900_000_000, 0), (0, 1_799_999_999), (0, -1_800_000_000), (-338_567_844, 1_512_152_967),
        ] as [(Int32, Int32)])
    func aPlaceIsAnywhereOnTheGlobe(latitudeE7: Int32, longitudeE7: Int32) throws {
        let bytes = place(latitudeE7, longitudeE7)
        var reader = ByteReader(bytes)
        let read = try reader.place("place")
        #expect(read.coordinate.latitudeE7 == latitudeE7 && read.coordinate.longitudeE7 == longitudeE7)
        #expect(read.geohashCharacters == nil && reader.consumed == Place.bytes)
        #expect(Samples.written { $0.place(read) } == bytes)
    }

    @Test(
        arguments: [
            (900_000_001, 0), (-900_000_001, 0), (0, -1_800_000_001), (0, 1_800_000_001), (.min, 0), (0, .max),
            (0, .min),
        ] as [(Int32, Int32)])
    func aPlaceOffTheGlobeIsRefused(latitudeE7: Int32, longitudeE7: Int32) {
        #expect(postError(place: place(latitudeE7, longitudeE7)) == .outOfRange(field: "post place"))
    }

    @Test func theAntimeridianIsWrittenInTheWest() throws {
        #expect(postError(place: place(0, 1_800_000_000)) == .outOfRange(field: "post place"))
        let antimeridian = try #require(Coordinate(latitudeE7: 0, longitudeE7: 1_800_000_000))
        #expect(Samples.written { $0.place(Place(antimeridian)) } == place(0, -1_800_000_000))
    }

    @Test func aBlurHasAtMostTwelveCharacters() throws {
        for characters in UInt8.min...UInt8.max {
            let expected = characters <= 12 ? nil : WireError.outOfRange(field: "post place")
            #expect(postError(place: place(1, 1, characters)) == expected)
        }
        for characters in 1...12 as ClosedRange<UInt8> {
            var reader = ByteReader(place(1, 1, characters))
            #expect(try reader.place("place").geohashCharacters == characters)
        }
    }

    @Test func anEventStartsOnADateOf48Bits() {
        let max = UInt64(EventBody.dateMillisecondsMax)
        #expect(max == 0xFFFF_FFFF_FFFF)
        for starts in [1, max] { #expect(eventError(starts: starts) == nil) }
        for starts in [0, max + 1, 1 << 63, .max] {
            #expect(eventError(starts: starts) == .outOfRange(field: "event start"))
        }
    }

    @Test func anEventEndsWhenItStartsOrLaterOrNobodyKnowsWhen() throws {
        let max = UInt64(EventBody.dateMillisecondsMax)
        for ends in [0, 1_000, 1_001, max] { #expect(eventError(starts: 1_000, ends: ends) == nil) }
        for ends in [1, 999, max + 1, 1 << 63, .max] {
            #expect(eventError(starts: 1_000, ends: ends) == .outOfRange(field: "event end"))
        }
        let endless = EventBody(
            author: try PeerName("bob"), name: "x", place: Place(try PostSamples.gate()),
            starts: WallTime(milliseconds: 1), ends: nil, address: "", text: "")
        #expect(try EventBody(decoding: endless.body).ends == nil)
    }

    @Test func aStatementIsYesOrNo() {
        for byte in UInt8.min...UInt8.max {
            let error = wireError { () throws(WireError) in try Statement(decoding: [byte]) }
            #expect(error == (byte <= 1 ? nil : .outOfRange(field: "statement")))
        }
    }
}
