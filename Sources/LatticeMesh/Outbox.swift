import DequeModule
package import LatticeCore
import LatticeWire

/// Own records until a neighbour confirms them: those submitted while nobody was connected, and those that a dead link
/// may have lost.
///
/// A confirmation is a pong: a neighbour handles frames in order, so its answer to a ping means that it has every
/// record sent before that ping.
package struct Outbox: Sendable {
    struct Entry: Sendable {
        let record: VerifiedRecord
        /// The event in which it was last sent; `nil` while it waits for a first neighbour.
        var sentStep: UInt64?
        /// Nobody was connected when it was submitted: people are notified once somebody has it.
        let hasWaited: Bool
        let isUrgent: Bool

        init(record: VerifiedRecord, isUrgent: Bool, sentStep: UInt64?) {
            (self.record, self.isUrgent, self.sentStep, hasWaited) = (record, isUrgent, sentStep, sentStep == nil)
        }
    }

    private(set) var entries: Deque<Entry> = []
    /// Those that wait for a first neighbour.
    package private(set) var waitingCount = 0
    private(set) var bytes = 0
    /// When to ask neighbours again for confirmations.
    private(set) var confirmAt: Instant?
    /// The ones that may be lines, chat or sealed.
    package private(set) var linesCount = 0

    package var count: Int { entries.count }

    /// How many of these are here.
    package func count(among records: Set<RecordID>) -> Int {
        entries.count { records.contains($0.record.id) }
    }

    var isEmpty: Bool { entries.isEmpty }

    var newestSentStep: UInt64? { entries.last?.sentStep }

    /// Whether speaking should wait for confirmations.
    var isCrowded: Bool {
        waitingCount == 0
            && (bytes > MeshLimit.outboxBytesPaced || entries.count > MeshLimit.outboxSentMax / 2)
    }

    /// - Returns: `false` if it is full; no other entry is dropped.
    mutating func add(_ record: VerifiedRecord, isUrgent: Bool, sentStep: UInt64?) -> Bool {
        let size = record.signed.bytes.count
        guard fits(bytes: size, isAlone: sentStep == nil) else { return false }
        if sentStep == nil { waitingCount += 1 }
        entries.append(Entry(record: record, isUrgent: isUrgent, sentStep: sentStep))
        bytes += size
        if Self.mayBeLine(record) { linesCount += 1 }
        return true
    }

    /// - Parameter isAlone: whether the record would wait for a first neighbour.
    package func fits(bytes size: Int, isAlone: Bool) -> Bool {
        guard bytes + size <= MeshLimit.outboxBytesMax else { return false }
        return isAlone
            ? waitingCount < MeshLimit.outboxWaitingMax : entries.count - waitingCount < MeshLimit.outboxSentMax
    }

    /// Marks everything as sent now.
    mutating func sendAll(step: UInt64) -> Deque<Entry> {
        for index in entries.indices { entries[index].sentStep = step }
        waitingCount = 0
        return entries
    }

    /// A neighbour has handled everything that it was sent in these events.
    ///
    /// Entries are ordered by when they were last sent, so the confirmed ones are at the front.
    ///
    /// - Returns: the confirmed records that may also be in the outbox on disk: all but chat lines, and chat lines that
    ///   waited.
    mutating func confirm(sentIn steps: ClosedRange<UInt64>) -> [RecordID] {
        var confirmed: [RecordID] = []
        while let first = entries.first, let sent = first.sentStep, steps.contains(sent) {
            if first.record.kind != .chat || first.hasWaited { confirmed.append(first.record.id) }
            removeFirst()
        }
        return confirmed
    }

    /// - Returns: whether neighbours should be asked for confirmations now.
    mutating func confirms(at now: Instant) -> Bool {
        guard newestSentStep != nil else {
            confirmAt = nil
            return false
        }
        if let time = confirmAt, now < time { return false }
        let isFirst = confirmAt == nil
        confirmAt = now + MeshLimit.confirmInterval
        return !isFirst
    }

    private mutating func removeFirst() {
        let gone = entries.removeFirst().record
        bytes -= gone.signed.bytes.count
        if Self.mayBeLine(gone) { linesCount -= 1 }
    }

    private static func mayBeLine(_ record: VerifiedRecord) -> Bool {
        record.kind == .chat || record.kind == .sealed
    }
}
