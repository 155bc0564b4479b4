package import LatticeCore

/// The body of a `sealed` record; its topic is empty.
///
/// `body := tagKey:32 tag:24 letterKey:32 letter:(textBytes + 16)`, where `textBytes` is one of `LetterText.sizes`.
///
/// Both parts are sealed with HPKE (RFC 9180). The tag, the id of a prekey, is sealed to the receiver, so that nobody
/// else recognises it or can link two private messages to one person; the letter is sealed to that prekey.
package struct SealedBody: Hashable, Sendable {
    /// The tag of the authenticated cipher.
    package static let sealBytes = 16
    /// The id of a prekey, sealed.
    package static let tagBytes = Prekey.idBytes + sealBytes

    package let tagKey: Bytes32
    package let tag: [UInt8]
    package let letterKey: Bytes32
    package let letter: [UInt8]

    package init(tagKey: Bytes32, tag: [UInt8], letterKey: Bytes32, letter: [UInt8]) {
        precondition(tag.count == Self.tagBytes, "a tag is the sealed id of a prekey")
        precondition(Self.isLetterSize(letter.count), "a letter is sealed at one of its sizes")
        self.tagKey = tagKey
        self.tag = tag
        self.letterKey = letterKey
        self.letter = letter
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        tagKey = try reader.bytes32("tag key")
        tag = Array(try reader.fixed(Self.tagBytes, "tag"))
        letterKey = try reader.bytes32("letter key")
        guard Self.isLetterSize(reader.remaining) else { throw .outOfRange(field: "letter") }
        letter = Array(reader.rest())
    }

    package var body: [UInt8] {
        var writer = ByteWriter(reserving: 64 + tag.count + letter.count)
        writer.fixed(tagKey)
        writer.fixed(tag)
        writer.fixed(letterKey)
        writer.fixed(letter)
        return writer.bytes
    }

    private static func isLetterSize(_ bytes: Int) -> Bool {
        LetterText.sizes.contains(bytes - sealBytes)
    }
}

extension ByteReader {
    mutating func bytes32(_ field: String) throws(WireError) -> Bytes32 {
        guard let value = Bytes32(try fixed(32, field)) else { throw .truncated(field: field) }
        return value
    }
}
