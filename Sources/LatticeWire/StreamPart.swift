package import LatticeCore

/// What stands sealed in a part of a stream, once both sides know who the other is: `kind:varint …`.
package enum StreamPart: Hashable, Sendable {
    /// The first of whoever opens it.
    case request(StreamLabel)
    /// The first of whoever takes it.
    case welcome
    case bytes(ArraySlice<UInt8>)
    /// All was said: no bytes follow.
    case end
    /// All that came, the end included, was dealt with: what nobody between both sides can say for them.
    case received

    /// So that a part is within `StreamMessage.partBytesMax` with its kind and its seal.
    package static let bytesMax = StreamMessage.partBytesMax - 17

    package init(decoding octets: [UInt8]) throws(WireError) {
        var reader = ByteReader(octets)
        switch try reader.varint("stream part kind") {
        case 0:
            // A later version may say more behind it.
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
