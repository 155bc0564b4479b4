import LatticeWire

extension FuzzTarget {
    static let body = FuzzTarget(
        "body",
        "the bodies of all kinds, of letters, introductions and streams: read and written again in the same bytes",
        inputBytesMax: 2_048
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        let form = source.choice(of: BodyForm.all)
        try form.check(source.all())
    }
}

/// How one body is read and written.
struct BodyForm: Sendable {
    /// Whether the same bytes are written as were read.
    enum Fidelity {
        case exact
        /// What was read may be written with less or in another case; that is written in the same bytes again.
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

    /// Files that are kept choose by place: new ones go to the end.
    static let all: [BodyForm] = [
        BodyForm(.chat) { (try ChatLine(decoding: $0).body, .exact) },
        // Rooms are folded to lower case.
        BodyForm(.presence) { (try Presence(decoding: $0).body, .settling) },
        BodyForm(.profile) { (try ProfileBody(decoding: $0).body, .exact) },
        BodyForm(.post) { (try PostBody(decoding: $0).body, .exact) },
        BodyForm(.comment) { (try CommentBody(decoding: $0).body, .exact) },
        BodyForm(.like, .follow, .attendance) { (try Statement(decoding: $0).body, .exact) },
        BodyForm(.event) { (try EventBody(decoding: $0).body, .exact) },
        BodyForm(.sealed) { (try SealedBody(decoding: $0).body, .exact) },
        BodyForm(.prekeys) { (try PrekeysBody(decoding: $0).body, .exact) },
        BodyForm { bytes in
            let text = try LetterText(decoding: bytes)
            if case .unknown = text { return (text.bytes, .settling) }
            return (text.bytes, .exact)
        },
        // What follows is skipped, and a clock beyond all dates is brought down to the last one.
        BodyForm { (try Introduction(decoding: $0[...]).bytes, .settling) },
        BodyForm(.residence) { (try ResidenceBody(decoding: $0).body, .exact) },
        // A kind of a later version is passed over, and a reason of one is another.
        BodyForm { (try StreamMessage.decode($0)?.bytes ?? $0, .settling) },
        // What follows a label is skipped.
        BodyForm { (try StreamPart(decoding: $0).bytes, .settling) },
    ]
}
