import LatticeAPI
import LatticeCore

/// Read markers: how far each account has read each conversation (IRCv3 draft/read-marker). Only for signed-in
/// accounts.
package struct IRCReadMarks: Hashable, Sendable {
    static let accountsMax = 1_000
    static let targetsMax = 200

    private(set) var marks: [AccountName: [String: WallTime]] = [:]

    package init() {}

    /// Parses one line each: date, account, conversation. Invalid lines are skipped.
    package init(_ text: String) {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let milliseconds = Int64(parts[0]), let account = AccountName(String(parts[1]))
            else { continue }
            _ = move(account, String(parts[2]), to: WallTime(milliseconds: milliseconds))
        }
    }

    package var text: String {
        var text = ""
        for (account, targets) in marks.sorted(by: { $0.key.text < $1.key.text }) {
            for (target, date) in targets.sorted(by: { $0.key < $1.key }) {
                text += "\(date.milliseconds) \(account) \(target)\n"
            }
        }
        return text
    }

    func mark(_ account: AccountName, _ target: String) -> WallTime? { marks[account]?[target] }

    /// Moves a marker forward, never back.
    ///
    /// - Returns: the marker's position; `nil` if there is no space for another marker.
    mutating func move(_ account: AccountName, _ target: String, to date: WallTime) -> WallTime? {
        let old = marks[account]
        if let known = old?[target], known >= date { return known }
        guard old != nil || marks.count < Self.accountsMax, old?[target] != nil || (old?.count ?? 0) < Self.targetsMax
        else { return nil }
        marks[account, default: [:]][target] = date
        return date
    }
}
