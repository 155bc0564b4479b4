import LatticeCore

/// What is settled for this process: by the file, over it by the environment, over that by options. Loaded once before the arguments
/// are parsed, and handed down to whoever reads options.
package struct Settings: Sendable {
    /// Whose word it is.
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

    /// Of this process; nothing is settled in tests and wherever nobody has loaded any.
    @TaskLocal package static var current = Settings()

    /// The file that was looked for; `nil` if none was.
    private(set) var place: SettingsFile.Place?
    /// By file and environment, checked.
    private(set) var entries: [SettingKey: Entry] = [:]
    /// What the options say, unchecked: their commands do that.
    private var options: [SettingKey: [String]] = [:]
    /// What speaks of a mesh or a person that an option or variable replaced by another.
    package private(set) var passedOver: [SettingKey: Entry] = [:]

    package init() {}

    /// - Parameters:
    ///   - arguments: without the name of the program.
    ///   - environment: all of it, or what of it begins as ours does.
    ///   - file: `nil` if there is none.
    /// - Throws: `Failure`, which names the variable and what to do.
    package init(
        arguments: [String], environment: [String: String], file: SettingsFile?, place: SettingsFile.Place? = nil
    ) throws(Failure) {
        self.place = place
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

    // MARK: - Reading

    /// What file and environment say, made into a value as an option is.
    ///
    /// - Returns: `nil` if they say nothing.
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

    /// What counts, options included, and whose word it is.
    package func entry(_ key: SettingKey) -> Entry? {
        if let texts = options[key], let option = key.option { return Entry(texts: texts, origin: .option(option)) }
        return entries[key]
    }

    /// What a setting is called where it was said, for whoever has to change it there: `--port`, `LATTICE_PORT`,
    /// `port in /etc/lattice/config.json line 3`; its bare name where nobody said it.
    ///
    /// - Parameter countsOptions: whether an option of that name counts; otherwise it is what file and environment say.
    package func called(_ key: SettingKey, countsOptions: Bool = true) -> String {
        switch (countsOptions ? entry(key) : entries[key])?.origin {
        case .file(let path, let line): "\(key.rawValue) in \(path) line \(line)"
        case .variable(let name), .option(let name): name
        case nil: key.rawValue
        }
    }

    /// Does what a setting asks for; what comes of it is told of the setting.
    ///
    /// - Parameter isSaid: whether an option says it instead, so that the setting is not to blame.
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

    // MARK: - Layers

    /// A list stands in a variable with commas between its parts.
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

    /// A slip in a name would silently do something else, such as to speak in the open mesh.
    private static func check(_ environment: [String: String]) throws(Failure) {
        let known = SettingKey.allCases.map(\.variable) + ["LATTICE_CONFIG"]
        for name in environment.keys.sorted() where name.hasPrefix("LATTICE_") && !known.contains(name) {
            let nearest = Suggestion.text(String(name.dropFirst(8)), among: known.map { $0.dropFirst(8).lowercased() })
            let hint = nearest.isEmpty ? "; 'lattice config show --json' lists all" : nearest.uppercasedName
            throw Failure(
                .usage, "the environment variable \(DisplayText.safe(name)) is not a known setting\(hint)")
        }
    }

    /// Options that stand for a setting, with their words. What ends options ends this, too.
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

    /// Whether what counts for the owner is what counted when this was written.
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
    /// `; did you mean LATTICE_MESH?` of `; did you mean mesh?`
    fileprivate var uppercasedName: String {
        let start = "; did you mean "
        return hasPrefix(start) ? start + "LATTICE_" + dropFirst(start.count).uppercased() : self
    }
}
