package import LatticeAPI
import LatticeCore
import LatticeGeo

/// Files that people share, as lines and as JSON.
package enum FileLines {
    package static func name(of file: FileInfo) -> String {
        "\(DisplayText.isolated(file.name)) (\(ByteCountText.text(Int(file.size))))"
    }

    /// - Returns: `nil` for nobody.
    package static func name(of person: RoomEvent.Person?) -> String? {
        person.map { $0.name.map { DisplayText.isolated($0.text) } ?? "#\($0.id.short)" }
    }

    package static func saved(_ file: FileInfo) -> String {
        "\(DisplayText.isolated(file.name)) is saved as \(DisplayText.safe(file.path ?? "?"))"
    }

    /// How far the other is with a file that was sent in a private message; one line that fits 40 columns.
    package static func delivery(_ file: FileInfo, perSecond: Int) -> String {
        guard file.given > 0 else { return "(waiting)" }
        return "\(file.given * 100 / max(1, file.size)) %, \(ByteCountText.text(perSecond))/s"
    }

    /// One line that fits 40 columns.
    package static func progress(_ file: FileInfo, perSecond: Int) -> String {
        guard file.state == .coming else { return "waiting: nobody has it now" }
        let left = perSecond > 0 ? Int(file.size - file.here) / perSecond : nil
        let time = left.map { $0 < 60 ? ", \($0) s left" : ", \($0 / 60) min left" } ?? ""
        return "\(percent(file)) %, \(ByteCountText.text(perSecond))/s\(time)"
    }

    private static func percent(_ file: FileInfo) -> Int {
        file.size > 0 ? Int(file.here * 100 / file.size) : 100
    }

    package static func table(_ files: [FileInfo], _ context: CommandContext) -> [String] {
        let rows = files.map { file in
            [
                String(file.id.hex.prefix(6)), ByteCountText.text(Int(file.size)),
                name(of: file.by) ?? "-",
                name(of: file.with).map { "with \($0)" } ?? file.room.map { DisplayText.isolated($0.text) } ?? "-",
                state(file), DisplayText.isolated(file.name) + (file.isDelivered ? " (delivered)" : ""),
            ]
        }
        return TextTable.lines([["ID", "SIZE", "BY", "ROOM", "HERE", "NAME"]] + rows, context)
    }

    private static func state(_ file: FileInfo) -> String {
        switch file.state {
        case .shared: file.here > 0 ? "\(percent(file)) %" : "no"
        case .coming: "\(percent(file)) % …"
        case .waiting: "waiting"
        case .here: "yes"
        }
    }

    package static func object(_ file: FileInfo) -> JSONLine {
        JSONLine(
            [
                ("event", .text("file")), ("id", .text(file.id.hex)), ("name", .text(file.name)),
                ("type", .text(file.type)),
                ("size", .integer(Int(file.size))), ("by", .text(file.by.id.hex)),
                ("by_name", .text(file.by.name?.text)),
                ("at", .text(RFC3339.string(file.at))), ("room", .text(file.room?.text)),
                ("with", .text(file.with?.id.hex)), ("private", .flag(file.isPrivate)),
                ("state", .text(file.state.rawValue)), ("here", .integer(Int(file.here))), ("path", .text(file.path)),
            ] + (file.isDelivered ? [("delivered", .flag(true))] : [])
                + (file.bounds.map { [("bounds", .list($0.degrees.map { .number($0) }))] } ?? []))
    }
}
