package import LatticeCore

/// The body of a `post` record; its topic is empty.
///
/// `body := name:bytes place text:bytes placeName:bytes fields`. It contains the author's name for the same reason as
/// `ChatLine`.
package struct PostBody: Hashable, Sendable {
    /// The limit for every peer; the limit for people is lower and configurable.
    package static let textBytesMax = 4_096
    package static let placeNameBytesMax = 256
    static let urgentNumber: UInt64 = 3

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
    /// All fields, including those of later versions.
    private var fields: BodyFields

    package init(
        name: PeerName, place: Place, text: String, placeName: String, isUrgent: Bool = false, photo: BodyPhoto? = nil
    ) {
        precondition((1...Self.textBytesMax).contains(text.utf8.count), "another text is refused where it is typed")
        precondition(placeName.utf8.count <= Self.placeNameBytesMax, "a longer name is refused where it is typed")
        self.name = name
        self.place = place
        self.text = text
        self.placeName = placeName
        self.isUrgent = isUrgent
        self.photo = photo
        fields = BodyPhoto.fields(photo, isUrgent ? [(Self.urgentNumber, [])] : [])
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
            photo: try BodyPhoto.read(fields))
        self.fields = fields
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
