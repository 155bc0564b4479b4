import LatticeAPI
import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeHTTP

/// What is read from a request, and how answers are written.
@Suite struct CallTests {
    @Test func anAddressIsReadPieceByPiece() throws {
        let call = try HTTPCall(.get, target: "/v1/rooms/a%2Fb%20%C3%BC?lat=1&lon=%2D2&words=a+b&x")
        #expect(call.path == ["v1", "rooms", "a/b ü"])
        #expect(call.query == ["lat": "1", "lon": "-2", "words": "a b", "x": ""])
        #expect(try HTTPCall(.get, target: "/").path == [""])
    }

    @Test(arguments: ["", "v1", "*", "/%", "/%4", "/%zz", "/%ff", "/a?b=%f", "/a?lat=1&lat=2", "http://a/"])
    func whatCannotBeReadIsRefused(target: String) {
        #expect(throws: HTTPProblem.self) { _ = try HTTPCall(.get, target: target) }
    }

    @Test func everyOctetSurvivesPercentCoding() throws {
        let text = String(decoding: (1...127).map { UInt8($0) }, as: UTF8.self) + "üñ→🎉"
        #expect(PercentText.decoded(PercentText.encoded(text)) == text)
        #expect(PercentText.encoded("#park ü") == "%23park%20%C3%BC")
    }

    @Test func aDateIsReadAsItIsWritten() {
        #expect(RFC3339.string(Sample.date) == "2026-11-22T10:00:00.123Z")
        #expect(RFC3339.read("2026-11-22T10:00:00.123Z") == Sample.date)
        #expect(RFC3339.read("2026-11-22T10:00:00Z") == WallTime(milliseconds: 1_795_341_600_000))
        #expect(RFC3339.read("2026-11-22T11:00:00+01:00") == WallTime(milliseconds: 1_795_341_600_000))
        #expect(RFC3339.string(WallTime(milliseconds: .max)) == "9999-12-31T23:59:59.999Z")
        for text in ["", "now", "2026-11-22", "1959-01-01T00:00:00Z", "2026-13-01T00:00:00Z"] {
            #expect(RFC3339.read(text) == nil)
        }
    }

    @Test func jsonEscapesWhatItMustAndNothingElse() {
        let json: JSON = ["a": "q\" b\\ \n \u{1} \u{7F} ü </script>", "b": [1, true, .null, .number(0.5)], "c": nil]
        let text = String(decoding: json.bytes, as: UTF8.self)
        #expect(text == #"{"a":"q\" b\\ \n \u0001 \u007f ü </script>","b":[1,true,null,0.5]}"#)
        #expect(String(decoding: JSON.number(.infinity).bytes, as: UTF8.self) == "null")
    }

    @Test func atagMatchesItselfWhateverStandsAroundIt() {
        let tag = EntityTag.text(Array("hello".utf8))
        #expect(tag == "\"a430d84680aabd0b\"")
        for wanted in [tag, "W/\(tag)", "\"x\", \(tag)", " * "] { #expect(EntityTag.matches(tag, wanted)) }
        for wanted in [nil, "", "\"x\"", "a430d84680aabd0b"] { #expect(!EntityTag.matches(tag, wanted)) }
    }

    @Test(arguments: [
        ("application/geo+json", true), ("Application/Geo+JSON", true), ("application/geo+json; q=0.3", true),
        ("application/geo+json;q=0", false), ("application/geo+json;q=0.000", false),
        ("application/geo+json, application/json", true), ("application/json, application/geo+json;q=0.9", false),
        ("application/geo+json;q=0.5, application/json;q=0.4", true), ("application/geo+json, */*;q=0.1", true),
        ("application/geo+json;q=0.5, */*", false), ("application/*", false), ("*/*", false), ("", false),
        ("text/html,application/xhtml+xml,*/*;q=0.8", false), ("application/json;q=0, */*", true),
        ("application/geo+json;q=1.001", false), ("application/geo+json;q=2", false),
        ("application/geo+json;q=x", false), ("application/geo+json;version=1;q=0", false), (",;=, /, q=1", false),
        ("text/x+application/geo+json", false),
    ])
    func whatIsAcceptedIsWeighed(header: String, isGeoJSON: Bool) {
        let types = AcceptedTypes(header)
        #expect(types.prefers("application/geo+json", to: "application/json") == isGeoJSON)
        #expect(!AcceptedTypes(nil).prefers("application/geo+json", to: "application/json"))
    }

    @Test func aFeedHoldsNoMarkupOfOthers() {
        let feed = AtomFeed(
            me: Sample.me, centre: Sample.place, radius: 2_000, items: [Sample.post], address: "http://[<b>]:8080"
        ).text
        #expect(feed.contains("<title>&lt;b&gt;hello&lt;/b&gt; &amp; &quot;you&quot;  </title>"))
        #expect(feed.contains("<georss:point>40.7128 -74.006</georss:point>"))
        #expect(!feed.contains("<b>") && !feed.contains("\u{1}"))
        #expect(feed.contains("title=\"a &lt;b&gt;bridge&lt;/b&gt;\" href=\"http://[&lt;b&gt;]:8080/v1/items/"))
    }

    @Test func usersAreKeptAsTheyAre() throws {
        var users = EventUsers()
        #expect(users.add("one") == 1)
        #expect(users.add("two") == 2)
        users.own(Sample.record(1), by: 2)
        let read = EventUsers(users.text + "junk\nuser x y\nevent 1 zz\n")
        #expect(read == users)
        #expect(read.owner(of: Sample.record(1)) == 2)
        for number in 3...EventUsers.usersMax { #expect(users.add("\(number)") != nil) }
        #expect(users.add("one too many") == nil)
        for number in 0..<UInt64(EventUsers.eventsMax) { users.own(Sample.record(number + 10), by: 1) }
        #expect(users.owner(of: Sample.record(1)) == nil)
        #expect(users.owner(of: Sample.record(11)) == 1)
    }
}
