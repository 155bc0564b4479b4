import Glibc
package import LatticeCore

/// The local time of day.
package enum TimeOfDay {
    /// `14:05`, in the time zone of this machine.
    package static func string(_ time: WallTime) -> String {
        var seconds = time_t(time.milliseconds / 1_000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "--:--" }
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(padded(parts.tm_hour)):\(padded(parts.tm_min))"
    }
}
