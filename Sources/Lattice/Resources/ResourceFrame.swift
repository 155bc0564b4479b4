import LatticeCore
import LatticeWire

/// What the sender of a resource says first on its stream: `length:2 version:1 root:32 size:varint name:text type:text`.
/// Later versions may add fields at the end.
struct ResourceOffer: Hashable, Sendable {
    static let lengthBytes = 2
    /// A version, a root, a size, a name and a media type with their lengths, and space for fields of later versions.
    static let bytesMax = 1_024
    private static let version: UInt8 = 1

    let blob: BlobName
    let name: FileName
    let type: MediaType

    init(_ blob: BlobName, name: FileName, type: MediaType) {
        (self.blob, self.name, self.type) = (blob, name, type)
    }

    var bytes: [UInt8] {
        var body = ByteWriter()
        body.byte(Self.version)
        body.blobName(blob)
        body.text(name.text)
        body.text(type.text)
        var writer = ByteWriter()
        writer.integer(UInt64(body.bytes.count), bytes: Self.lengthBytes)
        writer.fixed(body.bytes)
        return writer.bytes
    }

    /// - Parameter body: without the length.
    init(_ body: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(body)
        guard try reader.byte("version") == Self.version else { throw .outOfRange(field: "version") }
        blob = try reader.blobName("blob")
        guard let name = FileName(try reader.someText("name", bytesMax: FileName.bytesMax)) else {
            throw .outOfRange(field: "name")
        }
        guard let type = MediaType(try reader.someText("media type", bytesMax: MediaType.bytesMax)) else {
            throw .outOfRange(field: "media type")
        }
        (self.name, self.type) = (name, type)
    }
}

/// What the receiver of a resource answers on its stream: `kind:1 first:4 count:4`.
enum ResourceAnswer: Hashable, Sendable {
    static let byteCount = 9

    /// Asks for these pieces in ascending order, without anything between them.
    case pieces(Range<Int>)
    /// All is verified and stands in its place.
    case done

    var bytes: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .pieces(let range):
            writer.byte(1)
            writer.integer(UInt64(range.lowerBound), bytes: 4)
            writer.integer(UInt64(range.count), bytes: 4)
        case .done:
            writer.byte(2)
            writer.integer(0, bytes: 8)
        }
        return writer.bytes
    }

    /// - Parameters:
    ///   - bytes: `byteCount` of them.
    ///   - shape: of what was offered.
    init(_ bytes: ArraySlice<UInt8>, of shape: BlobShape) throws(WireError) {
        var reader = ByteReader(bytes)
        let kind = try reader.byte("kind")
        let (first, count) = (
            Int(try reader.integer(bytes: 4, "first")), Int(try reader.integer(bytes: 4, "count"))
        )
        switch kind {
        case 1:
            guard count > 0, first + count <= shape.pieceCount else { throw .outOfRange(field: "count") }
            self = .pieces(first..<first + count)
        case 2: self = .done
        default: throw .outOfRange(field: "kind")
        }
    }
}
