import LatticeAPI
import LatticeCore

/// One entry of a list of posts: short facts in columns, text that wraps beside or below them, and counts and id at the
/// right edge of its end.
struct ItemRow {
    static let gap = "  "
    /// With fewer columns left, the text goes below the columns and not beside them.
    private static let textColumnsMin = 28

    /// One cell for each column; all rows of a list have the same number.
    let head: [String]
    /// Safe to show.
    let text: String
    let counts: String
    let id: String

    init(_ head: [String], text: String, counts: String = "", id: String) {
        (self.head, self.text, self.counts, self.id) = (head, text, counts, id)
    }

    init(_ head: [String], of item: ItemInfo, _ context: CommandContext) {
        self.init(
            head, text: ItemPhrases.words(item, context), counts: ItemPhrases.counts(item, context), id: item.short)
    }

    /// - Parameters:
    ///   - margin: blanks before each line.
    ///   - indent: blanks before text below the columns.
    static func lines(_ rows: [ItemRow], margin: Int = 0, indent: Int, _ context: CommandContext) -> [String] {
        let widths = (rows.first?.head.indices ?? 0..<0).map { column in
            rows.map { DisplayWidth.columns(of: $0.head[column]) }.max() ?? 0
        }
        let start = widths.reduce(margin) { $1 > 0 ? $0 + $1 + gap.count : $0 }
        let blanks = { (count: Int) in String(repeating: " ", count: count) }
        return rows.flatMap { row -> [String] in
            let line = blanks(margin) + row.aligned(widths)
            guard context.isTerminal else { return [row.line(after: line)] }
            guard context.columns - 1 - start >= textColumnsMin else {
                return row.stacked(margin: margin, indent: indent, context)
            }
            let body = row.body(columns: context.columns - 1 - start, context)
            return body.enumerated().map { ($0 == 0 ? line + gap : blanks(start)) + $1 }
        }
    }

    private func line(after head: String) -> String {
        let cells = [head, DisplayText.isolated(text), counts, id]
        return cells.filter { !$0.isEmpty }.joined(separator: Self.gap)
    }

    /// The text below the columns. Counts and id move up to the columns if they would need a line of their own below.
    private func stacked(margin: Int, indent: Int, _ context: CommandContext) -> [String] {
        var head = folded(margin: margin, indent: indent, context)
        let columns = context.columns - 1 - indent
        var body = body(columns: columns, context)
        let texts = TextWrap.lines(text, columns: columns)
        let used = head.last.map { DisplayWidth.columns(of: $0) } ?? 0
        let blanks = context.columns - 1 - used - DisplayWidth.columns(of: tail)
        if !id.isEmpty, body.count == texts.count + 1, blanks >= Self.gap.count {
            body.removeLast()
            head[head.count - 1] += String(repeating: " ", count: blanks) + shownTail(tail, context)
        }
        return head + body.map { String(repeating: " ", count: indent) + $0 }
    }

    private var tail: String { [counts, id].filter { !$0.isEmpty }.joined(separator: Self.gap) }

    private func shownTail(_ tail: String, _ context: CommandContext) -> String {
        tail.dropLast(id.count) + context.styled(id, "2")
    }

    private func body(columns: Int, _ context: CommandContext) -> [String] {
        var lines = TextWrap.lines(text, columns: columns)
        var tail = tail
        if DisplayWidth.columns(of: tail) > columns {
            lines += TextWrap.lines(counts, columns: columns)
            tail = id
        }
        let used = lines.last.map { DisplayWidth.columns(of: $0) } ?? 0
        let needed = DisplayWidth.columns(of: tail)
        let isBeside = used == 0 || used + Self.gap.count + needed <= columns
        let blanks = String(repeating: " ", count: max(0, columns - needed - (isBeside ? used : 0)))
        let end = blanks + shownTail(tail, context)
        let shown = lines.map { DisplayText.isolated($0) }
        guard !id.isEmpty else { return shown }
        return isBeside ? shown.dropLast() + [(shown.last ?? "") + end] : shown + [end]
    }

    private func folded(margin: Int, indent: Int, _ context: CommandContext) -> [String] {
        var lines = [String(repeating: " ", count: margin) + (head.first ?? "")]
        for cell in head.dropFirst() where !cell.isEmpty {
            let last = lines[lines.count - 1]
            let width = DisplayWidth.columns(of: last) + Self.gap.count + DisplayWidth.columns(of: cell)
            if width < context.columns {
                lines[lines.count - 1] = last + Self.gap + cell
            } else {
                lines += TextWrap.lines(cell, columns: context.columns - 1 - indent).map {
                    String(repeating: " ", count: indent) + $0
                }
            }
        }
        return lines
    }

    /// Columns that are empty in every row are left out.
    private func aligned(_ widths: [Int]) -> String {
        zip(head, widths).filter { $1 > 0 }.map { TextTable.padded($0, to: $1) }.joined(separator: Self.gap)
    }
}
