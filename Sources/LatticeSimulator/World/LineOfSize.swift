import LatticeCore
import LatticeWire

extension ChatLine {
    private static let unknownField: UInt64 = 120
    /// Space for the number and the length of the field.
    private static let fieldHeadBytes = 16

    /// The body of a line that fills links: its text has this many bytes, or as many as a text may have and a field that
    /// nobody knows has the rest.
    static func body(bytes: Int, isUrgent: Bool, by name: PeerName) -> [UInt8] {
        let text = String(repeating: "x", count: min(bytes, textBytesMax))
        let line = ChatLine(style: .says, name: name, text: text, isUrgent: isUrgent).body
        guard bytes > textBytesMax else { return line }
        var writer = ByteWriter()
        writer.varint(unknownField)
        writer.bytes([UInt8](repeating: 0, count: min(bytes - textBytesMax, BodyFields.bytesMax - fieldHeadBytes)))
        return line + writer.bytes
    }
}
