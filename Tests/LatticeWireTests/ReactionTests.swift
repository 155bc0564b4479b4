import LatticeCore
import Testing

@testable import LatticeWire

@Suite struct ReactionTests {
    private let target = RecordID(Bytes32(words: (1, 2, 3, 4)))

    @Test(arguments: ["👍", "👩‍👩‍👧‍👦", "x", String(repeating: "a", count: 32)])
    func aTopicIsTheTargetAndTheEmoji(emoji: String) throws {
        let topic = ReactionTopic(target, emoji)
        #expect(topic.bytes == target.hash.bytes + Array(emoji.utf8))
        #expect(try ReactionTopic(decoding: topic.bytes) == topic)
    }

    @Test func anythingElseIsRefused() {
        let hash = target.hash.bytes
        #expect(throws: WireError.outOfRange(field: "reaction emoji")) { try ReactionTopic(decoding: hash) }
        #expect(throws: WireError.tooLong(field: "reaction emoji", bytes: 33, bytesMax: 32)) {
            try ReactionTopic(decoding: hash + [UInt8](repeating: 0x61, count: 33))
        }
        #expect(throws: WireError.notUTF8(field: "reaction emoji")) { try ReactionTopic(decoding: hash + [0xC0]) }
        #expect(throws: WireError.self) { try ReactionTopic(decoding: Array(hash.dropLast())) }
    }

    @Test func aLineNamesTheLineThatItAnswers() throws {
        let line = ChatLine(style: .says, name: try PeerName("bob"), text: "hi", replyTo: target, isNotice: true)
        #expect(line.body == Array("\0\u{3}bob\u{2}hi".utf8) + [1, 32] + target.hash.bytes + [2, 0])
        #expect(try ChatLine(decoding: line.body) == line)
        let short: [UInt8] = Array("\0\u{3}bob\u{2}hi".utf8) + [1, 31] + target.hash.bytes.dropLast()
        #expect(throws: WireError.outOfRange(field: "chat reply")) { try ChatLine(decoding: short) }
    }

    @Test func aLineNamesTheFileThatItShares() throws {
        let line = ChatLine(style: .acts, name: try PeerName("bob"), text: "hi", file: target)
        #expect(line.body == Array("\u{1}\u{3}bob\u{2}hi".utf8) + [5, 32] + target.hash.bytes)
        #expect(try ChatLine(decoding: line.body) == line)
        let long: [UInt8] = Array("\u{1}\u{3}bob\u{2}hi".utf8) + [5, 33] + target.hash.bytes + [0]
        #expect(throws: WireError.outOfRange(field: "chat file")) { try ChatLine(decoding: long) }
    }
}
