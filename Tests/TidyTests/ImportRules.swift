/// One `import` line, whatever form it has.
struct ImportLine {
    let module: String
    let attributes: [String]

    /// Nil when the line is no import.
    init?(_ code: String) {
        var words = code.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" }).map(String.init)[...]
        var attributes: [String] = []
        while let word = words.first, word.hasPrefix("@") || Self.accessLevels.contains(word) {
            if word.hasPrefix("@") { attributes.append(word) }
            words.removeFirst()
        }
        guard words.popFirst() == "import" else { return nil }
        if let word = words.first, Self.declarationKinds.contains(word) { words.removeFirst() }
        guard let path = words.first, let module = path.split(separator: ".").first else { return nil }
        self.module = String(module)
        self.attributes = attributes
    }

    private static let accessLevels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
    private static let declarationKinds: Set<String> = [
        "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
    ]
}

extension ModuleTable {
    /// Every import of `file` that the table does not allow, as a sentence each.
    func faults(in file: SourceFile) -> [String] {
        guard let module = self.module(file.module) else {
            return ["\(file.path): there is no module '\(file.module)' in the table of modules"]
        }
        var faults: [String] = []
        for (index, line) in file.code.enumerated() {
            if line.contains("@_exported") {
                faults.append(file.fault(line: index, "@_exported hides from a reader what a file needs"))
            }
            guard let found = ImportLine(line) else { continue }
            if found.attributes.contains("@testable") {
                faults.append(file.fault(line: index, "@testable is for tests"))
            }
            if let reason = objection(to: found.module, in: module) {
                faults.append(file.fault(line: index, reason))
            }
        }
        return faults
    }

    /// Faults of the table itself: a row that names what does not exist, or looks up instead of down.
    func faultsOfTheTable() -> [String] {
        var faults: [String] = []
        for module in modules {
            if modules.count(where: { $0.name == module.name }) > 1 { faults.append("\(module.name) has two rows") }
            for name in module.imports.sorted() {
                guard let other = self.module(name) else {
                    faults.append("\(module.name) names \(name), which is no module")
                    continue
                }
                if other.level >= module.level {
                    faults.append(
                        "\(module.name) (level \(module.level)) names \(name) (level \(other.level)): not lower")
                }
            }
        }
        return faults
    }

    private func objection(to name: String, in module: Module) -> String? {
        if let other = self.module(name) {
            if module.imports.contains(name) { return nil }
            if other.level >= module.level {
                return "\(module.name) (level \(module.level)) looks up: \(name) is level \(other.level)"
            }
            return "\(module.name) may not import \(name): its row does not name it"
        }
        if Self.worldly.contains(name) {
            return module.isPure ? "\(module.name) is pure: \(name) brings in clocks, files and threads" : nil
        }
        if Self.harmless.contains(name) || module.packages.contains(name) { return nil }
        return "\(module.name) may not import \(name): its row does not name it"
    }
}
