package import LatticeCore

/// The body of a `post` record; its topic is empty.
///
/// `body := name:bytes place text:bytes placeName:bytes fields`. It contains the author's name for the same reason as
/// `ChatLine`.
package struct PostBody: Hashable, Sendable {
    /// The limit for every peer; the limit for people is lower and configurable.
    package static let textBytesMax = 4_096
    package static let placeNameBytesMax = 256
    package static let unlockMetresRange = 5...100_000
    static let urgentNumber: UInt64 = 3
    /// Milliseconds since 1970, in 48 bits as in an event.
    package static let writtenRange: ClosedRange<Int64> = 1...EventBody.dateMillisecondsMax
    private static let unlockNumber: UInt64 = 6
    private static let writtenNumber: UInt64 = 8

    package let name: PeerName
    package let place: Place
    /// Not empty.
    package let text: String
    /// The name of the place for people; may be empty.
    package let placeName: String
    /// Field 3: the author claims that it is urgent. Each peer judges that for itself.
    package let isUrgent: Bool
    /// Fields 1, 2 and 7.
    package let photo: BodyPhoto?
    /// Field 5: the record of the named place where it is.
    package let atPlace: RecordID?
    /// Field 6: it can be read only from within this many metres; `nil` leaves that to the reader.
    package let unlockMetres: Int?
    /// Field 8: when it was written, if that was before it was published. The author claims it.
    package let written: WallTime?
    /// All fields, including those of later versions.
    private var fields: BodyFields

    package init(
        name: PeerName, place: Place, text: String, placeName: String, isUrgent: Bool = false, photo: BodyPhoto? = nil,
        atPlace: RecordID? = nil, unlockMetres: Int? = nil, written: WallTime? = nil
    ) {
        precondition((1...Self.textBytesMax).contains(text.utf8.count), "another text is refused where it is typed")
        precondition(placeName.utf8.count <= Self.placeNameBytesMax, "a longer name is refused where it is typed")
        self.name = name
        self.place = place
        self.text = text
        self.placeName = placeName
        self.isUrgent = isUrgent
        self.photo = photo
        precondition(
            unlockMetres.map(Self.unlockMetresRange.contains) ?? true, "another distance is refused where it is typed")
        precondition(
            written.map { Self.writtenRange.contains($0.milliseconds) } ?? true,
            "a draft has a date that can be written")
        self.atPlace = atPlace
        self.unlockMetres = unlockMetres
        self.written = written
        fields = BodyPhoto.fields(
            photo,
            (isUrgent ? [(Self.urgentNumber, [])] : []) + PlaceBody.field(atPlace)
                + (unlockMetres.map { [(Self.unlockNumber, Self.bytes(UInt64($0)))] } ?? []),
            written.map { [(Self.writtenNumber, Self.bytes(UInt64($0.milliseconds)))] } ?? [])
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        let name = try reader.peerName("post name")
        let place = try reader.place("post place")
        let text = try reader.someText("post text", bytesMax: Self.textBytesMax)
        let placeName = try reader.text("post place name", bytesMax: Self.placeNameBytesMax)
        let fields = try BodyFields(reading: &reader, "post fields")
        let isUrgent = try fields.flag(Self.urgentNumber, "post urgency")
        self.init(
            name: name, place: place, text: text, placeName: placeName, isUrgent: isUrgent,
            photo: try BodyPhoto.read(fields), atPlace: try PlaceBody.place(fields),
            unlockMetres: try Self.unlock(fields), written: try Self.written(fields))
        self.fields = fields
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(number)
        return writer.bytes
    }

    private static func unlock(_ fields: BodyFields) throws(WireError) -> Int? {
        guard let value = fields[unlockNumber] else { return nil }
        let metres = Int(clamping: try number(value, "post unlock"))
        guard unlockMetresRange.contains(metres) else { throw .outOfRange(field: "post unlock") }
        return metres
    }

    private static func written(_ fields: BodyFields) throws(WireError) -> WallTime? {
        guard let value = fields[writtenNumber] else { return nil }
        let milliseconds = Int64(clamping: try number(value, "post written"))
        guard writtenRange.contains(milliseconds) else { throw .outOfRange(field: "post written") }
        return WallTime(milliseconds: milliseconds)
    }

    private static func number(_ value: ArraySlice<UInt8>, _ field: String) throws(WireError) -> UInt64 {
        var reader = ByteReader(value)
        let number = try reader.varint(field)
        try reader.end(field)
        return number
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.text(name.text)
        writer.place(place)
        writer.text(text)
        writer.text(placeName)
        fields.append(to: &writer)
        return writer.bytes
    }
}
