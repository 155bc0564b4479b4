package import LatticeCore

/// The body of a `comment` record; its topic is the id of the post or event it is about.
///
/// `body := name:bytes text:bytes fields`
package struct CommentBody: Hashable, Sendable {
    package static let textBytesMax = PostBody.textBytesMax

    package let name: PeerName
    /// Not empty.
    package let text: String
    /// Those of later versions.
    private var fields = BodyFields.none

    package init(name: PeerName, text: String) {
        precondition((1...Self.textBytesMax).contains(text.utf8.count), "another text is refused where it is typed")
        self.name = name
        self.text = text
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        let name = try reader.peerName("comment name")
        let text = try reader.someText("comment text", bytesMax: Self.textBytesMax)
        let fields = try BodyFields(reading: &reader, "comment fields")
        self.init(name: name, text: text)
        self.fields = fields
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.text(name.text)
        writer.text(text)
        fields.append(to: &writer)
        return writer.bytes
    }
}
