/// The purpose of a stream of bytes between two peers: 1–63 of `a–z`, `A–Z`, `0–9`, `.`, `-` and `_`. Both sides use
/// the same label.
package struct StreamLabel: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 63
    package static let usual = StreamLabel(proven: "pipe")
    /// The stream that carries the messages of the library. Its handshake yields the keys of datagrams.
    package static let messages = StreamLabel(proven: "lattice.messages")
    /// A stream that carries a file of the library.
    package static let resource = StreamLabel(proven: "lattice.resource")

    package let text: String

    package init(_ text: String) throws(StreamLabelError) {
        guard (1...Self.bytesMax).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            throw StreamLabelError()
        }
        self.text = text
    }

    private init(proven text: String) {
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    package var description: String { text }
}

package struct StreamLabelError: Error, Equatable, CustomStringConvertible {
    package var description: String {
        "a label has 1 to \(StreamLabel.bytesMax) of the letters a to z, digits, dots, dashes and underscores"
    }
}
