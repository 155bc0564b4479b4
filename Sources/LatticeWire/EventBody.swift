package import LatticeCore

/// The body of an `event` record; its topic is empty.
///
/// `body := author:bytes name:bytes place starts:8 ends:8 address:bytes text:bytes fields`, dates in Unix milliseconds;
/// `ends` is 0 if there is no end.
package struct EventBody: Hashable, Sendable {
    package static let nameBytesMax = 256
    package static let addressBytesMax = 512
    package static let textBytesMax = PostBody.textBytesMax
    /// The range of 48 bits of milliseconds, as in a record's own date.
    package static let dateMillisecondsMax: Int64 = 1 << 48 - 1

    package let author: PeerName
    /// The event's name; not empty.
    package let name: String
    package let place: Place
    package let starts: WallTime
    /// Not before `starts`.
    package let ends: WallTime?
    /// May be empty.
    package let address: String
    /// A description; may be empty.
    package let text: String
    /// Fields 1, 2 and 7.
    package let photo: BodyPhoto?
    /// Field 5: the record of the named place where it is.
    package let atPlace: RecordID?
    /// All fields, including those of later versions.
    private var fields: BodyFields

    package init(
        author: PeerName, name: String, place: Place, starts: WallTime, ends: WallTime?, address: String, text: String,
        photo: BodyPhoto? = nil, atPlace: RecordID? = nil
    ) {
        precondition((1...Self.nameBytesMax).contains(name.utf8.count), "another name is refused where it is typed")
        precondition(address.utf8.count <= Self.addressBytesMax, "a longer address is refused where it is typed")
        precondition(text.utf8.count <= Self.textBytesMax, "a longer text is refused where it is typed")
        precondition((1...Self.dateMillisecondsMax).contains(starts.milliseconds), "dates of ours are in range")
        let range = starts...WallTime(milliseconds: Self.dateMillisecondsMax)
        precondition(ends.map(range.contains) ?? true, "an event of ours ends after it starts and with a date in range")
        self.author = author
        self.name = name
        self.place = place
        self.starts = starts
        self.ends = ends
        self.address = address
        self.text = text
        self.photo = photo
        self.atPlace = atPlace
        fields = BodyPhoto.fields(photo, PlaceBody.field(atPlace))
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        let author = try reader.peerName("event author")
        let name = try reader.someText("event name", bytesMax: Self.nameBytesMax)
        let place = try reader.place("event place")
        let range = UInt64(1)...UInt64(Self.dateMillisecondsMax)
        let starts = try reader.integer(bytes: 8, "event start")
        let ends = try reader.integer(bytes: 8, "event end")
        guard range.contains(starts) else { throw .outOfRange(field: "event start") }
        guard ends == 0 || range.contains(ends) && ends >= starts else { throw .outOfRange(field: "event end") }
        let address = try reader.text("event address", bytesMax: Self.addressBytesMax)
        let text = try reader.text("event text", bytesMax: Self.textBytesMax)
        let fields = try BodyFields(reading: &reader, "event fields")
        self.init(
            author: author, name: name, place: place, starts: WallTime(milliseconds: Int64(starts)),
            ends: ends == 0 ? nil : WallTime(milliseconds: Int64(ends)), address: address, text: text,
            photo: try BodyPhoto.read(fields), atPlace: try PlaceBody.place(fields))
        self.fields = fields
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.text(author.text)
        writer.text(name)
        writer.place(place)
        writer.integer(UInt64(starts.milliseconds), bytes: 8)
        writer.integer(UInt64(ends?.milliseconds ?? 0), bytes: 8)
        writer.text(address)
        writer.text(text)
        fields.append(to: &writer)
        return writer.bytes
    }
}
