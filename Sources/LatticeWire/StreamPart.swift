package import LatticeCore

/// The encrypted content of a part of a stream after its handshake: `kind:varint …`.
package enum StreamPart: Hashable, Sendable {
    /// The first part of the side that opens the stream.
    case request(StreamLabel)
    /// The first part of the side that accepts it.
    case welcome
    case bytes(ArraySlice<UInt8>)
    case end
    /// Everything, the end included, was received and processed. Relays cannot forge this.
    case received

    /// Leaves space for its kind and its tag within `StreamMessage.partBytesMax`.
    package static let bytesMax = StreamMessage.partBytesMax - 17

    /// What precedes the bytes of `bytes`.
    package static let bytesHead: UInt8 = 2

    package init(decoding octets: [UInt8]) throws(WireError) {
        var reader = ByteReader(octets)
        switch try reader.varint("stream part kind") {
        case 0:
            // A later version may append more.
            let text = try reader.someText("stream label", bytesMax: StreamLabel.bytesMax)
            do {
                self = .request(try StreamLabel(text))
            } catch {
                throw .outOfRange(field: "stream label")
            }
        case 1: self = .welcome
        case 2:
            let bytes = reader.rest()
            guard !bytes.isEmpty else { throw .truncated(field: "stream bytes") }
            self = .bytes(bytes)
        case 3:
            try reader.end("stream end")
            self = .end
        case 4:
            try reader.end("stream receipt")
            self = .received
        default: throw .outOfRange(field: "stream part kind")
        }
    }

    package var bytes: [UInt8] {
        switch self {
        case .request(let label):
            var writer = ByteWriter(reserving: 80)
            writer.varint(0)
            writer.text(label.text)
            return writer.bytes
        case .welcome: return [1]
        case .bytes(let bytes):
            var writer = ByteWriter(reserving: bytes.count + 1 + 16)
            writer.varint(2)
            writer.fixed(bytes)
            return writer.bytes
        case .end: return [3]
        case .received: return [4]
        }
    }
}
