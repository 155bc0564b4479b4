package import LatticeAPI
import LatticeCore

/// Items as a list: on a terminal a head and the text below it, in a pipe one line each, so that it can be searched.
package enum ItemLines {
    package static func list(_ items: [ItemInfo], _ context: WallContext) -> [String] {
        let names = NamesInList(items)
        let heads = items.enumerated().map { head($1, number: $0 + 1, names, context) }
        let widths = columnWidths(heads)
        let indent = widths.first.map { $0 + 2 } ?? 0
        return zip(items, heads).flatMap { item, head -> [String] in
            let line = aligned(head, widths)
            let words = ItemPhrases.words(item, context)
            guard context.isTerminal else { return ["\(line)  \(DisplayText.isolated(words))"] }
            let fits = DisplayWidth.columns(of: line.trimmedAtEnd()) < context.columns
            let lines = fits ? [line.trimmedAtEnd()] : folded(head, indent: indent, context)
            return lines.map { context.styled($0, "1") } + wrapped(words, indent: indent, context)
        }
    }

    /// Text in lines that fit, set in.
    static func wrapped(_ text: String, indent: Int, _ context: WallContext) -> [String] {
        let lines = context.isTerminal ? TextWrap.lines(text, columns: context.columns - indent) : [text]
        return lines.map { String(repeating: " ", count: indent) + DisplayText.isolated($0) }
    }

    private static func head(_ item: ItemInfo, number: Int, _ names: NamesInList, _ context: WallContext) -> [String] {
        [
            String(number), ItemPhrases.place(item), DurationText.age(of: item.at, at: context.now),
            names.author(item), item.short, ItemPhrases.counts(item),
        ]
    }

    /// A head that is too wide, in as many lines as it needs; what stands under the first is set in.
    private static func folded(_ head: [String], indent: Int, _ context: WallContext) -> [String] {
        let number = head.first ?? ""
        var lines = [String(repeating: " ", count: max(0, indent - 2 - number.count)) + number]
        for cell in head.dropFirst() where !cell.isEmpty {
            let last = lines[lines.count - 1]
            let hasRoom = DisplayWidth.columns(of: last) + 2 + DisplayWidth.columns(of: cell) < context.columns
            if hasRoom || last == number {
                lines[lines.count - 1] = "\(last)  \(cell)"
            } else {
                lines.append(String(repeating: " ", count: indent) + cell)
            }
        }
        return lines
    }

    private static func columnWidths(_ rows: [[String]]) -> [Int] {
        guard let first = rows.first else { return [] }
        return first.indices.map { column in rows.map { DisplayWidth.columns(of: $0[column]) }.max() ?? 0 }
    }

    /// The number stands at the right of its column; a column that is empty in every row takes no room.
    private static func aligned(_ row: [String], _ widths: [Int]) -> String {
        var cells: [String] = []
        for (index, (text, width)) in zip(row, widths).enumerated() where width > 0 {
            let padding = String(repeating: " ", count: max(0, width - DisplayWidth.columns(of: text)))
            cells.append(index == 0 ? padding + text : text + padding)
        }
        return cells.joined(separator: "  ")
    }
}
