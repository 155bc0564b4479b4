import DequeModule
import LatticeCore
import LatticeWire

/// Own records until at least one neighbour has confirmed them: what was said while nobody was there, and what may have
/// been lost on a link that died.
///
/// A confirmation is a pong: a neighbour handles frames in order, so its answer to a ping means that it has every
/// record sent before that ping.
struct Outbox: Sendable {
    struct Entry: Sendable {
        let record: VerifiedRecord
        /// The event by which it was sent last; `nil` while it waits for somebody to come.
        var sentStep: UInt64?
        /// Nobody was there when it was said: people are told when somebody has it.
        let hasWaited: Bool

        init(record: VerifiedRecord, sentStep: UInt64?) {
            (self.record, self.sentStep, hasWaited) = (record, sentStep, sentStep == nil)
        }
    }

    private(set) var entries: Deque<Entry> = []
    private(set) var waitingCount = 0
    private(set) var bytes = 0
    /// When neighbours are asked again what of it they have.
    private(set) var confirmAt: Instant?
    /// Those among them that may be lines: of chat, or sealed.
    private(set) var linesCount = 0

    var isEmpty: Bool { entries.isEmpty }

    var newestSentStep: UInt64? { entries.last?.sentStep }

    /// Whether so much is unconfirmed that speaking should wait for the neighbours.
    var isCrowded: Bool {
        waitingCount == 0
            && (bytes > MeshLimit.outboxBytesPaced || entries.count > MeshLimit.outboxSentMax / 2)
    }

    /// - Returns: `false` if it has no room for another; nothing that is in it gives way.
    mutating func add(_ record: VerifiedRecord, sentStep: UInt64?) -> Bool {
        let size = record.signed.bytes.count
        guard hasRoom(bytes: size, isAlone: sentStep == nil) else { return false }
        if sentStep == nil { waitingCount += 1 }
        entries.append(Entry(record: record, sentStep: sentStep))
        bytes += size
        if Self.mayBeLine(record) { linesCount += 1 }
        return true
    }

    /// - Parameter isAlone: whether it would have to wait for somebody to come.
    func hasRoom(bytes size: Int, isAlone: Bool) -> Bool {
        guard bytes + size <= MeshLimit.outboxBytesMax else { return false }
        return isAlone
            ? waitingCount < MeshLimit.outboxWaitingMax : entries.count - waitingCount < MeshLimit.outboxSentMax
    }

    /// Everything here goes out now.
    mutating func sendAll(step: UInt64) -> [VerifiedRecord] {
        for index in entries.indices { entries[index].sentStep = step }
        waitingCount = 0
        return entries.map(\.record)
    }

    /// A neighbour has handled all that it was sent by these events.
    ///
    /// Entries are in the order in which they were sent last, so the confirmed ones stand at the front.
    ///
    /// - Returns: the confirmed ones that may be in an outbox on disk, too, which lines of chat are not, and lines that waited for somebody.
    mutating func confirm(sentIn steps: ClosedRange<UInt64>) -> [RecordID] {
        var confirmed: [RecordID] = []
        while let first = entries.first, let sent = first.sentStep, steps.contains(sent) {
            if first.record.kind != .chat || first.hasWaited { confirmed.append(first.record.id) }
            removeFirst()
        }
        return confirmed
    }

    /// - Returns: whether it is time to ask neighbours what of it they have.
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
