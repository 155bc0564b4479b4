import LatticeCore

// The length of frames without encoding them: queues and simulations count every frame, which must not allocate.
extension Frame {
    /// Equals `bytes.count`.
    package var byteCount: Int {
        Self.byteCount(type, bodyByteCount: bodyByteCount)
    }

    package static func recordFrameByteCount(timeToLive: UInt8, hops: UInt8, recordBytes: Int) -> Int {
        byteCount(
            .record, bodyByteCount: recordBodyByteCount(timeToLive: timeToLive, hops: hops, recordBytes: recordBytes))
    }

    package var type: TypeNumber {
        switch self {
        case .goodbye: .goodbye
        case .ping: .ping
        case .pong: .pong
        case .rekey: .rekey
        case .invitation: .invitation
        case .accept: .accept
        case .refuse: .refuse
        case .record: .record
        case .probe: .probe
        case .have: .have
        case .graft: .graft
        case .prune: .prune
        case .walk: .walk
        case .shuffle: .shuffle
        case .keeping: .keeping
        case .comparison: .comparison
        case .offer: .offer
        case .fetch: .fetch
        case .serve: .serve
        case .lack: .lack
        case .stored: .stored
        case .data: .data
        case .dataAnswer: .dataAnswer
        case .presence: .presence
        case .want: .want
        case .holds: .holds
        case .piece: .piece
        case .absent: .absent
        case .datagram: .datagram
        }
    }

    var bodyByteCount: Int {
        switch self {
        case .goodbye(let goodbye): Self.varint(goodbye.code.rawValue) + Self.text(goodbye.text)
        case .ping, .pong: 8
        case .rekey: 0
        case .prune(let origin): origin == nil ? 0 : 32
        case .invitation(let invitation):
            Self.text(invitation.mesh.text) + Self.prefixed(invitation.context.count) + 1
                + Self.varint(UInt64(invitation.room))
        case .accept(let room): Self.varint(UInt64(room))
        case .refuse(let refusal): Self.varint(refusal.rawValue)
        case .record(let frame):
            Self.recordBodyByteCount(
                timeToLive: frame.timeToLive, hops: frame.hops, recordBytes: frame.signed.bytes.count)
        case .probe(let probe):
            probe.path.reduce(1 + 8 + 32 + 32 + Self.varint(UInt64(probe.timeToLive)) + Self.varint(probe.path.count)) {
                $0 + 32 + Self.text($1.name.text) + Record.signatureBytes
            }
        case .have(let have):
            have.entries.reduce(Self.varint(have.entries.count)) { $0 + 32 + Self.varint(UInt64($1.hops)) }
        case .graft(let graft): Self.varint(graft.ids.count) + 32 * graft.ids.count
        case .walk(let walk): 1 + Self.varint(UInt64(walk.timeToLive)) + Self.card(walk.origin)
        case .shuffle(let shuffle):
            shuffle.cards.reduce(1 + Self.varint(UInt64(shuffle.timeToLive)) + 32 + Self.varint(shuffle.cards.count)) {
                $0 + Self.card($1)
            }
        case .keeping(let keeping):
            keeping.entries.reduce(Self.varint(keeping.entries.count) + 1) { $0 + Self.varint($1.group.rawValue) + 8 }
                + (keeping.rooms.map { $0.reduce(Self.varint($0.count)) { $0 + Self.prefixed($1.count) } } ?? 0)
        case .comparison(let comparison):
            1 + Self.varint(UInt64(comparison.session)) + Self.varint(comparison.scope.group.rawValue) + 1
                + (comparison.scope.room.map { Self.prefixed($0.count) } ?? 0) + 8
                + Self.prefixed(comparison.message.count)
        case .offer(let list), .fetch(let list), .lack(let list), .stored(let list):
            Self.varint(list.ids.count) + 32 * list.ids.count
        case .serve(let serve): Self.varint(UInt64(serve.ageSeconds)) + serve.signed.bytes.count
        case .data(let data): data.bodyByteCount
        case .dataAnswer(let answer): answer.bodyByteCount
        case .want(let want): want.bodyByteCount
        case .holds(let holds): holds.bodyByteCount
        case .piece(let piece): piece.bodyByteCount
        case .absent(let absent): absent.bodyByteCount
        case .datagram(let datagram): datagram.bodyByteCount
        case .presence(let frame):
            Self.varint(UInt64(frame.timeToLive)) + Self.varint(UInt64(frame.hops))
                + Self.varint(UInt64(frame.ageMilliseconds)) + frame.signed.bytes.count
        }
    }

    private static func recordBodyByteCount(timeToLive: UInt8, hops: UInt8, recordBytes: Int) -> Int {
        varint(UInt64(timeToLive)) + varint(UInt64(hops)) + 1 + recordBytes
    }

    private static func byteCount(_ type: TypeNumber, bodyByteCount: Int) -> Int {
        varint(type.rawValue) + prefixed(bodyByteCount)
    }

    private static func card(_ card: PeerCard) -> Int {
        32 + text(card.address.host) + 2
    }

    private static func text(_ text: String) -> Int {
        prefixed(text.utf8.count)
    }

    /// The bytes of `count` octets with their length.
    private static func prefixed(_ count: Int) -> Int {
        varint(count) + count
    }

    private static func varint(_ value: Int) -> Int {
        varint(UInt64(value))
    }

    static func varint(_ value: UInt64) -> Int {
        ByteWriter.varintBytes(value)
    }
}
