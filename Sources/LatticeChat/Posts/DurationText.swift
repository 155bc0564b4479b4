package import LatticeCore

/// Durations as people type them (`90s`, `30min`, `24h`, `7d`, `2w`), and ages.
package enum DurationText {
    package enum Fault: Error, Equatable, CustomStringConvertible {
        case notADuration

        package var description: String {
            "not a length of time; write a number and s, min, h, d or w, such as 30min, 24h or 7d"
        }
    }

    /// Nobody means a longer number.
    private static let digitsMax = 9

    package static func parse(_ text: String) throws(Fault) -> Duration {
        let trimmed = text.trimming().lowercased()
        let number = trimmed.prefix { $0.isASCII && $0.isNumber }
        guard (1...digitsMax).contains(number.count), let count = Int64(number) else { throw .notADuration }
        return .seconds(count * (try seconds(of: String(trimmed.dropFirst(number.count).trimming()))))
    }

    private static func seconds(of unit: String) throws(Fault) -> Int64 {
        switch unit {
        case "s", "sec", "second", "seconds": 1
        case "m", "min", "minute", "minutes": 60
        case "h", "hour", "hours": 3_600
        case "d", "day", "days": 86_400
        case "w", "week", "weeks": 604_800
        default: throw .notADuration
        }
    }

    /// `now`, `3 min`, `2 h`, `5 d`. A future date comes from somebody whose clock is fast, and counts as `now`.
    package static func age(of time: WallTime, at now: WallTime) -> String {
        let (seconds, ahead) = now.milliseconds.subtractingReportingOverflow(time.milliseconds)
        if ahead || seconds < 60_000 { return "now" }
        return whole(seconds / 1_000)
    }

    /// The largest unit that fits, rounded down.
    static func whole(_ seconds: Int64) -> String {
        switch seconds {
        case ..<3_600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}
