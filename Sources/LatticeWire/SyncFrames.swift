package import LatticeCore

/// One message of a comparison (Negentropy protocol version 1): which records either side lacks.
///
/// `side:1 session:varint group:varint hasRoom:1 (topic:bytes)? since:8 message:bytes`.
package struct Comparison: Hashable, Sendable {
    package enum Side: UInt8, Hashable, Sendable {
        /// From whoever began it and learns the outcome.
        case question = 0
        case answer = 1
    }

    package static let messageBytesMax = 60_000
    package let side: Side
    /// Chosen by whoever began it; an answer repeats it.
    package let session: UInt32
    package let scope: SyncScope
    /// Only what was made from here on is compared.
    package let since: HybridTime
    /// Of an answer, empty: not now, or not in this scope.
    package let message: [UInt8]

    package init(side: Side, session: UInt32, scope: SyncScope, since: HybridTime, message: [UInt8]) {
        precondition(message.count <= Self.messageBytesMax, "a message fits its frame")
        self.side = side
        self.session = session
        self.scope = scope
        self.since = since
        self.message = message
    }
}

/// Ids of records, and what the sender says of them: `count:varint id:32*`.
package struct RecordIDs: Hashable, Sendable {
    /// These fill half a message.
    package static let countMax = 1_024
    /// 1–1,024.
    package let ids: [RecordID]

    package init(_ ids: [RecordID]) {
        precondition((1...Self.countMax).contains(ids.count), "1 to 1,024 ids to a frame")
        self.ids = ids
    }
}

/// A record that the receiver has asked for: `age:varint record`.
package struct Supply: Hashable, Sendable {
    /// Seconds since the sender had it first. A hint, which counts only for what is dated ahead of the receiver's clock:
    /// its lifetime runs from when somebody first had it.
    package let ageSeconds: UInt32
    package let signed: SignedRecord

    package init(ageSeconds: UInt32, signed: SignedRecord) {
        self.ageSeconds = ageSeconds
        self.signed = signed
    }
}
