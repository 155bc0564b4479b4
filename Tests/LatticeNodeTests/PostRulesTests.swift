import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeWire
import Testing

@testable import LatticeNode

@Suite struct PostRulesTests {
    private let rules = PostRules(textClustersMax: 140)
    private let now = WallTime(milliseconds: 1_800_000_000_000)
    private static let day: Int64 = 86_400_000

    private func after(days: Int64) -> WallTime { WallTime(milliseconds: now.milliseconds + days * Self.day) }

    @Test(arguments: [(1, 0), (140, 0), (141, 1)])
    func aTextHasUpTo140Clusters(count: Int, faultsCount: Int) {
        var faults = PostRules.Faults()
        // A family of four is one character to the person who types it, and 25 bytes.
        _ = rules.text(String(repeating: "👨‍👩‍👧‍👦", count: count), &faults)
        #expect(faults.list.count == faultsCount)
    }

    @Test(arguments: ["", "   ", "\n\t", "\u{200B}", "\u{1B}"])
    func aTextOfNothingIsNone(text: String) {
        var faults = PostRules.Faults()
        _ = rules.text(text, &faults)
        #expect(faults.list.map(\.field) == [.text])
    }

    @Test(arguments: [
        ("  hi \n", "hi"), ("a\u{1B}[31mb", "a[31mb"), ("e\u{301}", "\u{E9}"), ("one\ntwo", "one\ntwo"),
        ("\u{202E}x", "x"), ("a\tb", "a b"),
    ])
    func aTextIsTidiedBeforeItIsSigned(text: String, tidied: String) {
        var faults = PostRules.Faults()
        let result = rules.text(text, &faults)
        #expect(Array(result.unicodeScalars) == Array(tidied.unicodeScalars))
        #expect(faults.list.isEmpty)
    }

    @Test func aTextOfFewClustersCanStillBeTooManyBytes() {
        var faults = PostRules.Faults()
        _ = rules.text("a" + String(repeating: "\u{301}", count: 2_100), &faults)
        #expect(faults.list.map(\.field) == [.text])
    }

    @Test func everyFieldOfAnEventAtFaultIsNamedAtOnce() throws {
        var faults = PostRules.Faults()
        _ = rules.place(nil, blur: nil, &faults)
        _ = rules.eventName("  ", &faults)
        _ = rules.dates(starts: nil, ends: nil, at: now, &faults)
        let all = faults
        let error = #expect(throws: RequestError.self) { try all.check() }
        #expect(error?.faults.map(\.field) == [.place, .name, .starts])
        #expect(error?.code == .invalid)
    }

    @Test func anEventIsAtMostAYearAheadAndNotLongOver() {
        func faultsCount(_ starts: Int64, _ ends: Int64?) -> Int {
            var faults = PostRules.Faults()
            _ = rules.dates(starts: after(days: starts), ends: ends.map(after), at: now, &faults)
            return faults.list.count
        }
        #expect(faultsCount(0, nil) == 0)
        #expect(faultsCount(364, nil) == 0)
        #expect(faultsCount(365, nil) == 1)
        #expect(faultsCount(-1, nil) == 0)
        #expect(faultsCount(-2, nil) == 1)
        #expect(faultsCount(-2, 1) == 0)
        #expect(faultsCount(2, 1) == 1)
        #expect(faultsCount(-9, -2) == 1)
        #expect(faultsCount(300, 365) == 1)
    }

    @Test func anEventLivesADayLongerThanItLasts() {
        let lifetime = PostRules.eventLifetime(starts: after(days: 2), ends: after(days: 3), from: now)
        #expect(lifetime == 4 * 86_400)
        #expect(PostRules.eventLifetime(starts: after(days: 2), ends: nil, from: now) == 3 * 86_400)
        #expect(PostRules.eventLifetime(starts: after(days: -9), ends: nil, from: now) == 60)
        #expect(PostRules.eventLifetime(starts: after(days: 900), ends: nil, from: now) == 31_536_000)
    }

    @Test func aBlurredPlaceIsTheMiddleOfItsCell() throws {
        let exact = try #require(Coordinate(latitude: 40.7128, longitude: -74.006))
        var faults = PostRules.Faults()
        let place = try #require(rules.place(exact, blur: 5, &faults))
        #expect(place.coordinate != exact)
        #expect(place.geohashCharacters == 5)
        #expect(rules.place(place.coordinate, blur: 5, &faults) == place)
        #expect(rules.place(exact, blur: nil, &faults) == Place(exact))
        #expect(faults.list.isEmpty)
        _ = rules.place(exact, blur: 13, &faults)
        _ = rules.place(exact, blur: 0, &faults)
        #expect(faults.list.map(\.field) == [.blur, .blur])
    }

    @Test(arguments: [(59, 1), (60, 0), (31_536_000, 0), (31_536_001, 1)])
    func aPostLivesFromAMinuteToAYear(seconds: Int, faultsCount: Int) {
        var faults = PostRules.Faults()
        _ = rules.lifetime(.seconds(seconds), &faults)
        #expect(faults.list.count == faultsCount)
    }
}
