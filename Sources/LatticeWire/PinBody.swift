package import LatticeCore

/// The body of a `pin` record; its topic is the room's name. Kind 10 of a `SealedText` has the same body.
///
/// `body := name:bytes what:1 pinned fields`. If `what` is 0, `pinned` is empty; if 1, `recordID:32`; if 2,
/// `text:bytes`.
package struct PinBody: Hashable, Sendable {
    package enum Pinned: Hashable, Sendable {
        /// The author removes their pin.
        case nothing
        /// A line of the room.
        case line(RecordID)
        /// 1–300 bytes.
        case text(String)
    }

    package static let textBytesMax = 300

    /// The author's name.
    package let name: PeerName
    package let pinned: Pinned
    /// Fields of later versions.
    private var fields = BodyFields.none

    package init(name: PeerName, _ pinned: Pinned) {
        if case .text(let text) = pinned {
            precondition((1...Self.textBytesMax).contains(text.utf8.count), "another text is refused where it is typed")
        }
        (self.name, self.pinned) = (name, pinned)
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        name = try reader.peerName("pin name")
        switch try reader.byte("pin") {
        case 0: pinned = .nothing
        case 1: pinned = .line(RecordID(try reader.bytes32("pinned line")))
        case 2: pinned = .text(try reader.someText("pinned text", bytesMax: Self.textBytesMax))
        default: throw .outOfRange(field: "pin")
        }
        fields = try BodyFields(reading: &reader, "pin fields")
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.text(name.text)
        switch pinned {
        case .nothing: writer.byte(0)
        case .line(let line):
            writer.byte(1)
            writer.fixed(line.hash)
        case .text(let text):
            writer.byte(2)
            writer.text(text)
        }
        fields.append(to: &writer)
        return writer.bytes
    }
}
