import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

@testable import LatticeBridge

/// Questions and answers between bridges, as bytes.
struct LiveNoteTests {
    private static let from = LiveBridgeID(rawValue: 0x0123_4567_89AB_CDEF)
    private static let id = Bytes32(hex: String(repeating: "ab", count: 32)) ?? .zero

    private static let vectors: [(note: LiveNote.Content, hex: String)] = [
        (
            .here(isNew: true, LiveSummary(count: 300, fingerprint: [UInt8](repeating: 0x11, count: 16))),
            "01" + "0123456789abcdef" + "01" + "ac02" + String(repeating: "11", count: 16)
        ),
        (
            .compare(LiveNote.Comparison(session: 5, round: 2, since: 9, message: [0x61, 0, 0, 1])),
            "02" + "0123456789abcdef" + "0000000000000005" + "02" + "0000000000000009" + "61000001"
        ),
        (
            .compared(LiveNote.Comparison(session: 5, round: 2, since: 9, message: [])),
            "03" + "0123456789abcdef" + "0000000000000005" + "02" + "0000000000000009"
        ),
        (
            .want(session: 5, number: 1, ids: [id]),
            "04" + "0123456789abcdef" + "0000000000000005" + "01" + String(repeating: "ab", count: 32)
        ), (.served(session: 5, number: 200), "05" + "0123456789abcdef" + "0000000000000005" + "c801"),
        (.lacking(session: 5), "06" + "0123456789abcdef" + "0000000000000005"),
    ]

    @Test(arguments: 0..<6) func eachKindHasItsBytes(index: Int) throws {
        let (content, hex) = Self.vectors[index]
        let note = LiveNote(from: Self.from, content)
        #expect(Hex.string(note.bytes) == hex)
        #expect(try LiveNote(decoding: note.bytes) == note)
    }

    @Test(arguments: 0..<6) func whatEndsTooEarlyIsRefused(index: Int) throws {
        let bytes = LiveNote(from: Self.from, Self.vectors[index].note).bytes
        // A Negentropy message may end anywhere; it is judged later.
        let whole = [1, 2].contains(index) ? 26 : bytes.count
        for count in 0..<min(whole, bytes.count) {
            #expect(throws: WireError.self) { try LiveNote(decoding: Array(bytes.prefix(count))) }
        }
        guard ![1, 2].contains(index) else { return }
        #expect(throws: WireError.self) { try LiveNote(decoding: bytes + [0]) }
    }

    @Test func whatNoBridgeSaysIsRefused() {
        let head = "0123456789abcdef"
        let long = String(repeating: "00", count: LiveNote.messageMax + 1)
        for hex in [
            "", "00" + head, "07" + head, "ff" + head,
            "01" + head + "02" + "01" + String(repeating: "11", count: 16),
            // A number that is not in its shortest form.
            "01" + head + "00" + "8100" + String(repeating: "11", count: 16),
            "02" + head + "0000000000000005" + "00" + "0000000000000000" + long,
            // No id, a part of one, one too many.
            "04" + head + "0000000000000005" + "01", "04" + head + "0000000000000005" + "01" + "ab",
            "04" + head + "0000000000000005" + "01" + String(repeating: "ab", count: 32 * (LiveNote.idsMax + 1)),
        ] {
            #expect(throws: WireError.self) { try LiveNote(decoding: Hex.bytes(hex) ?? []) }
        }
    }

    @Test(arguments: 0..<10) func strangersBytesAreRefusedOrRead(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var bytes = (0..<Int.random(in: 0..<120, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if !bytes.isEmpty { bytes[0] = UInt8.random(in: 0...7, using: &random) }
            do {
                let note = try LiveNote(decoding: bytes)
                #expect(note.bytes == bytes, "what is read has one form")
            } catch {
                // Refused.
            }
        }
    }
}

/// Messages as an MQTT broker sees them.
struct LiveWrappingTests {
    private static let key = Bytes32([UInt8](repeating: 7, count: 32))
    private let topics = LiveTopics(tag: "0123456789abcdef", me: LiveBridgeID(rawValue: 1))

    private func wrappings() throws -> [LiveWrapping] {
        let mesh = try MeshName("camp")
        return [LiveWrapping(mesh: mesh, key: nil), LiveWrapping(mesh: mesh, key: Self.key)]
    }

    private static let record: [UInt8] = Array("a record, or not; nobody looks here".utf8)
    private static let id = RecordID(Digest.blake2b256(record))

    @Test func aRecordOpensOnItsOwnTopicAlone() throws {
        for wrapping in try wrappings() {
            let message = wrapping.message(of: Self.record, id: Self.id, on: topics)
            #expect(wrapping.record(in: message, on: topics)?.bytes == Self.record)
            #expect(wrapping.record(in: message, on: topics)?.id == Self.id)
            for digit in "0123456789abcdef" {
                let topic = String(message.topic.dropLast()) + String(digit)
                guard topic != message.topic else { continue }
                let moved = LiveMessage(topic: topic, payload: message.payload)
                #expect(wrapping.record(in: moved, on: topics) == nil)
            }
        }
    }

    @Test func payloadsAreThoseOfTheOtherEngine() throws {
        let mesh = try MeshName("camp")
        let others: [any BridgeWrapping] = [OpenWrapping(mesh: mesh), SealedWrapping(key: try #require(Self.key))]
        for (wrapping, other) in zip(try wrappings(), others) {
            #expect(wrapping.tag == other.names.tag)
            let message = wrapping.message(of: Self.record, id: Self.id, on: topics)
            let same = BrokerMessage(sequence: 1, subject: message.topic, payload: message.payload)
            #expect(other.opened(same) == Self.record)
        }
    }

    @Test func oneChangedByteIsNoticedInAClosedMesh() throws {
        let sealed = try wrappings()[1]
        let message = sealed.message(of: Self.record, id: Self.id, on: topics)
        #expect(message.payload.count == 1 + 24 + 512 + 16)
        for index in message.payload.indices {
            var payload = message.payload
            payload[index] ^= 1
            #expect(sealed.record(in: LiveMessage(topic: message.topic, payload: payload), on: topics) == nil)
        }
    }

    @Test func aNoteIsNoRecordAndARecordNoNote() throws {
        let sealed = try wrappings()[1]
        let note = LiveNote(from: LiveBridgeID(rawValue: 1), .lacking(session: 9))
        let message = sealed.message(of: note, on: topics.greetings)
        #expect(sealed.note(in: message) == note)
        // The same topic and bytes under the key of records.
        let asRecord = BridgeSeal(key: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
        let forged = asRecord.sealed(note.bytes, subject: topics.greetings)
        #expect(sealed.note(in: LiveMessage(topic: topics.greetings, payload: forged)) == nil)
        let elsewhere = LiveMessage(topic: topics.questions(to: LiveBridgeID(rawValue: 1)), payload: message.payload)
        #expect(sealed.note(in: elsewhere) == nil)
    }

    @Test func whatIsTooLongOrOfAnotherMeshIsRefused() throws {
        let (open, sealed) = (try wrappings()[0], try wrappings()[1])
        let record = open.message(of: Self.record, id: Self.id, on: topics)
        let secret = sealed.message(of: Self.record, id: Self.id, on: topics)
        #expect(open.record(in: secret, on: topics) == nil)
        #expect(sealed.record(in: record, on: topics) == nil)
        for count in [0, 1, 60_002, 61_440, 61_441, 1 << 20] {
            for version in [UInt8(0), 1, 2, 3] {
                let payload = [UInt8](repeating: version, count: count)
                let message = LiveMessage(topic: record.topic, payload: payload)
                #expect(open.record(in: message, on: topics) == nil || (version == 1 && count == 1))
                #expect(sealed.record(in: message, on: topics) == nil)
                #expect(open.note(in: message) == nil)
                #expect(sealed.note(in: message) == nil)
            }
        }
    }

    @Test func topicsAreThoseOfTheMesh() throws {
        let me = LiveBridgeID(rawValue: 0xAB)
        let topics = LiveTopics(tag: "0123456789abcdef", me: me)
        #expect(
            topics.kept == [
                "lattice/1/0123456789abcdef/r/+", "lattice/1/0123456789abcdef/q/00000000000000ab",
                "lattice/1/0123456789abcdef/a/00000000000000ab",
            ])
        #expect(topics.place(of: "lattice/1/0123456789abcdef/r/7") == .records)
        #expect(topics.place(of: "lattice/1/0123456789abcdef/q/all") == .greetings)
        #expect(topics.place(of: topics.questions(to: me)) == .questions)
        #expect(topics.place(of: topics.answers(to: me)) == .answers)
        #expect(topics.place(of: topics.answers(to: LiveBridgeID(rawValue: 1))) == nil)
        #expect(topics.place(of: "lattice/1/ffff456789abcdef/r/7") == nil)
    }
}
