/// Rows of words, in columns as wide as they need.
enum TextTable {
    static func lines(_ rows: [[String]]) -> [String] {
        guard let head = rows.first else { return [] }
        let widths = head.indices.map { column in rows.map { DisplayWidth.columns(of: $0[column]) }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { text, width in
                text + String(repeating: " ", count: max(0, width - DisplayWidth.columns(of: text)))
            }.joined(separator: "  ").trimmedAtEnd()
        }
    }
}
