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

extension RoomTable {
    /// Every import of `file` that the table does not allow, as a sentence each.
    func faults(in file: SourceFile) -> [String] {
        guard let room = room(file.room) else {
            return ["\(file.path): there is no room '\(file.room)' in the table of rooms"]
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
            if let reason = objection(to: found.module, in: room) {
                faults.append(file.fault(line: index, reason))
            }
        }
        return faults
    }

    /// Faults of the table itself: a row that names what does not exist, or looks up instead of down.
    func faultsOfTheTable() -> [String] {
        var faults: [String] = []
        for room in rooms {
            if rooms.count(where: { $0.name == room.name }) > 1 { faults.append("\(room.name) has two rows") }
            for name in room.imports.sorted() {
                guard let other = self.room(name) else {
                    faults.append("\(room.name) names \(name), which is no room")
                    continue
                }
                if other.level >= room.level {
                    faults.append("\(room.name) (level \(room.level)) names \(name) (level \(other.level)): not lower")
                }
            }
        }
        return faults
    }

    private func objection(to module: String, in room: Room) -> String? {
        if let other = self.room(module) {
            if room.imports.contains(module) { return nil }
            if other.level >= room.level {
                return "\(room.name) (level \(room.level)) looks up: \(module) is level \(other.level)"
            }
            return "\(room.name) may not import \(module): its row does not name it"
        }
        if Self.worldly.contains(module) {
            return room.isPure ? "\(room.name) is pure: \(module) brings in clocks, files and threads" : nil
        }
        if Self.harmless.contains(module) || room.packages.contains(module) { return nil }
        return "\(room.name) may not import \(module): its row does not name it"
    }
}
