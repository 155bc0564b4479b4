import LatticeCore

/// Lays out lines of a conversation on a terminal: columns for time and name, and the text wrapped beside them.
struct PastColumns {
    /// A longer name shifts only its own text.
    private static let columnsMax = 12
    /// With fewer columns left, the text goes below the name.
    private static let textColumnsMin = 20

    private let width: Int

    /// - Parameter names: the names on all lines, safe to show.
    init(_ names: [String]) {
        width = min(names.map { DisplayWidth.columns(of: $0) }.max() ?? 0, Self.columnsMax)
    }

    /// - Parameters:
    ///   - name: safe to show.
    ///   - text: not yet made safe.
    func lines(_ date: WallTime, _ name: String, _ text: String, _ context: CommandContext) -> [String] {
        let time = String(context.calendar.text(date).suffix(5))
        let head = context.styled(time, "2") + "  " + TextTable.padded(name, to: width)
        let start = time.count + 4 + max(width, DisplayWidth.columns(of: name))
        let isBeside = context.columns - 1 - start >= Self.textColumnsMin
        let indent = isBeside ? time.count + 4 + width : time.count + 2
        let first = isBeside ? start : indent
        let texts = text.split(whereSeparator: \.isNewline).flatMap { line in
            TextWrap.lines(DisplayText.safe(String(line)), columns: context.columns - 1 - max(first, indent))
        }.map { DisplayText.isolated($0) }
        let blanks = String(repeating: " ", count: first)
        guard isBeside else { return [head.trimmedAtEnd()] + texts.map { blanks + $0 } }
        return [head + "  " + (texts.first ?? "")] + texts.dropFirst().map { blanks + $0 }
    }
}
