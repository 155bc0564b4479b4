package import LatticeCore

/// The plaintext of a private message, and of a line in a private room, which has the same form.
///
/// `text := kind:varint body:bytes padding:zero*`, padded to the smallest of `sizes` that fits: a relay learns only
/// which of seven sizes a private message has.
package enum SealedText: Hashable, Sendable {
    /// Kind 1: a line said to one person; the body is that of a `chat` record, which may have a `SealedFile` as field 9.
    case line(ChatLine)
    /// Kind 2: these private messages were opened. Body `count:varint (recordID:32)*`, 1–64 of them.
    case receipt([RecordID])
    /// Kind 3, in private messages: the key of a private room.
    case roomKey(RoomKeyText)
    /// Kind 4, in lines of a private room: who is in it.
    case member(RoomMemberText)
    /// Kind 5: a line that was sealed before, to a key that the reader no longer has. Body `recordID:32`, the id of the
    /// first private message, then that of a `chat` record.
    case again(RecordID, ChatLine)
    /// Kinds 6, 7 and 8: what was done to a line that was sealed. An edit is `recordID:32`, then the body of a `chat`
    /// record; a deletion `recordID:32`; an emoji `recordID:32 holds:1 emoji:text`.
    case act(SealedAct)
    /// Kind 10, in a private room only: a pin, or its removal. The body is that of a `pin` record.
    case pin(PinBody)
    /// Kind 11, in private messages: the files of these lines are complete where they were sent to. The body is that of a
    /// receipt; the ids are those that acts use, of the private messages that brought the lines first.
    case filesHere([RecordID])
    /// A kind of a later version: opened, but neither shown nor confirmed.
    case unknown(kind: UInt64)

    package static let sizes = [256, 512, 1_024, 2_048, 4_096, 8_192, 16_384]
    package static let receiptMax = 64
    private static let lineKind: UInt64 = 1
    private static let receiptKind: UInt64 = 2
    private static let roomKeyKind: UInt64 = 3
    private static let memberKind: UInt64 = 4
    private static let againKind: UInt64 = 5
    private static let editKind: UInt64 = 6
    private static let deletionKind: UInt64 = 7
    private static let emojiKind: UInt64 = 8
    private static let pinKind: UInt64 = 10
    private static let filesHereKind: UInt64 = 11

    package init(decoding text: [UInt8]) throws(WireError) {
        guard Self.sizes.contains(text.count) else { throw .outOfRange(field: "message text") }
        var reader = ByteReader(text)
        let kind = try reader.varint("message kind")
        let body = Array(try reader.bytes("message body", bytesMax: text.count))
        let used = reader.consumed
        guard used > text.count / 2 || text.count == Self.sizes[0] else { throw .notShortest(field: "message padding") }
        guard reader.rest().allSatisfy({ $0 == 0 }) else { throw .outOfRange(field: "message padding") }
        switch kind {
        case Self.lineKind: self = .line(try Self.line(body))
        case Self.receiptKind: self = .receipt(try Self.receipt(body))
        case Self.roomKeyKind: self = .roomKey(try RoomKeyText(decoding: body))
        case Self.memberKind: self = .member(try RoomMemberText(decoding: body))
        case Self.againKind: self = try Self.again(body)
        case Self.editKind, Self.deletionKind, Self.emojiKind: self = .act(try Self.act(kind, body))
        case Self.pinKind: self = .pin(try PinBody(decoding: body))
        case Self.filesHereKind: self = .filesHere(try Self.receipt(body))
        default: self = .unknown(kind: kind)
        }
    }

    /// A line whose file has the form that is required, if it has one.
    private static func line(_ body: [UInt8]) throws(WireError) -> ChatLine {
        let line = try ChatLine(decoding: body)
        _ = try line.sealedFile()
        return line
    }

    private static func again(_ body: [UInt8]) throws(WireError) -> SealedText {
        var reader = ByteReader(body)
        let first = RecordID(try reader.bytes32("message said again"))
        return .again(first, try line(Array(reader.rest())))
    }

    private static func act(_ kind: UInt64, _ body: [UInt8]) throws(WireError) -> SealedAct {
        var reader = ByteReader(body)
        let id = RecordID(try reader.bytes32("line"))
        switch kind {
        case editKind: return SealedAct(id, .edit(try line(Array(reader.rest()))))
        case deletionKind:
            try reader.end("deletion")
            return SealedAct(id, .deletion)
        default:
            let holds = try reader.byte("emoji")
            guard holds <= 1 else { throw .outOfRange(field: "emoji") }
            let emoji = try reader.text("emoji", bytesMax: ReactionTopic.emojiBytesMax)
            guard !emoji.isEmpty else { throw .outOfRange(field: "emoji") }
            try reader.end("emoji")
            return SealedAct(id, .emoji(emoji, holds: holds == 1))
        }
    }

    private static func receipt(_ body: [UInt8]) throws(WireError) -> [RecordID] {
        var reader = ByteReader(body)
        let count = try reader.varint("receipt")
        guard (1...UInt64(receiptMax)).contains(count) else { throw .outOfRange(field: "receipt") }
        var ids: [RecordID] = []
        for _ in 0..<count { ids.append(RecordID(try reader.bytes32("receipt"))) }
        try reader.end("receipt")
        return ids
    }

    /// The padded plaintext; its length is one of `sizes`.
    package var bytes: [UInt8] {
        var body = ByteWriter()
        switch self {
        case .line(let line): return Self.padded(kind: Self.lineKind, line.body)
        case .receipt(let ids): return Self.padded(kind: Self.receiptKind, Self.body(naming: ids))
        case .roomKey(let key): return Self.padded(kind: Self.roomKeyKind, key.body)
        case .member(let member): return Self.padded(kind: Self.memberKind, member.body)
        case .again(let first, let line):
            body.fixed(first.hash)
            return Self.padded(kind: Self.againKind, body.bytes + line.body)
        case .act(let act):
            body.fixed(act.line.hash)
            switch act.change {
            case .edit(let line): return Self.padded(kind: Self.editKind, body.bytes + line.body)
            case .deletion: return Self.padded(kind: Self.deletionKind, body.bytes)
            case .emoji(let emoji, let holds):
                body.byte(holds ? 1 : 0)
                body.text(emoji)
                return Self.padded(kind: Self.emojiKind, body.bytes)
            }
        case .pin(let pin): return Self.padded(kind: Self.pinKind, pin.body)
        case .filesHere(let ids): return Self.padded(kind: Self.filesHereKind, Self.body(naming: ids))
        case .unknown(let kind): return Self.padded(kind: kind, [])
        }
    }

    private static func body(naming ids: [RecordID]) -> [UInt8] {
        precondition((1...receiptMax).contains(ids.count), "a receipt names 1–64 messages")
        var body = ByteWriter()
        body.varint(UInt64(ids.count))
        for id in ids { body.fixed(id.hash) }
        return body.bytes
    }

    /// - Parameter body: must fit the largest size.
    package static func padded(kind: UInt64, _ body: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(kind)
        writer.bytes(body)
        guard let size = sizes.first(where: { $0 >= writer.bytes.count }) else {
            preconditionFailure("what is longer is refused where it is typed")
        }
        return writer.bytes + [UInt8](repeating: 0, count: size - writer.bytes.count)
    }
}

/// What somebody does to a line that was sealed: only those who read the line learn of it.
package struct SealedAct: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        /// What the line says now. Only its author may do this, and delete it.
        case edit(ChatLine)
        case deletion
        /// An emoji, 1–32 bytes, given or taken back.
        case emoji(String, holds: Bool)
    }

    /// The record that brought the line first.
    package let line: RecordID
    package let change: Change

    package init(_ line: RecordID, _ change: Change) {
        (self.line, self.change) = (line, change)
    }
}
