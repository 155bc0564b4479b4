package import LatticeCore

/// The topic of a `reaction` record: what it is about, and with which emoji. The body is a `Statement`.
///
/// `topic := recordID:32 emoji:1*32octet`
package struct ReactionTopic: Hashable, Sendable {
    package static let emojiBytesMax = 32

    package let target: RecordID
    /// 1–32 bytes. Which text is an emoji depends on the version of Unicode, so a front judges what it shows.
    package let emoji: String

    package init(_ target: RecordID, _ emoji: String) {
        precondition((1...Self.emojiBytesMax).contains(emoji.utf8.count), "a longer one is refused where it is typed")
        (self.target, self.emoji) = (target, emoji)
    }

    package init(decoding topic: [UInt8]) throws(WireError) {
        var reader = ByteReader(topic)
        target = RecordID(try reader.bytes32("reaction target"))
        let rest = reader.rest()
        guard rest.count <= Self.emojiBytesMax else {
            throw .tooLong(field: "reaction emoji", bytes: rest.count, bytesMax: Self.emojiBytesMax)
        }
        guard !rest.isEmpty else { throw .outOfRange(field: "reaction emoji") }
        guard let text = String(validating: rest, as: UTF8.self) else { throw .notUTF8(field: "reaction emoji") }
        emoji = text
    }

    package var bytes: [UInt8] { target.hash.bytes + Array(emoji.utf8) }
}
