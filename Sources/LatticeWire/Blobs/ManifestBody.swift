package import LatticeGeo

/// The body of a `manifest` record: what a file is called, and which blob it is.
///
/// `body := root:32 size:varint name:bytes type:bytes fields`. The topic is the name of a room, or empty.
package struct ManifestBody: Hashable, Sendable {
    package static let previewBytesMax = 8_192
    private static let previewNumber: UInt64 = 1
    private static let boundsNumber: UInt64 = 2

    package let blob: BlobName
    package let name: FileName
    package let type: MediaType
    /// Field 1: a small JPEG of at most 8 KiB; `nil` if there is none.
    package let preview: [UInt8]?
    /// Field 2: what the map in this file shows, `west:4 south:4 east:4 north:4`, as two's complement in units of 10⁻⁷ degrees; `nil`
    /// if the file is no map.
    package let bounds: MapBounds?
    /// All fields, including those of later versions.
    private let fields: BodyFields

    package init(_ blob: BlobName, name: FileName, type: MediaType, preview: [UInt8]? = nil, bounds: MapBounds? = nil) {
        precondition(
            preview.map { (1...Self.previewBytesMax).contains($0.count) } ?? true, "previews are made to fit")
        (self.blob, self.name, self.type, self.preview, self.bounds) = (blob, name, type, preview, bounds)
        fields = BodyFields(
            [(Self.previewNumber, preview), (Self.boundsNumber, bounds.map(Self.bytes))].compactMap { number, value in
                value.map { (number, $0) }
            })
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
        bounds = try fields[Self.boundsNumber].map { (value) throws(WireError) in try Self.bounds(value) }
    }

    private static func bytes(_ bounds: MapBounds) -> [UInt8] {
        var writer = ByteWriter()
        for side in [bounds.westE7, bounds.southE7, bounds.eastE7, bounds.northE7] {
            writer.integer(UInt64(UInt32(bitPattern: side)), bytes: 4)
        }
        return writer.bytes
    }

    private static func bounds(_ value: ArraySlice<UInt8>) throws(WireError) -> MapBounds {
        var reader = ByteReader(Array(value))
        var sides: [Int32] = []
        for _ in 0..<4 { sides.append(Int32(bitPattern: UInt32(try reader.integer(bytes: 4, "bounds")))) }
        try reader.end("bounds")
        guard let bounds = MapBounds(westE7: sides[0], southE7: sides[1], eastE7: sides[2], northE7: sides[3]) else {
            throw .outOfRange(field: "bounds")
        }
        return bounds
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
