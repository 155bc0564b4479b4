/// The body of a `manifest` record: what a file is called, and which blob it is.
///
/// `body := root:32 size:varint name:bytes type:bytes fields`. The topic is the name of a room, or empty.
package struct ManifestBody: Hashable, Sendable {
    package static let previewBytesMax = 8_192
    private static let previewNumber: UInt64 = 1

    package let blob: BlobName
    package let name: FileName
    package let type: MediaType
    /// Field 1: a small JPEG of at most 8 KiB; `nil` if there is none.
    package let preview: [UInt8]?
    /// All fields, including those of later versions.
    private let fields: BodyFields

    package init(_ blob: BlobName, name: FileName, type: MediaType, preview: [UInt8]? = nil) {
        precondition(
            preview.map { (1...Self.previewBytesMax).contains($0.count) } ?? true, "previews are made to fit")
        (self.blob, self.name, self.type, self.preview) = (blob, name, type, preview)
        fields = preview.map { BodyFields([(Self.previewNumber, $0)]) } ?? .none
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        blob = try reader.blobName("blob")
        guard let name = FileName(try reader.someText("file name", bytesMax: FileName.bytesMax)) else {
            throw .outOfRange(field: "file name")
        }
        guard let type = MediaType(try reader.someText("media type", bytesMax: MediaType.bytesMax)) else {
            throw .outOfRange(field: "media type")
        }
        (self.name, self.type) = (name, type)
        fields = try BodyFields(reading: &reader, "manifest fields")
        let preview = fields[Self.previewNumber].map(Array.init)
        guard preview.map({ (1...Self.previewBytesMax).contains($0.count) }) ?? true else {
            throw .outOfRange(field: "preview")
        }
        self.preview = preview
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.blobName(blob)
        writer.text(name.text)
        writer.text(type.text)
        fields.append(to: &writer)
        return writer.bytes
    }
}
