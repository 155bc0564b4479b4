/// Links that a terminal opens (OSC 8). Terminals that do not know them show the text alone.
package enum Hyperlink {
    /// Beyond it VTE and others drop the link.
    static let bytesMax = 2_083

    static let close = "\u{1B}]8;;\u{1B}\\"

    /// - Parameter uri: of characters that hold for `isAllowed`.
    static func open(_ uri: String) -> String { "\u{1B}]8;;\(uri)\u{1B}\\" }

    /// Printable ASCII that may stand in a URI (RFC 3986, section 2).
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "<", ">", "\\", "^", "`", "{", "|", "}": false
        default: (0x21...0x7E).contains(scalar.value)
        }
    }

    /// Makes a link of each http or https URI in a text. What is shown is always the address itself. An address that is
    /// followed directly by a letter outside ASCII, or is too long, stays text.
    ///
    /// - Parameter text: safe to show.
    package static func marked(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "/")), text.contains("://") else { return text }
        let scalars = Array(text.unicodeScalars)
        var marked = String.UnicodeScalarView()
        var start = 0
        while start < scalars.count {
            guard let end = end(of: scalars, from: start) else {
                marked.append(scalars[start])
                start += 1
                continue
            }
            let run = scalars[start..<end]
            let isWhole = end == scalars.count || isEdge(scalars[end])
            let uri = isWhole ? withoutPunctuation(run) : run
            let address = String(String.UnicodeScalarView(uri))
            let isLink = isWhole && uri.count <= bytesMax && hasHost(uri)
            marked.append(contentsOf: (isLink ? open(address) + address + close : address).unicodeScalars)
            start = uri.endIndex
        }
        return String(marked)
    }

    /// - Returns: the end of the address that begins here; `nil` if none does.
    private static func end(of scalars: [Unicode.Scalar], from start: Int) -> Int? {
        if start > 0, scalars[start - 1].properties.isAlphabetic || scalars[start - 1].isASCIILetterOrDigit {
            return nil
        }
        guard length(ofScheme: scalars[start...]) != nil else { return nil }
        return scalars[start...].firstIndex { !isAllowed($0) } ?? scalars.count
    }

    private static func length(ofScheme scalars: ArraySlice<Unicode.Scalar>) -> Int? {
        ["https://", "http://"].first { scheme in
            scalars.count >= scheme.unicodeScalars.count
                && zip(scheme.unicodeScalars, scalars).allSatisfy {
                    $0 == $1 || $1.isASCII && $0.value == $1.value | 0x20
                }
        }?.unicodeScalars.count
    }

    /// Whether a character may follow an address: ASCII, white space, or what encloses a text that runs from right to left.
    private static func isEdge(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII || scalar.properties.isWhitespace || (0x2066...0x2069).contains(scalar.value)
    }

    private static func hasHost(_ uri: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let length = length(ofScheme: uri), uri.count > length else { return false }
        let first = uri[uri.startIndex + length]
        return first == "[" || first.isASCIILetterOrDigit
    }

    /// Leaves out punctuation that ends the sentence, and a bracket that was opened before the address.
    private static func withoutPunctuation(_ run: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        let pairs: [Unicode.Scalar: Unicode.Scalar] = [")": "(", "]": "["]
        var open: [Unicode.Scalar: Int] = [:]
        for (closing, opening) in pairs {
            open[closing] = run.count { $0 == opening } - run.count { $0 == closing }
        }
        var uri = run
        while let last = uri.last {
            if let balance = open[last] {
                guard balance < 0 else { break }
                open[last] = balance + 1
            } else if !".,;:!?'".unicodeScalars.contains(last) {
                break
            }
            uri.removeLast()
        }
        return uri
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIILetterOrDigit: Bool { isASCII && (properties.isAlphabetic || properties.numericType != nil) }
}
