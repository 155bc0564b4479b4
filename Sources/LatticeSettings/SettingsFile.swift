import Glibc
import LatticeCore

package struct SettingsFile: Equatable {
    /// One setting, as checked texts.
    struct Entry: Equatable {
        let texts: [String]
        let line: Int
    }

    /// The path, and whether the file must exist.
    package struct Place: Equatable {
        package let path: String
        let isNamed: Bool
    }

    /// Nobody writes more by hand.
    static let bytesMax = 64 << 10
    package static let systemPath = "/etc/lattice/config.json"

    package let path: String
    private(set) var entries: [SettingKey: Entry] = [:]

    /// `--config FILE`, else `LATTICE_CONFIG`, else the user's file, else the system's. Files are not merged.
    package static func place(named: String?, _ variable: (String) -> String?, exists: (String) -> Bool) -> Place {
        if let path = named ?? variable("LATTICE_CONFIG") { return Place(path: path, isNamed: true) }
        let own = folder(variable).map { "\($0)/lattice/config.json" }
        if let own, exists(own) || !exists(systemPath) { return Place(path: own, isNamed: false) }
        return Place(path: systemPath, isNamed: false)
    }

    /// A relative path must be ignored (XDG Base Directory Specification).
    private static func folder(_ variable: (String) -> String?) -> String? {
        if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder }
        guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
        return "\(home)/.config"
    }

    /// - Parameters:
    ///   - path: the origin of the text.
    ///   - home: the meaning of `~/`.
    /// - Throws: `Failure`, which names the file and line and says what to do.
    package init(path: String, text: [UInt8], home: String?) throws(Failure) {
        self.path = path
        do {
            try take(SettingsText.members(of: text), below: "", home)
        } catch {
            throw Failure(.usage, "\(path): line \(error.line): \(error.reason)")
        }
    }

    private mutating func take(
        _ members: [SettingsText.Member], below prefix: String, _ home: String?
    ) throws(SettingsText.Fault) {
        for member in members {
            let name = prefix + member.key
            if let key = SettingKey(rawValue: name) {
                guard entries[key] == nil else {
                    throw .init(line: member.line, reason: "\"\(name)\" is set twice; remove one of them")
                }
                entries[key] = Entry(texts: try texts(of: member, for: key, home), line: member.line)
            } else if case .object(let members) = member.value, Self.groups.contains(name) {
                try take(members, below: "\(name).", home)
            } else if Self.groups.contains(name) {
                let within = SettingKey.allCases.map(\.rawValue).filter { $0.hasPrefix("\(name).") }
                let list = within.map { "\"\($0.dropFirst(name.count + 1))\"" }.joined(separator: ", ")
                let reason = "\"\(name)\" holds settings of its own (\(list)) in { }, not \(member.value.kind)"
                throw .init(line: member.line, reason: reason)
            } else {
                let names = SettingKey.allCases.map(\.rawValue) + Self.groups
                let nearest = Suggestion.text(name, among: names)
                let hint = nearest.isEmpty ? "; 'lattice config show' lists all" : nearest
                throw .init(line: member.line, reason: "there is no setting \"\(DisplayText.safe(name))\"\(hint)")
            }
        }
    }

    /// Prefixes before dots.
    private static let groups = ["rates", "irc", "irc.tls"]

    private func texts(
        of member: SettingsText.Member, for key: SettingKey, _ home: String?
    ) throws(SettingsText.Fault) -> [String] {
        let plain: [String]
        switch (key.form, member.value) {
        case (.text, .text(let text)), (.number, .number(let text)): plain = [text]
        case (.path, .text(let text)): plain = [absolute(text, home)]
        case (.flag, .flag(let flag)): plain = ["\(flag)"]
        case (.list, .text(let text)): plain = [text]
        case (.list, .list(let values)):
            plain = try values.map { (value) throws(SettingsText.Fault) -> String in
                guard case .text(let text) = value else {
                    throw .init(line: member.line, reason: "\"\(key.rawValue)\" lists texts, not \(value.kind)")
                }
                return text
            }
        default:
            throw .init(
                line: member.line, reason: "\"\(key.rawValue)\" is \(key.form.words), not \(member.value.kind)")
        }
        do {
            return try plain.map { try key.checked($0) }
        } catch {
            throw .init(line: member.line, reason: "\"\(key.rawValue)\": \(error)")
        }
    }

    /// Relative to the file's folder, so that the file means the same wherever a command runs.
    private func absolute(_ text: String, _ home: String?) -> String {
        if text.hasPrefix("~/"), let home { return home + text.dropFirst(1) }
        guard !text.isEmpty, text != "-", !text.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return text }
        return "\(path[..<slash])/\(text)"
    }
}

extension SettingKey.Form {
    package var words: String {
        switch self {
        case .text: "a text in double quotes"
        case .number: "a number"
        case .flag: "true or false"
        case .list: "a list of texts, as in [\"one\", \"two\"]"
        case .path: "a path in double quotes"
        }
    }
}
