/// The photo of a profile, post, event or place: fields 1, 2 and 7 of its body.
///
/// Field 2 is `root:32 size:varint width:varint height:varint`. Without it, fields 1 and 7 mean nothing.
package struct BodyPhoto: Hashable, Sendable {
    package static let sideMax = 16_384
    package static let thumbnailBytesMax = 8_192
    package static let altBytesMax = 1_000
    /// Peers fetch a photo of this size without being asked. Nothing larger is made or shown here.
    package static let bytesMax: Int64 = 1 << 20

    private static let thumbnailNumber: UInt64 = 1
    private static let photoNumber: UInt64 = 2
    private static let altNumber: UInt64 = 7

    /// A JPEG.
    package let blob: BlobName
    /// In pixels, 1–`sideMax`.
    package let width: Int
    /// In pixels, 1–`sideMax`.
    package let height: Int
    /// Field 1: a small JPEG of at most 8 KiB; `nil` if there is none.
    package let thumbnail: [UInt8]?
    /// Field 7: the picture in words, for those who do not see it; 1–1,000 bytes.
    package let alt: String?

    package init(_ blob: BlobName, width: Int, height: Int, thumbnail: [UInt8]? = nil, alt: String? = nil) {
        precondition(
            (1...Self.sideMax).contains(width) && (1...Self.sideMax).contains(height), "a photo of ours has two sides")
        precondition(
            thumbnail.map { (1...Self.thumbnailBytesMax).contains($0.count) } ?? true, "thumbnails are made to fit")
        precondition(
            alt.map { (1...Self.altBytesMax).contains($0.utf8.count) } ?? true,
            "another text is refused where it is typed"
        )
        (self.blob, self.width, self.height) = (blob, width, height)
        (self.thumbnail, self.alt) = (thumbnail, alt)
    }

    /// The same photo in other words.
    package func described(as alt: String?) -> BodyPhoto {
        BodyPhoto(blob, width: width, height: height, thumbnail: thumbnail, alt: alt)
    }

    private init(_ value: ArraySlice<UInt8>, thumbnail: [UInt8]?, alt: String?) throws(WireError) {
        var reader = ByteReader(value)
        blob = try reader.blobName("photo")
        width = try Self.side(&reader, "photo width")
        height = try Self.side(&reader, "photo height")
        try reader.end("photo")
        (self.thumbnail, self.alt) = (thumbnail, alt)
    }

    private static func side(_ reader: inout ByteReader, _ field: String) throws(WireError) -> Int {
        guard let side = Int(exactly: try reader.varint(field)), (1...sideMax).contains(side) else {
            throw .outOfRange(field: field)
        }
        return side
    }

    /// - Returns: `nil` if a body has no photo.
    static func read(_ fields: BodyFields) throws(WireError) -> BodyPhoto? {
        guard let value = fields[photoNumber] else { return nil }
        let thumbnail = fields[thumbnailNumber].map(Array.init)
        guard thumbnail.map({ (1...thumbnailBytesMax).contains($0.count) }) ?? true else {
            throw .outOfRange(field: "thumbnail")
        }
        return try BodyPhoto(value, thumbnail: thumbnail, alt: try alt(fields[altNumber]))
    }

    private static func alt(_ value: ArraySlice<UInt8>?) throws(WireError) -> String? {
        guard let value else { return nil }
        guard (1...altBytesMax).contains(value.count) else { throw .outOfRange(field: "photo in words") }
        guard let text = String(validating: value, as: UTF8.self) else { throw .notUTF8(field: "photo in words") }
        return text
    }

    /// The value of field 2.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.blobName(blob)
        writer.varint(UInt64(width))
        writer.varint(UInt64(height))
        return writer.bytes
    }

    /// - Parameters:
    ///   - others: those of the same body with numbers between 2 and 7, in ascending order.
    ///   - later: those with numbers above 7.
    static func fields(
        _ photo: BodyPhoto?, _ others: [(number: UInt64, value: [UInt8])] = [],
        _ later: [(number: UInt64, value: [UInt8])] = []
    ) -> BodyFields {
        guard let photo else { return BodyFields(others + later) }
        let first = (photo.thumbnail.map { [(thumbnailNumber, $0)] } ?? []) + [(photoNumber, photo.bytes)]
        let last = photo.alt.map { [(altNumber, Array($0.utf8))] } ?? []
        return BodyFields(first + others + last + later)
    }
}
