import LatticeCore
import LatticeGeo
import LatticeWire
import Testing

/// What holds for every body of posts alike.
struct PostBodyTests {
    private func error(_ sample: PostSample, _ body: [UInt8]) -> WireError? {
        wireError { () throws(WireError) in try sample.reread(body) }
    }

    @Test func bodiesAreTheBytesTheyAlwaysWere() throws {
        for sample in try PostSamples.all() {
            #expect(Hex.string(sample.body) == sample.hex, "\(sample.name)")
            #expect(try sample.reread(Samples.bytes(sample.hex)) == sample.body, "\(sample.name)")
        }
    }

    @Test func whatIsWrittenComesBackAsItWas() throws {
        #expect(try ProfileBody(decoding: PostSamples.profile().body) == PostSamples.profile())
        #expect(try PostBody(decoding: PostSamples.post().body) == PostSamples.post())
        #expect(try CommentBody(decoding: PostSamples.comment().body) == PostSamples.comment())
        #expect(try EventBody(decoding: PostSamples.picnic().body) == PostSamples.picnic())
        for holds in [true, false] {
            #expect(try Statement(decoding: Statement(holds: holds).body).holds == holds)
        }
    }

    @Test func everyPrefixAndEveryTailIsRefused() throws {
        for sample in try PostSamples.all() {
            for count in 0..<sample.body.count {
                #expect(error(sample, Array(sample.body.prefix(count))) != nil, "\(count) bytes of a \(sample.name)")
            }
            let expected: WireError =
                sample.hasFields
                ? .truncated(field: "\(sample.name) fields") : .trailing(field: sample.name, bytes: 1)
            #expect(error(sample, sample.body + [0]) == expected)
        }
    }

    @Test func everyFlippedBitIsRefusedOrAnotherBodyInItsOneForm() throws {
        for sample in try PostSamples.all() {
            for bit in 0..<sample.body.count * 8 {
                var changed = sample.body
                changed[bit / 8] ^= 1 << (bit % 8)
                do throws(WireError) {
                    let written = try sample.reread(changed)
                    #expect(written == changed, "bit \(bit) of a \(sample.name)")
                } catch {
                    continue
                }
            }
        }
    }

    @Test func fieldsOfLaterVersionsAreSkippedAndCarried() throws {
        for sample in try PostSamples.all() where sample.hasFields {
            let later = sample.body + (try Samples.bytes("2803ffd8ff" + "c80100"))
            #expect(try sample.reread(later) == later, "\(sample.name)")
            for tail in ["02000100", "01000100", "0000", "0102ff"] {
                #expect(error(sample, sample.body + (try Samples.bytes(tail))) != nil, "\(sample.name) \(tail)")
            }
        }
        let post = try PostSamples.post()
        let later = try PostBody(decoding: post.body + [4, 0])
        #expect(later.text == post.text && later.placeName == post.placeName && later != post)
    }

    @Test func theLargestBodiesFitARecord() throws {
        let name = try PeerName(String(repeating: "n", count: 63))
        let text = String(repeating: "t", count: PostBody.textBytesMax)
        let date = WallTime(milliseconds: EventBody.dateMillisecondsMax)
        let blob = try #require(BlobName(root: .zero, size: BlobName.sizeMax))
        let photo = BodyPhoto(
            blob, width: 16_384, height: 16_384, thumbnail: [UInt8](repeating: 7, count: 8_192),
            alt: String(repeating: "w", count: 1_000))
        let event = EventBody(
            author: name, name: String(repeating: "e", count: 256), place: Place(try PostSamples.gate()),
            starts: date, ends: date, address: String(repeating: "a", count: 512), text: text,
            photo: photo)
        let post = PostBody(
            name: name, place: Place(try PostSamples.gate(), geohashCharacters: 12), text: text,
            placeName: String(repeating: "p", count: 256), isUrgent: true, photo: photo)
        #expect(try EventBody(decoding: event.body) == event)
        #expect(try PostBody(decoding: post.body) == post)
        for body in [event.body, post.body] {
            let record = Record(
                kind: .edit, author: try Samples.author(), created: HybridTime(rawValue: .max),
                lifetimeSeconds: 31_536_000, topic: [UInt8](repeating: 1, count: 256), body: body)
            let photoBytes = 9_500
            #expect(record.unsignedBytes.count + Record.signatureBytes < 5_500 + photoBytes)
            #expect(photoBytes < BodyFields.bytesMax && 5_500 + BodyFields.bytesMax < Record.bytesMax)
        }
    }

    @Test func aNumberMeansOneKindForEver() {
        let kinds: [RecordKind] = [
            .chat, .presence, .profile, .post, .comment, .like, .follow, .event, .attendance, .edit, .deletion, .sealed,
            .prekeys, .residence, .reaction,
        ]
        #expect(kinds.map(\.rawValue) == Array(1...15))
        let replaceable: [RecordKind] = [
            .presence, .profile, .like, .follow, .attendance, .prekeys, .residence, .reaction,
        ]
        #expect(kinds.filter(\.isReplaceable) == replaceable)
        #expect(!RecordKind(rawValue: 0).isReplaceable && !RecordKind(rawValue: 12).isReplaceable)
    }

    @Test func recordsOfPostsAreTheBytesTheyAlwaysWere() throws {
        let date = WallTime(milliseconds: 1_700_000_000_000)
        let post = Record(
            kind: .post, author: try Samples.author(), created: HybridTime(wallTime: date, counter: 8),
            lifetimeSeconds: 2_592_000, topic: [], body: try PostSamples.post().body)
        let deletion = Record(
            kind: .deletion, author: try Samples.author(), created: HybridTime(wallTime: date, counter: 9),
            lifetimeSeconds: 2_592_000, topic: try Samples.bytes(PostSamples.postRecordID), body: [])
        for (record, hex) in [(post, PostSamples.postRecordHex), (deletion, PostSamples.deletionRecordHex)] {
            let bytes = try Samples.bytes(hex)
            #expect(try SignedRecord(decoding: bytes[...]).record == record)
            #expect(record.unsignedBytes == bytes.dropLast(64))
        }
    }
}
