package import LatticeChat
import LatticeCore

package enum SettingsTable {
    package static func lines(_ settings: Settings) -> [String] {
        let rows = SettingKey.allCases.map { key in
            let entry = settings.entry(key)
            let value = entry.map { $0.texts.joined(separator: ", ") } ?? key.fallback ?? "-"
            return [key.rawValue, DisplayText.safe(value), DisplayText.safe(whose(key, settings))]
        }
        let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
                + "  \(row[2])"
        }
    }

    package static func objects(_ settings: Settings) -> [JSONLine] {
        SettingKey.allCases.map { key in
            let texts = settings.entry(key)?.texts ?? key.fallback.map { [$0] }
            let value: JSONLine.Value =
                key.form == .list
                ? .list((texts ?? []).map { .text($0) }) : texts?.first.map { scalar($0, key) } ?? .null
            return JSONLine([
                ("event", .text("setting")), ("key", .text(key.rawValue)), ("value", value),
                ("origin", .text(whose(key, settings))), ("variable", .text(key.variable)),
                ("option", key.option.map { .text($0) } ?? .null),
            ])
        }
    }

    private static func scalar(_ text: String, _ key: SettingKey) -> JSONLine.Value {
        switch key.form {
        case .number: Int(text).map { .integer($0) } ?? .text(text)
        case .flag: .flag(text == "true")
        case .text, .list, .path: .text(text)
        }
    }

    private static func whose(_ key: SettingKey, _ settings: Settings) -> String {
        if let entry = settings.entry(key) { return entry.origin.text }
        guard let other = settings.passedOver[key] else { return "default" }
        let owners = key.owners.map(\.rawValue).joined(separator: " or ")
        return "default (\(other.origin.text) is for another \(owners))"
    }
}
