package import LatticeAPI
import LatticeCore

/// A list of items. On a terminal the text wraps in its own column, or below the rest if that is narrow; in a pipe each
/// item is one line, for searching. The id is always last.
package enum ItemLines {
    package static func list(_ items: [ItemInfo], _ context: CommandContext) -> [String] {
        let names = NamesInList(items)
        let width = String(items.count).count
        let rows = items.enumerated().map { index, item in
            let number = String(index + 1)
            let head = [
                String(repeating: " ", count: width - number.count) + number, ItemPhrases.way(item),
                names.author(item), DurationText.age(of: item.at, at: context.now),
            ]
            return ItemRow(head, of: item, context)
        }
        return ItemRow.lines(rows, indent: width + ItemRow.gap.count, context)
    }

    static func comments(_ comments: [ItemInfo], _ names: NamesInList, _ context: CommandContext) -> [String] {
        let rows = comments.map { comment in
            ItemRow([names.author(comment), DurationText.age(of: comment.at, at: context.now)], of: comment, context)
        }
        return ItemRow.lines(rows, margin: 2, indent: 4, context)
    }

    /// Text wrapped to fit, indented.
    static func wrapped(_ text: String, indent: Int, _ context: CommandContext) -> [String] {
        let lines = context.isTerminal ? TextWrap.lines(text, columns: context.columns - 1 - indent) : [text]
        return lines.map { String(repeating: " ", count: indent) + DisplayText.isolated($0) }
    }
}
