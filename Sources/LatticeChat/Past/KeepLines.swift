package import LatticeAPI
import LatticeCore

/// Shows which records of others are stored.
package enum KeepLines {
    package static func lines(_ rule: RetentionRule) -> [String] {
        guard rule != .everything else { return ["Everything is kept."] }
        var lines: [String] = []
        if rule.groups != nil { lines.append("from others only: \(names(rule).joined(separator: ", "))") }
        if let rooms = rule.rooms {
            let list = rooms.map { DisplayText.isolated($0.text) }.joined(separator: ", ")
            lines.append("chat only from: \(list.isEmpty ? "no room" : list)")
        }
        if let days = rule.days { lines.append("from others nothing older than \(ItemPhrases.counted(days, "day"))") }
        return lines + ["What you wrote is always kept."]
    }

    package static func object(_ rule: RetentionRule) -> JSONLine {
        JSONLine([
            ("event", .text("keep")), ("only", rule.groups.map { _ in .list(names(rule).map { .text($0) }) } ?? .null),
            ("rooms", rule.rooms.map { .list($0.map { .text($0.text) }) } ?? .null), ("days", .integer(rule.days)),
        ])
    }

    /// In a fixed order.
    private static func names(_ rule: RetentionRule) -> [String] {
        RetentionRule.Group.allCases.filter { rule.groups?.contains($0) ?? true }.map(\.rawValue)
    }
}
