/// Why a text is not a valid name; the description says what is.
package enum NameError: Error, Equatable, CustomStringConvertible {
    case empty(what: String)
    case tooLong(what: String, bytes: Int, bytesMax: Int)
    case control(what: String)
    case space(what: String)
    case roomMark
    /// A character that separates names from the text around them.
    case mark
    /// More combining marks on one letter than any script uses.
    case pile(what: String)

    package var description: String {
        switch self {
        case .empty(let what): "a \(what) needs at least one character that can be seen"
        case .tooLong(let what, let bytes, let bytesMax):
            "this \(what) has \(bytes) bytes; use at most \(bytesMax)"
        case .control(let what): "a \(what) cannot hold control, escape or invisible formatting characters"
        case .space(let what): "a \(what) cannot hold or be only white space here; use a dash instead"
        case .mark: "a name cannot hold '<', '>' or '#': they set names off from what is said"
        case .pile(let what): "a \(what) cannot begin with a combining mark or pile up more than four"
        case .roomMark: "a room starts with '#' and goes on with at least one character, as in #park"
        }
    }
}

/// What a peer calls itself: 1–63 bytes of UTF-8 (an mDNS instance label, RFC 6763 section 4.1.1), no control
/// characters, no white space at the ends, none of `<>#`. Not unique, and no proof of anything.
package struct PeerName: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 63
    package let text: String

    package init(_ text: String) throws(NameError) {
        self.text = try checked(text, what: "name", bytesMax: Self.bytesMax)
        if text.utf8.contains(where: { "<>#".utf8.contains($0) }) { throw .mark }
    }

    package var description: String { text }
}

/// The name of a mesh: all peers that use the same name form one. 1–63 bytes of UTF-8, no control characters.
package struct MeshName: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 63
    package let text: String

    package init(_ text: String) throws(NameError) {
        self.text = try checked(text, what: "mesh name", bytesMax: Self.bytesMax)
    }

    package var description: String { text }
}

/// A named conversation: `#` and 1–63 bytes of UTF-8 without white space, commas or control characters; letters are
/// folded to lower case, so that `#Park` and `#park` are one room.
package struct RoomName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package static let bytesMax = 64
    package let text: String

    package init(_ text: String) throws(NameError) {
        let text = try checked(text, what: "room name", bytesMax: Self.bytesMax)
        if let plain = Self.plain(text) {
            self.text = plain
            return
        }
        let folded = text.lowercased()
        guard folded.utf8.first == UInt8(ascii: "#"), folded.utf8.count > 1 else { throw .roomMark }
        guard folded.utf8.count <= Self.bytesMax else {
            throw .tooLong(what: "room name", bytes: folded.utf8.count, bytesMax: Self.bytesMax)
        }
        if folded.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0 == "," }) {
            throw .space(what: "room name")
        }
        self.text = folded
    }

    /// - Returns: `text` if folding cannot change it: only ASCII lower-case letters, digits and dashes, as in most
    ///   names.
    private static func plain(_ text: String) -> String? {
        let isPlain = text.utf8.dropFirst().allSatisfy { octet in
            (0x61...0x7A).contains(octet) || (0x30...0x39).contains(octet) || octet == 0x2D
        }
        return isPlain && text.utf8.count > 1 && text.utf8.first == UInt8(ascii: "#") ? text : nil
    }

    package var description: String { text }

    package static func < (left: RoomName, right: RoomName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

private func checked(_ text: String, what: String, bytesMax: Int) throws(NameError) -> String {
    guard !text.isEmpty else { throw .empty(what: what) }
    guard text.utf8.count <= bytesMax else { throw .tooLong(what: what, bytes: text.utf8.count, bytesMax: bytesMax) }
    if isPlain(text) { return text }
    if text.unicodeScalars.contains(where: isRefused) { throw .control(what: what) }
    var marks = 4
    for scalar in text.unicodeScalars {
        marks = isMark(scalar) ? marks + 1 : 0
        if marks > 4 { throw .pile(what: what) }
    }
    guard text.unicodeScalars.contains(where: isVisible) else { throw .empty(what: what) }
    let ends = [text.unicodeScalars.first, text.unicodeScalars.last]
    if ends.contains(where: { $0?.properties.isWhitespace ?? false }) { throw .space(what: what) }
    return text
}

/// Whether all characters are visible ASCII, which no rule below forbids. A fast path: every chat line contains a name,
/// and most names are like this.
private func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
}

/// Characters that move a cursor, reverse a line or are invisible (Default_Ignorable_Code_Point, UAX #44). Joiners and
/// the emoji variation selector are allowed, because scripts and emoji need them.
private func isRefused(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C, 0x200D, 0xFE0F: false
    case 0x2800: true  // BRAILLE PATTERN BLANK
    default: DisplayText.isUnsafe(scalar) || scalar.properties.isDefaultIgnorableCodePoint
    }
}

private func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: scalar.value != 0xFE0F
    default: false
    }
}

/// Joiners and combining marks alone are not visible.
private func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .format && !isMark(scalar) && scalar.value != 0xFE0F
}
