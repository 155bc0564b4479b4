/// A DNS name: labels of 1–63 bytes, compared without ASCII case (RFC 6762 section 16).
package struct DNSName: Hashable, Sendable {
    package let labels: [[UInt8]]
    private let folded: [[UInt8]]

    package init(_ labels: [[UInt8]]) {
        self.labels = labels
        folded = labels.map { $0.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 } }
    }

    /// - Parameter text: labels separated by dots; for our own names, whose labels contain no dots.
    package init(text: String) {
        self.init(text.split(separator: ".").map { Array($0.utf8) })
    }

    package static func == (left: DNSName, right: DNSName) -> Bool { left.folded == right.folded }
    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    package var parent: DNSName { DNSName(Array(labels.dropFirst())) }

    /// The first label; invalid UTF-8 is replaced.
    package var first: String { labels.first.map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// The wire format, uncompressed (RFC 1035 section 3.1).
    ///
    /// - Precondition: no label is longer than 63 bytes.
    package var wire: [UInt8] { labels.flatMap { [UInt8($0.count & 0x3F)] + $0.prefix(63) } + [0] }

    /// Avahi's text format: all but letters, digits, `-` and `_` become a backslash and three decimal digits (RFC 1035
    /// section 5.1).
    package var escaped: String {
        labels.map { label in label.map(Self.escaped).joined() }.joined(separator: ".")
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"):
            String(UnicodeScalar(byte))
        default:
            "\\\(byte / 100)\(byte / 10 % 10)\(byte % 10)"
        }
    }
}
