/// Wraps styled text into rows at blanks. Each row is self-contained: colours, links and direction isolates are closed at its
/// end and reopened in the next one.
struct RowCutter {
    private static let openIsolate: Character = "\u{2068}"
    private static let closeIsolate: Character = "\u{2069}"

    private let columns: Int
    private let indent: Int
    private var rows: [String] = []
    private var row = ""
    private var rowColumns = 0
    /// Blanks before the next word, written only if the word fits in the row.
    private var blanks = ""
    private var blankColumns = 0
    private var word: [StyledText.Piece] = []
    private var wordColumns = 0
    /// Whether the row contains more than the indent.
    private var hasWord = false
    private var pen = ""
    private var link: String?
    private var isIsolated = false

    /// - Parameters:
    ///   - columns: width of a row, at least 2.
    ///   - indent: blanks before every row except the first.
    static func rows(of text: String, columns: Int, indent: Int) -> [String] {
        let columns = max(2, columns)
        var cutter = RowCutter(columns: columns, indent: max(0, min(indent, columns / 2)))
        for piece in StyledText.pieces(of: text) { cutter.take(piece) }
        cutter.endWord()
        return cutter.rows + [cutter.row + cutter.closing]
    }

    private init(columns: Int, indent: Int) {
        (self.columns, self.indent) = (columns, indent)
    }

    private mutating func take(_ piece: StyledText.Piece) {
        guard case .cluster(let cluster) = piece, cluster == " " else {
            if case .cluster(let cluster) = piece { wordColumns += DisplayWidth.columns(of: cluster) }
            return word.append(piece)
        }
        endWord()
        blanks.append(cluster)
        blankColumns += 1
    }

    private mutating func endWord() {
        guard !word.isEmpty else { return }
        if rowColumns + blankColumns + wordColumns <= columns {
            row += blanks
            rowColumns += blankColumns
        } else if hasWord {
            openRow()
        } else {
            row += String(blanks.prefix(max(0, columns / 2)))
            rowColumns += min(blankColumns, columns / 2)
        }
        (blanks, blankColumns) = ("", 0)
        for piece in word { place(piece) }
        if wordColumns > 0 { hasWord = true }
        (word, wordColumns) = ([], 0)
    }

    private mutating func place(_ piece: StyledText.Piece) {
        switch piece {
        case .style(let sequence):
            pen = sequence == ControlSequence.plainStyle ? "" : pen + sequence
            row += sequence
        case .link(let uri):
            link = uri
            row += uri.map(Hyperlink.open) ?? Hyperlink.close
        case .cluster(let cluster):
            let width = DisplayWidth.columns(of: cluster)
            if rowColumns + width > columns { openRow() }
            if cluster == Self.openIsolate { isIsolated = true }
            if cluster == Self.closeIsolate { isIsolated = false }
            row.append(cluster)
            rowColumns += width
        }
    }

    private var closing: String {
        (link == nil ? "" : Hyperlink.close) + (isIsolated ? String(Self.closeIsolate) : "")
            + (pen.isEmpty ? "" : ControlSequence.plainStyle)
    }

    private mutating func openRow() {
        rows.append(row + closing)
        row =
            String(repeating: " ", count: indent) + pen + (isIsolated ? String(Self.openIsolate) : "")
            + (link.map(Hyperlink.open) ?? "")
        rowColumns = indent
        hasWord = false
    }
}
