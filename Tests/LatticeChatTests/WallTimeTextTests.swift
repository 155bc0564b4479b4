import LatticeChat
import LatticeCore
import Testing

/// Dates and lengths of time, as people write and read them.
@Suite struct WallTimeTextTests {
    /// 2026-11-21 09:30:00 in Greenwich.
    private static let now = WallTime(milliseconds: 1_795_253_400_000)
    /// A place two hours ahead of Greenwich.
    private static let east = LocalCalendar(
        civil: { CivilTime(utc: WallTime(milliseconds: $0.milliseconds + 7_200_000)) },
        time: { WallTime(milliseconds: $0.utc.milliseconds - 7_200_000) })

    @Test(arguments: [
        ("90s", 90), ("30min", 1_800), ("30m", 1_800), ("24h", 86_400), ("7d", 604_800), ("2w", 1_209_600),
        (" 3 H ", 10_800), ("0d", 0), ("999999999w", 604_799_999_395_200),
    ])
    func lengthsOfTimeAreRead(text: String, seconds: Int64) throws {
        #expect(try DurationText.parse(text) == .seconds(seconds))
    }

    @Test(arguments: ["", "7", "d", "-7d", "1.5h", "7 fortnights", "1000000000d", "٧d", "7d7h"])
    func whatIsNoLengthOfTimeIsRefused(text: String) {
        #expect(throws: DurationText.Fault.notADuration) { try DurationText.parse(text) }
    }

    @Test(arguments: [
        (0, "now"), (59, "now"), (60, "1 min"), (3_599, "59 min"), (3_600, "1 h"), (86_399, "23 h"), (86_400, "1 d"),
        (864_000, "10 d"), (-5_000, "now"),
    ])
    func anAgeIsToldInItsLargestUnit(seconds: Int64, text: String) {
        let time = WallTime(milliseconds: Self.now.milliseconds - seconds * 1_000)
        #expect(DurationText.age(of: time, at: Self.now) == text)
    }

    @Test func anAgeBeyondAllNumbersDoesNotStopTheProgram() {
        #expect(DurationText.age(of: WallTime(milliseconds: .min), at: Self.now) == "now")
        #expect(DurationText.age(of: WallTime(milliseconds: .max), at: Self.now) == "now")
    }

    @Test(arguments: [
        ("2026-12-01 18:00", "2026-12-01T16:00:00.000Z"), ("2026-12-01T18:00", "2026-12-01T16:00:00.000Z"),
        ("2026-12-01 18:00:30", "2026-12-01T16:00:30.000Z"), ("2026-12-1 8:05", "2026-12-01T06:05:00.000Z"),
        ("2026-12-01T18:00:00Z", "2026-12-01T18:00:00.000Z"), ("2026-12-01T18:00:00.5z", "2026-12-01T18:00:00.000Z"),
        ("2026-12-01T18:00:00-05:00", "2026-12-01T23:00:00.000Z"),
        ("2026-12-01 18:00+05:30", "2026-12-01T12:30:00.000Z"),
        ("+2h", "2026-11-21T11:30:00.000Z"), ("+ 1 d", "2026-11-22T09:30:00.000Z"),
        ("today 23:00", "2026-11-21T21:00:00.000Z"), ("Tomorrow 18:00", "2026-11-22T16:00:00.000Z"),
        ("now", "2026-11-21T09:30:00.000Z"), ("18:00", "2026-11-21T16:00:00.000Z"),
        ("8:00", "2026-11-22T06:00:00.000Z"), ("sat 18:00", "2026-11-21T16:00:00.000Z"),
        ("Saturday 08:00", "2026-11-28T06:00:00.000Z"), ("wed 09:15", "2026-11-25T07:15:00.000Z"),
        ("2028-02-29 00:00", "2028-02-28T22:00:00.000Z"),
    ])
    func datesAreReadAsClocksHereShowThem(text: String, date: String) throws {
        #expect(RFC3339.string(try DateText.parse(text, at: Self.now, in: Self.east)) == date)
    }

    @Test(arguments: [
        ("", DateText.Fault.notADate), ("soon", .notADate), ("1.12.2026 18:00", .notADate),
        ("2026-12-01", .timeMissing),
        ("tomorrow", .timeMissing), ("sat", .timeMissing), ("sa 18:00", .notADate), ("25:00", .noSuchDay),
        ("2026-02-29 18:00", .noSuchDay), ("2026-13-01 18:00", .noSuchDay),
        ("2026-12-01 24:00", .noSuchDay), ("2026-12-01 18:60", .noSuchDay), ("2026-12-01 6pm", .notADate),
        ("2026-12-01T18:00:00+25:00", .noSuchDay), ("+2", .notADate), ("+999999999w", .tooFar),
        ("1969-12-31 18:00", .noSuchDay),
        ("2026-12-01 18:00 19:00", .notADate), ("2026-12-01 18:00:00.", .notADate), ("99999-12-01 18:00", .notADate),
    ])
    func whatIsNoDateIsToldInASentence(text: String, fault: DateText.Fault) {
        #expect(throws: fault) { try DateText.parse(text, at: Self.now, in: Self.east) }
        #expect(fault.description.contains(" "))
    }

    @Test func everyDayOfFourHundredYearsIsTheSameThereAndBack() {
        var milliseconds: Int64 = 0
        while milliseconds < 400 * 366 * 86_400_000 {
            let time = WallTime(milliseconds: milliseconds)
            #expect(CivilTime(utc: time).utc == time)
            milliseconds += 86_400_000 - 1_000
        }
    }

    @Test func theCalendarOfThisMachineGoesThereAndBack() {
        for hours in stride(from: Int64(0), to: 24 * 365, by: 7) {
            let time = WallTime(milliseconds: 1_795_253_400_000 + hours * 3_600_000)
            let back = LocalCalendar.here.time(LocalCalendar.here.civil(time))
            // The hour that a clock put back shows twice.
            #expect(abs(back.milliseconds - time.milliseconds) <= 3_600_000)
        }
    }
}
