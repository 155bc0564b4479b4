package import LatticeCore

/// One message of reconciliation (Negentropy protocol version 1), which finds the records that only one side has.
///
/// `side:1 session:varint group:varint hasRoom:1 (topic:bytes)? since:8 message:bytes`.
package struct Comparison: Hashable, Sendable {
    package enum Side: UInt8, Hashable, Sendable {
        /// From the side that began and learns the result.
        case question = 0
        case answer = 1
    }

    package static let messageBytesMax = 60_000
    package let side: Side
    /// Chosen by the side that began; an answer repeats it.
    package let session: UInt32
    package let scope: SyncScope
    /// Only records made from then on are reconciled.
    package let since: HybridTime
    /// Empty in an answer that refuses: not now, or not in this scope.
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

/// Ids of records; their meaning depends on the frame type: `count:varint id:32*`.
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

/// A record that the receiver fetches: `age:varint record`.
package struct ServedRecord: Hashable, Sendable {
    /// Seconds since the sender first had it. A hint that counts only for records dated ahead of the receiver's clock,
    /// whose lifetime runs from when somebody first had them.
    package let ageSeconds: UInt32
    package let signed: SignedRecord

    package init(ageSeconds: UInt32, signed: SignedRecord) {
        self.ageSeconds = ageSeconds
        self.signed = signed
    }
}
