import FoundationEssentials
import LatticeCore

/// Dates as ISO 8601 writes them: `2026-11-22T10:00:00.000Z`.
enum DateText {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let wholeStyle = Date.ISO8601FormatStyle()
    /// 9999-12-31: later ones have no such form.
    private static let latest: Int64 = 253_402_300_799_999

    static func text(_ time: WallTime) -> String {
        let milliseconds = min(max(time.milliseconds, 0), latest)
        // Whole seconds are exact as floating point; thousandths are not.
        let seconds = Date(timeIntervalSince1970: Double(milliseconds / 1_000)).formatted(wholeStyle)
        return "\(seconds.dropLast()).\(String(milliseconds % 1_000 + 1_000).dropFirst())Z"
    }

    /// - Returns: `nil` for what has another form, names no day or time there is, or lies before 1970.
    static func read(_ text: String) -> WallTime? {
        guard isThere(text) else { return nil }
        for style in [style, wholeStyle] {
            do {
                let seconds = try style.parse(text).timeIntervalSince1970
                guard seconds >= 0, seconds * 1_000 <= Double(latest) else { return nil }
                return WallTime(milliseconds: Int64((seconds * 1_000).rounded()))
            } catch {
                continue  // It may have the other form.
            }
        }
        return nil
    }

    /// Of 30 February the parser makes 2 March.
    private static func isThere(_ text: String) -> Bool {
        let numbers = text.prefix { $0 != "Z" && $0 != "+" && $0 != "." }.split { "-T:".contains($0) }.map { Int($0) }
        guard numbers.count >= 6, let year = numbers[0], let month = numbers[1], let day = numbers[2],
            let hour = numbers[3], let minute = numbers[4], let second = numbers[5], (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return (1...days).contains(day) && (0...23).contains(hour) && (0...59).contains(minute)
            && (0...59).contains(second)
    }
}
