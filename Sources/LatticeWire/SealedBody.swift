package import LatticeCore

/// The body of a `sealed` record; its topic is empty.
///
/// `body := tagKey:32 tag:24 messageKey:32 message:(textBytes + 16)`, where `textBytes` is one of `SealedText.sizes`.
///
/// Both parts are sealed with HPKE (RFC 9180). The tag, the id of a prekey, is sealed to the receiver, so that nobody
/// else recognises it or can link two private messages to one person; the private message is sealed to that prekey.
package struct SealedBody: Hashable, Sendable {
    /// The tag of the authenticated cipher.
    package static let sealBytes = 16
    /// The id of a prekey, sealed.
    package static let tagBytes = Prekey.idBytes + sealBytes

    package let tagKey: Bytes32
    package let tag: [UInt8]
    package let messageKey: Bytes32
    package let message: [UInt8]

    package init(tagKey: Bytes32, tag: [UInt8], messageKey: Bytes32, message: [UInt8]) {
        precondition(tag.count == Self.tagBytes, "a tag is the sealed id of a prekey")
        precondition(Self.isMessageSize(message.count), "a message is sealed at one of its sizes")
        self.tagKey = tagKey
        self.tag = tag
        self.messageKey = messageKey
        self.message = message
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        tagKey = try reader.bytes32("tag key")
        tag = Array(try reader.fixed(Self.tagBytes, "tag"))
        messageKey = try reader.bytes32("message key")
        guard Self.isMessageSize(reader.remaining) else { throw .outOfRange(field: "message") }
        message = Array(reader.rest())
    }

    package var body: [UInt8] {
        var writer = ByteWriter(reserving: 64 + tag.count + message.count)
        writer.fixed(tagKey)
        writer.fixed(tag)
        writer.fixed(messageKey)
        writer.fixed(message)
        return writer.bytes
    }

    private static func isMessageSize(_ bytes: Int) -> Bool {
        SealedText.sizes.contains(bytes - sealBytes)
    }
}

extension ByteReader {
    package mutating func bytes32(_ field: String) throws(WireError) -> Bytes32 {
        guard let value = Bytes32(try fixed(32, field)) else { throw .truncated(field: field) }
        return value
    }
}
