import LatticeWire

extension FuzzTarget {
    static let body = FuzzTarget(
        "body",
        "the bodies of all kinds, of messages, introductions and streams: read and written again in the same bytes",
        inputBytesMax: 2_048
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        let form = source.choice(of: BodyForm.all)
        try form.check(source.all())
    }
}

struct BodyForm: Sendable {
    /// Whether encoding gives back the same bytes.
    enum Fidelity {
        case exact
        /// The first encoding may drop parts or change case; encoding again changes nothing more.
        case settling
    }

    let kinds: [RecordKind]
    let rewrite: @Sendable ([UInt8]) throws -> (bytes: [UInt8], fidelity: Fidelity)

    func check(_ body: [UInt8]) throws(BrokenProperty) {
        let written: [UInt8]
        do {
            let first = try rewrite(body)
            if case .exact = first.fidelity {
                try hold(first.bytes == body, "a body of \(kinds) is written in other bytes")
            }
            written = first.bytes
        } catch let error as BrokenProperty {
            throw error
        } catch is WireError {
            return
        } catch {
            throw BrokenProperty("a body of \(kinds) is refused for no reason of its form: \(error)")
        }
        do {
            try hold(try rewrite(written).bytes == written, "a body of \(kinds) does not settle")
        } catch let error as BrokenProperty {
            throw error
        } catch {
            throw BrokenProperty("a body of \(kinds) that was written is not read: \(error)")
        }
    }

    init(_ kinds: RecordKind..., rewrite: @escaping @Sendable ([UInt8]) throws -> ([UInt8], Fidelity)) {
        self.kinds = kinds
        self.rewrite = rewrite
    }

    /// Stored files select a form by its index, so new ones go at the end.
    static let all: [BodyForm] = [
        BodyForm(.chat) { (try ChatLine(decoding: $0).body, .exact) },
        // Rooms are folded to lower case.
        BodyForm(.presence) { (try Presence(decoding: $0).body, .settling) },
        BodyForm(.profile) { (try ProfileBody(decoding: $0).body, .exact) },
        BodyForm(.post) { (try PostBody(decoding: $0).body, .exact) },
        BodyForm(.comment) { (try CommentBody(decoding: $0).body, .exact) },
        BodyForm(.like, .follow, .attendance, .reaction) { (try Statement(decoding: $0).body, .exact) },
        BodyForm(.event) { (try EventBody(decoding: $0).body, .exact) },
        BodyForm(.sealed) { (try SealedBody(decoding: $0).body, .exact) },
        BodyForm(.prekeys) { (try PrekeysBody(decoding: $0).body, .exact) },
        BodyForm { bytes in
            let text = try SealedText(decoding: bytes)
            if case .unknown = text { return (text.bytes, .settling) }
            return (text.bytes, .exact)
        },
        // Trailing bytes are skipped, and a clock beyond all dates is clamped to the last one.
        BodyForm { (try Introduction(decoding: $0[...]).bytes, .settling) },
        BodyForm(.residence) { (try ResidenceBody(decoding: $0).body, .exact) },
        // Kinds of later versions are skipped, and their reasons become a different one.
        BodyForm { (try StreamMessage.decode($0)?.bytes ?? $0, .settling) },
        // Bytes after the label are skipped.
        BodyForm { (try StreamPart(decoding: $0).bytes, .settling) },
        // The tail of a body alone.
        BodyForm { bytes in
            var reader = ByteReader(bytes)
            let fields = try BodyFields(reading: &reader, "fields")
            for number in UInt64(0)...8 { _ = fields[number] }
            var writer = ByteWriter()
            fields.append(to: &writer)
            return (writer.bytes, .exact)
        },
        // The topic of a reaction.
        BodyForm { (try ReactionTopic(decoding: $0).bytes, .exact) },
        BodyForm(.pin) { (try PinBody(decoding: $0).body, .exact) },
        BodyForm(.place) { (try PlaceBody(decoding: $0).body, .exact) },
        BodyForm(.card) { (try MeshCardBody(decoding: $0).body, .exact) },
        BodyForm(.crossing) { (try CrossingBody(decoding: $0).body, .exact) },
    ]
}
