package import LatticeCore

/// The body of a `profile` record; its topic is empty.
///
/// `body := name:bytes about:bytes hasColour:1 red:1 green:1 blue:1 fields`
package struct ProfileBody: Hashable, Sendable {
    package static let aboutBytesMax = 1_024

    package let name: PeerName
    /// What the person says about themselves; may be empty.
    package let about: String
    package let colour: Colour?
    /// Fields 1, 2 and 7.
    package let photo: BodyPhoto?
    /// All fields, including those of later versions.
    private var fields: BodyFields

    package init(name: PeerName, about: String, colour: Colour?, photo: BodyPhoto? = nil) {
        precondition(about.utf8.count <= Self.aboutBytesMax, "a longer text is refused where it is typed")
        self.name = name
        self.about = about
        self.colour = colour
        self.photo = photo
        fields = BodyPhoto.fields(photo)
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        let name = try reader.peerName("profile name")
        let about = try reader.text("profile about", bytesMax: Self.aboutBytesMax)
        let hasColour = try reader.byte("profile colour")
        let rgb = try reader.integer(bytes: 3, "profile colour")
        guard hasColour == 1 || hasColour == 0 && rgb == 0 else { throw .outOfRange(field: "profile colour") }
        let fields = try BodyFields(reading: &reader, "profile fields")
        self.init(
            name: name, about: about, colour: hasColour == 1 ? Colour(rgb: UInt32(rgb)) : nil,
            photo: try BodyPhoto.read(fields))
        self.fields = fields
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.text(name.text)
        writer.text(about)
        writer.byte(colour == nil ? 0 : 1)
        writer.integer(UInt64(colour?.rgb ?? 0), bytes: 3)
        fields.append(to: &writer)
        return writer.bytes
    }
}
