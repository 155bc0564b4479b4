import Glibc
package import LatticeCore

/// Local time, in which people read and write the dates of events.
package struct LocalCalendar: Sendable {
    package let civil: @Sendable (WallTime) -> CivilTime
    /// An hour skipped when clocks go forward becomes the hour after it.
    package let time: @Sendable (CivilTime) -> WallTime

    package init(
        civil: @escaping @Sendable (WallTime) -> CivilTime, time: @escaping @Sendable (CivilTime) -> WallTime
    ) {
        self.civil = civil
        self.time = time
    }

    package static let utc = LocalCalendar(civil: { CivilTime(utc: $0) }, time: { $0.utc })

    /// The time zone of this machine.
    package static let here = LocalCalendar(
        civil: { time in
            var seconds = time_t(time.milliseconds / 1_000)
            var parts = tm()
            guard localtime_r(&seconds, &parts) != nil else { return CivilTime(utc: time) }
            return CivilTime(
                year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
                hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: min(59, Int(parts.tm_sec)))
                ?? CivilTime(utc: time)
        },
        time: { civil in
            var parts = tm()
            parts.tm_year = Int32(civil.year - 1_900)
            parts.tm_mon = Int32(civil.month - 1)
            parts.tm_mday = Int32(civil.day)
            parts.tm_hour = Int32(civil.hour)
            parts.tm_min = Int32(civil.minute)
            parts.tm_sec = Int32(civil.second)
            parts.tm_isdst = -1
            let seconds = mktime(&parts)
            return seconds == -1 ? civil.utc : WallTime(milliseconds: Int64(seconds) * 1_000)
        })

    /// `2026-12-01 18:00`
    package func text(_ time: WallTime) -> String { civil(time).text }
}
