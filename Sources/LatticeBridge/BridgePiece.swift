package import LatticeCore
import LatticeCrypto
package import LatticeWire

/// A piece of a blob on its way through a broker.
///
/// `record:32 root:32 size:varint number:varint octets`, to the end.
package struct BridgePiece: Hashable, Sendable {
    /// A record that names the blob.
    package let record: RecordID
    package let blob: BlobName
    package let number: Int
    package let octets: [UInt8]

    package init(_ blob: BlobName, namedBy record: RecordID, _ number: Int, _ octets: [UInt8]) {
        (self.blob, self.record, self.number, self.octets) = (blob, record, number, octets)
    }

    /// - Returns: `nil` if the bytes are no piece. Whether it belongs to its blob is not known yet.
    init?(_ bytes: ArraySlice<UInt8>) {
        do {
            try self.init(decoding: bytes)
        } catch {
            return nil
        }
    }

    private init(decoding bytes: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(bytes)
        record = RecordID(try reader.bytes32("record"))
        blob = try reader.blobName("blob")
        let number = try reader.varint("piece number")
        octets = Array(reader.rest())
        guard let number = Int(exactly: number), number < BlobShape(blob).pieceCount,
            octets.count == BlobShape(blob).byteCount(of: number)
        else { throw .outOfRange(field: "piece") }
        self.number = number
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.fixed(record.hash)
        writer.blobName(blob)
        writer.varint(UInt64(number))
        return writer.bytes + octets
    }

    /// The same for each record that names the blob, so that a broker keeps it once, and another one for other bytes.
    var id: RecordID {
        var writer = ByteWriter()
        writer.blobName(blob)
        writer.varint(UInt64(number))
        writer.fixed(Digest.blake2b256(octets))
        return RecordID(Digest.blake2b256(Array("lattice bridge piece v1".utf8) + writer.bytes))
    }
}
