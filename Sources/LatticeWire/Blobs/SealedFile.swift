package import LatticeCore

/// A file in a private message or a private room: the blob of its ciphertext, the key to it, and what it is called. It stands only in
/// sealed lines: who can read the line can open the file.
///
/// `file := root:32 size:varint key:32 prefix:16 plain:varint name:text type:text preview:bytes`
package struct SealedFile: Hashable, Sendable {
    package static let prefixBytes = 16
    package static let previewBytesMax = ManifestBody.previewBytesMax

    package let blob: BlobName
    package let key: Bytes32
    /// The first 16 bytes of the nonce of each leaf; the number of the leaf follows.
    package let prefix: [UInt8]
    package let plainBytes: Int64
    package let name: FileName
    package let type: MediaType
    /// A small JPEG of at most 8 KiB; `nil` if there is none.
    package let preview: [UInt8]?

    /// - Parameters:
    ///   - blob: its size is the one that `SealedShape` has for `plainBytes`.
    ///   - prefix: 16 bytes.
    ///   - preview: at most 8 KiB.
    package init(
        _ blob: BlobName, key: Bytes32, prefix: [UInt8], plainBytes: Int64, name: FileName, type: MediaType,
        preview: [UInt8]? = nil
    ) {
        precondition(
            SealedShape(plainBytes: plainBytes)?.blobBytes == blob.size, "the blob is that of the file, sealed")
        precondition(prefix.count == Self.prefixBytes, "a prefix has 16 bytes")
        precondition(
            preview.map { (1...Self.previewBytesMax).contains($0.count) } ?? true, "previews are made to fit")
        (self.blob, self.key, self.prefix, self.plainBytes) = (blob, key, prefix, plainBytes)
        (self.name, self.type, self.preview) = (name, type, preview)
    }

    package init(decoding value: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(value)
        blob = try reader.blobName("file blob")
        key = try reader.bytes32("file key")
        prefix = Array(try reader.fixed(Self.prefixBytes, "file prefix"))
        let plain = Int64(exactly: try reader.varint("file size"))
        guard let plain, SealedShape(plainBytes: plain)?.blobBytes == blob.size else {
            throw .outOfRange(field: "file size")
        }
        plainBytes = plain
        guard let name = FileName(try reader.someText("file name", bytesMax: FileName.bytesMax)) else {
            throw .outOfRange(field: "file name")
        }
        guard let type = MediaType(try reader.someText("media type", bytesMax: MediaType.bytesMax)) else {
            throw .outOfRange(field: "media type")
        }
        (self.name, self.type) = (name, type)
        let preview = try reader.bytes("file preview", bytesMax: Self.previewBytesMax)
        self.preview = preview.isEmpty ? nil : Array(preview)
        try reader.end("file")
    }

    package var shape: SealedShape {
        guard let shape = SealedShape(plainBytes: plainBytes) else { preconditionFailure("the initialisers check it") }
        return shape
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(reserving: 512 + (preview?.count ?? 0))
        writer.blobName(blob)
        writer.fixed(key)
        writer.fixed(prefix)
        writer.varint(UInt64(plainBytes))
        writer.text(name.text)
        writer.text(type.text)
        writer.bytes(preview ?? [])
        return writer.bytes
    }
}
