package import LatticeCore
package import LatticeGeo

/// The body of a `place` record: a place that has a name. The topic is empty, or the id of the place that it is part of.
///
/// `body := author:bytes name:bytes place category:bytes hours:bytes text:bytes fields`; the place is exact, so its geohash
/// length is 0.
package struct PlaceBody: Hashable, Sendable {
    package static let nameBytesMax = PostBody.placeNameBytesMax
    package static let categoryBytesMax = 64
    package static let hoursBytesMax = 256
    package static let textBytesMax = PostBody.textBytesMax
    package static let editorsMax = 16
    private static let atNumber: UInt64 = 5
    private static let editorsNumber: UInt64 = 8

    package let author: PeerName
    /// Not empty.
    package let name: String
    package let coordinate: Coordinate
    /// Such as `kitchen`; may be empty.
    package let category: String
    /// When it is open, in words; may be empty.
    package let hours: String
    /// A description; may be empty.
    package let text: String
    /// Field 8: who may edit it besides its author.
    package let editors: [PeerID]
    /// Fields 1, 2 and 7.
    package let photo: BodyPhoto?
    /// All fields, including those of later versions.
    private var fields: BodyFields

    package init(
        author: PeerName, name: String, at coordinate: Coordinate, category: String = "", hours: String = "",
        text: String = "", editors: [PeerID] = [], photo: BodyPhoto? = nil
    ) {
        precondition((1...Self.nameBytesMax).contains(name.utf8.count), "another name is refused where it is typed")
        precondition(category.utf8.count <= Self.categoryBytesMax, "a longer kind is refused where it is typed")
        precondition(hours.utf8.count <= Self.hoursBytesMax, "longer hours are refused where they are typed")
        precondition(text.utf8.count <= Self.textBytesMax, "a longer text is refused where it is typed")
        precondition(editors.count <= Self.editorsMax, "more editors are refused where they are named")
        self.author = author
        self.name = name
        self.coordinate = coordinate
        self.category = category
        self.hours = hours
        self.text = text
        self.editors = editors
        self.photo = photo
        fields = BodyPhoto.fields(
            photo, [], editors.isEmpty ? [] : [(Self.editorsNumber, editors.flatMap(\.key.bytes))])
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        let author = try reader.peerName("place author")
        let name = try reader.someText("place name", bytesMax: Self.nameBytesMax)
        let place = try reader.place("place")
        guard place.geohashCharacters == nil else { throw .outOfRange(field: "place") }
        let category = try reader.text("place kind", bytesMax: Self.categoryBytesMax)
        let hours = try reader.text("place hours", bytesMax: Self.hoursBytesMax)
        let text = try reader.text("place text", bytesMax: Self.textBytesMax)
        let fields = try BodyFields(reading: &reader, "place fields")
        self.init(
            author: author, name: name, at: place.coordinate, category: category, hours: hours, text: text,
            editors: try Self.editors(fields[Self.editorsNumber]), photo: try BodyPhoto.read(fields))
        self.fields = fields
    }

    private static func editors(_ value: ArraySlice<UInt8>?) throws(WireError) -> [PeerID] {
        guard let value else { return [] }
        var reader = ByteReader(value)
        var editors: [PeerID] = []
        while reader.remaining > 0 {
            guard editors.count < editorsMax else { throw .outOfRange(field: "place editors") }
            editors.append(PeerID(try reader.bytes32("place editors")))
        }
        guard !editors.isEmpty else { throw .outOfRange(field: "place editors") }
        return editors
    }

    /// Field 5 of a post or event.
    static func field(_ place: RecordID?) -> [(number: UInt64, value: [UInt8])] {
        place.map { [(atNumber, $0.hash.bytes)] } ?? []
    }

    static func place(_ fields: BodyFields) throws(WireError) -> RecordID? {
        guard let value = fields[atNumber] else { return nil }
        guard let hash = Bytes32(value) else { throw .outOfRange(field: "place of an item") }
        return RecordID(hash)
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.text(author.text)
        writer.text(name)
        writer.place(Place(coordinate))
        writer.text(category)
        writer.text(hours)
        writer.text(text)
        fields.append(to: &writer)
        return writer.bytes
    }
}
