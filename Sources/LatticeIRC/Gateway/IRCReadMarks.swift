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

extension IRCGateway {
    mutating func markRead(_ params: [String], of id: ConnectionID) {
        guard let target = params.first, !target.isEmpty else {
            return fail(id, "MARKREAD", "NEED_MORE_PARAMS", trailing: "Say which room or nick: MARKREAD #room")
        }
        guard IRCChannel.isOne(target) || IRCNick.isValid(target) else {
            return fail(id, "MARKREAD", "INVALID_PARAMS", [Self.named(target)], trailing: "Not a room or nick")
        }
        let key = IRCNick.folded(target)
        guard params.count > 1 else { return tellMark(target, key, id) }
        guard params[1].hasPrefix("timestamp="), let date = RFC3339.read(params[1].dropFirst(10)) else {
            return fail(
                id, "MARKREAD", "INVALID_PARAMS", [Self.named(target), Self.named(params[1])],
                trailing: "Not a date; write timestamp=2026-11-20T14:02:00.000Z")
        }
        guard let account = connections[id]?.account else {
            return fail(
                id, "MARKREAD", "INTERNAL_ERROR", [Self.named(target), Self.named(params[1])],
                trailing: "Sign in to an account (SASL) to have this remembered")
        }
        let before = readMarks.mark(account, key)
        guard let mark = readMarks.move(account, key, to: date) else {
            return fail(
                id, "MARKREAD", "INTERNAL_ERROR", [Self.named(target), Self.named(params[1])],
                trailing: "Too many conversations are remembered already")
        }
        if mark != before { want(.keep(readMarks)) }
        tellMark(target, key, id)
    }

    private mutating func tellMark(_ target: String, _ key: String, _ id: ConnectionID) {
        let mark = connections[id]?.account.flatMap { readMarks.mark($0, key) }
        let text = mark.map { "timestamp=\(RFC3339.string($0))" } ?? "*"
        reply(id, IRCLine(source: settings.serverName, "MARKREAD", [target, text]))
    }

    /// Sent before the names (IRCv3 draft/read-marker, section Server behaviour).
    mutating func markOnJoin(_ channel: String, _ id: ConnectionID) {
        guard capabilities[id]?.contains(.readMarker) == true else { return }
        tellMark(channel, IRCNick.folded(channel), id)
    }
}
