/// Dates for programs: `2026-11-21T09:30:00.250Z`, always UTC, always with milliseconds.
package enum RFC3339 {
    /// The end of the year 9999. A stranger's record can claim a later date, but a year has four digits.
    private static let millisecondsMax: Int64 = 253_402_300_799_999

    package static func string(_ time: WallTime) -> String {
        let milliseconds = min(max(0, time.milliseconds), millisecondsMax)
        let civil = CivilTime(utc: WallTime(milliseconds: milliseconds))
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func add(_ number: Int, _ digits: Int, before mark: Unicode.Scalar) {
            let start = text.count
            var rest = number
            for _ in 0..<digits {
                text.insert(UInt8(ascii: "0") + UInt8(rest % 10), at: start)
                rest /= 10
            }
            text.append(UInt8(ascii: mark))
        }
        add(civil.year, 4, before: "-")
        add(civil.month, 2, before: "-")
        add(civil.day, 2, before: "T")
        add(civil.hour, 2, before: ":")
        add(civil.minute, 2, before: ":")
        add(civil.second, 2, before: ".")
        add(Int(milliseconds % 1_000), 3, before: "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: `nil` for another format (RFC 3339, section 5.6), a date or time that does not exist, or a date
    ///   before 1970. Digits beyond milliseconds are ignored; leap seconds are not accepted.
    package static func read(_ text: some StringProtocol) -> WallTime? {
        var rest = Array(text.utf8)[...]
        func number(_ digits: Int) -> Int? {
            let bytes = rest.prefix(digits)
            guard bytes.count == digits, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest.dropFirst(digits)
            return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        func skips(_ character: Character) -> Bool {
            guard let byte = character.asciiValue, rest.first == byte else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = number(4), skips("-"), let month = number(2), skips("-"), let day = number(2), skips("T"),
            let hour = number(2), skips(":"), let minute = number(2), skips(":"), let second = number(2),
            let civil = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        var milliseconds = civil.utc.milliseconds
        if skips(".") {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...fractionMax).contains(digits.count) else { return nil }
            let thousandths = (Array(digits.prefix(3)) + [0x30, 0x30]).prefix(3)
            milliseconds += thousandths.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
            rest = rest.dropFirst(digits.count)
        }
        if !skips("Z") {
            let isAhead = skips("+")
            guard isAhead || skips("-"), let hours = number(2), skips(":"), let minutes = number(2), hours < 24,
                minutes < 60
            else { return nil }
            milliseconds += Int64(hours * 60 + minutes) * (isAhead ? -60_000 : 60_000)
        }
        guard rest.isEmpty, (0...millisecondsMax).contains(milliseconds) else { return nil }
        return WallTime(milliseconds: milliseconds)
    }

    /// Nobody writes more than nanoseconds.
    private static let fractionMax = 9
}
