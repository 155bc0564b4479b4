/// Text with colours (SGR sequences, ESC [ … m) and links (OSC 8), split into what is drawn and what only changes the pen.
package enum StyledText {
    enum Piece: Equatable {
        case style(String)
        /// What follows is a link to it; `nil` ends a link.
        case link(String?)
        case cluster(Character)
    }

    /// Terminals disagree about tabs, so a tab is drawn as this many spaces.
    private static let tabSpaces = String(repeating: " ", count: 4)

    /// The columns of `text`, not counting its colours.
    package static func columns(of text: String) -> Int {
        pieces(of: text).reduce(0) { sum, piece in
            if case .cluster(let cluster) = piece { sum + DisplayWidth.columns(of: cluster) } else { sum }
        }
    }

    /// `text` without anything that moves the cursor, and with its colours reset and its link closed at the end.
    static func tame(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var tamed = ""
        var hasStyle = false
        var isLink = false
        for piece in pieces(of: text) {
            switch piece {
            case .style(let sequence):
                hasStyle = true
                tamed += sequence
            case .link(let uri):
                isLink = uri != nil
                tamed += uri.map(Hyperlink.open) ?? Hyperlink.close
            case .cluster(let cluster): tamed.append(cluster)
            }
        }
        return tamed + (isLink ? Hyperlink.close : "") + (hasStyle ? ControlSequence.plainStyle : "")
    }

    /// Colours, links and clusters in order. Other escape sequences and control characters are dropped.
    static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var plain = String.UnicodeScalarView()
        func endPlain() {
            pieces += String(plain).map { .cluster($0) }
            plain = String.UnicodeScalarView()
        }
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar.value {
            case 0x1B:
                guard let piece = takeStyle(from: &rest) ?? takeLink(from: &rest) else { continue }
                endPlain()
                pieces.append(piece)
            case 0x09: plain.append(contentsOf: tabSpaces.unicodeScalars)
            case 0x00..<0x20, 0x7F..<0xA0, 0x2028...0x2029: continue
            default: plain.append(scalar)
            }
        }
        endPlain()
        return pieces
    }

    /// Consumes the control sequence after an ESC; returns it if it is a colour.
    private static func takeStyle(from rest: inout Substring.UnicodeScalarView) -> Piece? {
        guard rest.first == "[" else { return nil }
        let parameters = rest.dropFirst().prefix { (0x20...0x3F).contains($0.value) }
        rest = rest[parameters.endIndex...]
        guard let final = rest.first, (0x40...0x7E).contains(final.value) else { return nil }
        rest.removeFirst()
        return final == "m" ? .style("\u{1B}[\(String(Substring(parameters)))m") : nil
    }

    /// Consumes an OSC 8 after an ESC if it is one that `Hyperlink` writes.
    private static func takeLink(from rest: inout Substring.UnicodeScalarView) -> Piece? {
        let head = "]8;;".unicodeScalars
        guard rest.starts(with: head) else { return nil }
        let body = rest.dropFirst(head.count)
        let uri = body.prefix(Hyperlink.bytesMax + 1).prefix(while: Hyperlink.isAllowed)
        let end = body[uri.endIndex...].prefix(2)
        guard uri.count <= Hyperlink.bytesMax, end.elementsEqual("\u{1B}\\".unicodeScalars) else { return nil }
        rest = body[end.endIndex...]
        return .link(uri.isEmpty ? nil : String(Substring(uri)))
    }
}
