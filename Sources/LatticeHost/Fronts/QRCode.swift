import CQREncode
import Glibc

/// A text as a QR code (ISO/IEC 18004), drawn with characters.
// Safety: what QRcode_encodeData gives is owned here until QRcode_free; its data has width × width octets, all of which are copied
// before that. The text is lent for the length of the call, with its true size.
package struct QRCode {
    /// How the terminal can show it.
    package enum Ink {
        /// Black on white by colours of its own, whatever those of the terminal are: half blocks of UTF-8.
        case coloured
        /// The same in ASCII: every module is two spaces on a colour.
        case colouredASCII
        /// Half blocks on what is taken for a dark terminal.
        case plain
        /// `##` for what is dark, as on paper.
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

    /// Modules of light that a reader needs around it (section 5.3.8).
    static let quietZone = 4

    /// Modules a side, 21–177.
    let width: Int
    private let modules: [Bool]

    /// - Returns: `nil` for a text of no bytes or more than one code holds (2,953 bytes).
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        // Version 0 is the smallest that will do; level L, since a screen has no stains.
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        // The lowest bit says whether it is dark.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    }

    /// Beyond its edges all is light.
    func isDark(row: Int, column: Int) -> Bool {
        let range = 0..<width
        return range.contains(row) && range.contains(column) && modules[row * width + column]
    }

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

    /// Two modules, one above the other.
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
