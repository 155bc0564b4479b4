import LatticeQR

/// A text as a QR code, drawn in characters.
package struct QRCode {
    package enum Ink {
        /// Black on white in explicit colours, independent of the terminal's: UTF-8 half blocks.
        case coloured
        /// The same in ASCII: each module is two coloured spaces.
        case colouredASCII
        /// Half blocks, assuming a dark terminal.
        case plain
        /// `##` for dark modules, as on paper.
        case plainASCII

        package init(isASCII: Bool, hasColor: Bool) {
            switch (isASCII, hasColor) {
            case (false, true): self = .coloured
            case (true, true): self = .colouredASCII
            case (false, false): self = .plain
            case (true, false): self = .plainASCII
            }
        }
    }

    /// Light modules around the code that readers need (section 5.3.8).
    static let quietZone = 4

    private let symbol: QRSymbol

    /// - Returns: `nil` for an empty text, or one that exceeds a code (2,953 bytes).
    package init?(_ text: String) {
        guard let symbol = QRSymbol(Array(text.utf8)) else { return nil }
        self.symbol = symbol
    }

    /// Modules per side, 21–177.
    var width: Int { symbol.width }

    /// Everything beyond the edges is light.
    func isDark(row: Int, column: Int) -> Bool {
        let range = 0..<width
        return range.contains(row) && range.contains(column) && symbol.modules[row * width + column]
    }

    /// Modules per row with the quiet zone: the width in UTF-8; in ASCII each takes two columns.
    package var columns: Int { width + 2 * Self.quietZone }

    package func lines(_ ink: Ink) -> [String] {
        let span = -Self.quietZone..<(width + Self.quietZone)
        switch ink {
        case .coloured:
            return stride(from: span.lowerBound, to: span.upperBound, by: 2).map { row in
                "\u{1B}[30;107m" + span.map { halves(row, $0, isInkDark: true) }.joined() + "\u{1B}[0m"
            }
        case .plain:
            return stride(from: span.lowerBound, to: span.upperBound, by: 2).map { row in
                span.map { halves(row, $0, isInkDark: false) }.joined()
            }
        case .colouredASCII:
            return span.map { row in
                span.map { isDark(row: row, column: $0) ? "\u{1B}[40m  " : "\u{1B}[107m  " }.joined() + "\u{1B}[0m"
            }
        case .plainASCII:
            return span.map { row in span.map { isDark(row: row, column: $0) ? "##" : "  " }.joined() }
        }
    }

    /// Two modules, one above the other, in one character.
    private func halves(_ row: Int, _ column: Int, isInkDark: Bool) -> String {
        let upper = isDark(row: row, column: column) == isInkDark
        let lower = isDark(row: row + 1, column: column) == isInkDark
        switch (upper, lower) {
        case (true, true): return "█"
        case (true, false): return "▀"
        case (false, true): return "▄"
        case (false, false): return " "
        }
    }
}
