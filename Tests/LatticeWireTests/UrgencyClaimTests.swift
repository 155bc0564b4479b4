import LatticeCore
import LatticeWire
import Testing

/// Field 3 of a line and of a post.
@Suite struct UrgencyClaimTests {
    private func record(_ kind: RecordKind, _ body: [UInt8]) throws -> Record {
        Record(
            kind: kind, author: try Samples.author(), created: HybridTime(rawValue: 1), lifetimeSeconds: 60, topic: [],
            body: body)
    }

    private func line(isUrgent: Bool) throws -> ChatLine {
        ChatLine(
            style: .says, name: try PeerName("bob"), text: "the bridge is out", replyTo: RecordID(.zero),
            isNotice: true, isUrgent: isUrgent)
    }

    private func post(isUrgent: Bool) throws -> PostBody {
        PostBody(
            name: try PeerName("bob"), place: Place(try PostSamples.gate()), text: "the bridge is out",
            placeName: "bridge", isUrgent: isUrgent)
    }

    @Test(arguments: [true, false])
    func aLineAndAPostSayWhetherTheyAreUrgent(isUrgent: Bool) throws {
        let line = try line(isUrgent: isUrgent)
        #expect(try ChatLine(decoding: line.body) == line)
        #expect(try ChatLine(decoding: line.body).isUrgent == isUrgent)
        #expect(try record(.chat, line.body).claimsUrgency == isUrgent)
        let post = try post(isUrgent: isUrgent)
        #expect(try PostBody(decoding: post.body) == post)
        #expect(try PostBody(decoding: post.body).isUrgent == isUrgent)
        #expect(try record(.post, post.body).claimsUrgency == isUrgent)
    }

    @Test func theClaimIsFoundAmongFieldsOfLaterVersions() throws {
        let later = try line(isUrgent: true).body + [9, 1, 7]
        #expect(try record(.chat, later).claimsUrgency)
        #expect(try ChatLine(decoding: later).body == later)
    }

    @Test func noOtherKindClaimsAnything() throws {
        let line = try line(isUrgent: true).body
        for kind in [RecordKind.comment, .edit, .event, .sealed, .presence, RecordKind(rawValue: 99)] {
            #expect(try !record(kind, line).claimsUrgency)
        }
        #expect(try !record(.post, line).claimsUrgency)
    }

    @Test func aBodyThatIsCutOrSpoiledClaimsNothing() throws {
        for whole in [try line(isUrgent: true).body, try post(isUrgent: true).body] {
            let kind = whole == (try line(isUrgent: true).body) ? RecordKind.chat : .post
            for count in 0..<whole.count { #expect(try !record(kind, Array(whole.prefix(count))).claimsUrgency) }
            #expect(try !record(kind, whole.dropLast() + [1, 7]).claimsUrgency)
        }
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let body = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            _ = try (record(.chat, body).claimsUrgency, record(.post, body).claimsUrgency)
        }
    }
}
