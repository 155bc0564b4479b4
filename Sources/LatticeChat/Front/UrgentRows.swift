/// What is urgent as the first rows of the prompt, each cut to the width and filled up to it, so that the next row begins
/// below.
enum UrgentRows {
    /// On a smaller terminal only the newest stands there.
    private static let rowsMin = 12
    private static let hint = "  /dismiss"

    static func rows(of lines: [String], columns: Int, rows: Int) -> [String] {
        lines.prefix(rows < rowsMin ? 1 : lines.count).enumerated().map { index, line in
            row(line, hint: index == 0 && columns >= 40 ? hint : "", columns: columns)
        }
    }

    private static func row(_ line: String, hint: String, columns: Int) -> String {
        let most = columns - hint.count
        var text = ""
        var width = 0
        let whole = DisplayWidth.columns(of: line)
        for cluster in line {
            let next = DisplayWidth.columnsAtMost(of: cluster)
            // One column is left for the mark that something was cut.
            guard width + next <= (whole <= most ? most : most - 1) else { break }
            // A cluster whose width terminals disagree about would shift the rows below.
            text.append(DisplayWidth.isContested(cluster) ? "?" : cluster)
            width += DisplayWidth.isContested(cluster) ? 1 : DisplayWidth.columns(of: cluster)
        }
        if whole > most, width < most { (text, width) = (text + "…", width + 1) }
        return text + String(repeating: " ", count: max(0, most - width)) + hint
    }
}
