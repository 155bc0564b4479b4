import LatticeCore

/// The settings of this process: options override the environment, which overrides the file. Loaded once before the
/// arguments are parsed.
package struct Settings: Sendable {
    package enum Origin: Equatable {
        case file(String, line: Int)
        case variable(String)
        case option(String)

        package var text: String {
            switch self {
            case .file(let path, let line): "\(path):\(line)"
            case .variable(let name): "environment \(name)"
            case .option(let name): "option \(name)"
            }
        }
    }

    package struct Entry: Equatable {
        package let texts: [String]
        package let origin: Origin
    }

    /// The settings of this process; empty in tests and before loading.
    @TaskLocal package static var current = Settings()

    /// From file and environment, checked.
    private(set) var entries: [SettingKey: Entry] = [:]
    /// From options, unchecked: their commands check them.
    private var options: [SettingKey: [String]] = [:]
    /// Entries that belong to a mesh or a person that an option or variable has replaced.
    package private(set) var passedOver: [SettingKey: Entry] = [:]

    package init() {}

    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - environment: the whole environment, or at least our variables.
    ///   - file: `nil` if there is none.
    /// - Throws: `Failure`, which names the variable and says what to do.
    package init(arguments: [String], environment: [String: String], file: SettingsFile?) throws(Failure) {
        try Self.check(environment)
        options = Self.options(in: arguments)
        for key in SettingKey.allCases {
            if let text = environment[key.variable], !text.isEmpty {
                entries[key] = try Self.entry(for: key, Self.texts(of: text, key.form), .variable(key.variable))
            } else if let file, let said = file.entries[key] {
                entries[key] = try Self.entry(for: key, said.texts, .file(file.path, line: said.line))
            }
        }
        passOver(file)
    }

    /// The value from file or environment, parsed like an option.
    ///
    /// - Returns: `nil` if it is not set.
    package func value<Value>(_ key: SettingKey, _ read: (String) throws -> Value) -> Value? {
        values(key, read)?.first
    }

    func values<Value>(_ key: SettingKey, _ read: (String) throws -> Value) -> [Value]? {
        guard let entry = entries[key] else { return nil }
        do {
            return try entry.texts.map(read)
        } catch {
            preconditionFailure("\(key.rawValue) was checked when it was loaded: \(error)")
        }
    }

    package func text(_ key: SettingKey) -> String? { entries[key]?.texts.first }

    package func flag(_ key: SettingKey) -> Bool { text(key) == "true" }

    /// The effective value, including options, and its origin.
    package func entry(_ key: SettingKey) -> Entry? {
        if let texts = options[key], let option = key.option { return Entry(texts: texts, origin: .option(option)) }
        return entries[key]
    }

    /// The name of a setting where it was set, for error messages: `--port`, `LATTICE_PORT`, `port in
    /// /etc/lattice/config.json line 3`; the bare name if it was not set.
    ///
    /// - Parameter countsOptions: whether options count; otherwise only file and environment.
    package func called(_ key: SettingKey, countsOptions: Bool = true) -> String {
        switch (countsOptions ? entry(key) : entries[key])?.origin {
        case .file(let path, let line): "\(key.rawValue) in \(path) line \(line)"
        case .variable(let name), .option(let name): name
        case nil: key.rawValue
        }
    }

    /// Runs `body` and blames its errors on the setting.
    ///
    /// - Parameter isSaid: whether an option overrides the setting, which is then not to blame.
    package func blaming<Value: ~Copyable>(
        _ key: SettingKey, unless isSaid: Bool, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        do {
            return try body()
        } catch {
            guard !isSaid else { throw error }
            throw Failure(error.kind, "\(called(key, countsOptions: false)): \(error)")
        }
    }

    /// In a variable, commas separate the elements of a list.
    private static func texts(of text: String, _ form: SettingKey.Form) -> [String] {
        guard form == .list else { return [text] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        }
    }

    private static func entry(for key: SettingKey, _ texts: [String], _ origin: Origin) throws(Failure) -> Entry {
        do {
            return Entry(texts: try texts.map { try key.checked($0) }, origin: origin)
        } catch {
            throw Failure(.usage, "\(origin.text): \(error)")
        }
    }

    /// A mistyped name would silently have other effects, such as speaking in the open mesh.
    private static func check(_ environment: [String: String]) throws(Failure) {
        let known = SettingKey.allCases.map(\.variable) + ["LATTICE_CONFIG"]
        for name in environment.keys.sorted() where name.hasPrefix("LATTICE_") && !known.contains(name) {
            let nearest = Suggestion.text(String(name.dropFirst(8)), among: known.map { $0.dropFirst(8).lowercased() })
            let hint = nearest.isEmpty ? "; 'lattice config show --json' lists all" : nearest.uppercasedName
            throw Failure(
                .usage, "the environment variable \(DisplayText.safe(name)) is not a known setting\(hint)")
        }
    }

    /// Options that correspond to settings, with their values; stops at `--`.
    private static func options(in arguments: [String]) -> [SettingKey: [String]] {
        var options: [SettingKey: [String]] = [:]
        let words = Array(arguments.prefix { $0 != "--" })
        for (index, word) in words.enumerated() {
            let name = String(word.prefix { $0 != "=" })
            guard let key = SettingKey.allCases.first(where: { $0.option == name }) else { continue }
            let text: String
            if key.form == .flag {
                text = "true"
            } else if word.utf8.count > name.utf8.count {
                text = String(word.dropFirst(name.count + 1))
            } else {
                text = index + 1 < words.count ? words[index + 1] : ""
            }
            options[key] = key.form == .list ? (options[key] ?? []) + [text] : [text]
        }
        return options
    }

    private mutating func passOver(_ file: SettingsFile?) {
        for key in SettingKey.allCases {
            guard let entry = entries[key], !key.owners.allSatisfy({ speaks(entry, of: $0, file) }) else { continue }
            passedOver[key] = entry
            entries[key] = nil
        }
    }

    /// Whether the effective value of the owner is the one for which the entry was written.
    private func speaks(_ entry: Entry, of owner: SettingKey, _ file: SettingsFile?) -> Bool {
        let below: [String]?
        switch entry.origin {
        case .file: below = file?.entries[owner]?.texts
        case .variable, .option: below = entries[owner]?.texts
        }
        let now = self.entry(owner)?.texts.map { text in
            do {
                return try owner.checked(text)
            } catch {
                return text  // Its command refuses it.
            }
        }
        return now == below || now == nil || now == owner.fallback.map { [$0] } && below == nil
    }
}

extension String {
    /// Turns `; did you mean mesh?` into `; did you mean LATTICE_MESH?`.
    fileprivate var uppercasedName: String {
        let start = "; did you mean "
        return hasPrefix(start) ? start + "LATTICE_" + dropFirst(start.count).uppercased() : self
    }
}
