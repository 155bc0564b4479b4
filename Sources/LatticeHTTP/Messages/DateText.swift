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

    /// - Returns: `nil` for what has another form, or lies before 1970.
    static func read(_ text: String) -> WallTime? {
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
}
