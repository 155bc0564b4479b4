import Glibc
import LatticeCore

/// The time of the day of a line that was said before, as it is read on this machine.
// Safety: a structure is lent to localtime_r for the length of the call, with its true size.
enum IRCClock {
    static func text(_ time: WallTime) -> String {
        var (seconds, parts) = (time_t(time.milliseconds / 1_000), tm())
        guard localtime_r(&seconds, &parts) != nil else { return "earlier" }
        return [parts.tm_hour, parts.tm_min].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
