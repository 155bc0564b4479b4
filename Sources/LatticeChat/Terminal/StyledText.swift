/// Text with colours (SGR sequences, ESC [ … m), split into what is drawn and what only changes the pen.
package enum StyledText {
    enum Piece: Equatable {
        case style(String)
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

    /// `text` without anything that moves the cursor, and with its colours reset at the end.
    static func tame(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var tamed = ""
        var hasStyle = false
        for piece in pieces(of: text) {
            switch piece {
            case .style(let sequence):
                hasStyle = true
                tamed += sequence
            case .cluster(let cluster): tamed.append(cluster)
            }
        }
        return hasStyle ? tamed + ControlSequence.plainStyle : tamed
    }

    /// Colours and clusters in order. Other escape sequences and control characters are dropped.
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
                guard let sequence = takeSequence(from: &rest) else { continue }
                endPlain()
                pieces.append(.style(sequence))
            case 0x09: plain.append(contentsOf: tabSpaces.unicodeScalars)
            case 0x00..<0x20, 0x7F..<0xA0, 0x2028...0x2029: continue
            default: plain.append(scalar)
            }
        }
        endPlain()
        return pieces
    }

    /// Consumes the sequence after an ESC; returns it if it is a colour.
    private static func takeSequence(from rest: inout Substring.UnicodeScalarView) -> String? {
        guard rest.first == "[" else { return nil }
        let parameters = rest.dropFirst().prefix { (0x20...0x3F).contains($0.value) }
        rest = rest[parameters.endIndex...]
        guard let final = rest.first, (0x40...0x7E).contains(final.value) else { return nil }
        rest.removeFirst()
        return final == "m" ? "\u{1B}[\(String(Substring(parameters)))m" : nil
    }
}
