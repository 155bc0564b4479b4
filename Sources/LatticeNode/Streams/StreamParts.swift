import DequeModule
import LatticeWire

/// One direction of a stream, outgoing: numbered parts, as encoded messages, kept until the other side's program has taken them.
struct OutgoingParts: Sendable {
    private var parts: Deque<[UInt8]> = []
    /// Number of the first part that is kept.
    private(set) var taken: UInt64 = 0
    /// The other side has received all parts before this.
    private var heard: UInt64 = 0
    /// Number of the next part to send.
    private var cursor: UInt64 = 0

    /// Number of the next part to add.
    var end: UInt64 { taken + UInt64(parts.count) }

    var hasFreePart: Bool { UInt64(parts.count) < StreamLimit.windowParts }
    var isAllTaken: Bool { parts.isEmpty }
    var hasUnsent: Bool { cursor < end }

    mutating func add(_ octets: [UInt8]) {
        precondition(hasFreePart, "what does not fit the window waits where it came from")
        parts.append(octets)
    }

    /// Adds the receipt even if the window is full, as the other side may read only after it.
    mutating func addReceipt(_ octets: [UInt8]) {
        parts.append(octets)
    }

    mutating func next() -> (number: UInt64, octets: [UInt8])? {
        guard cursor < end else { return nil }
        defer { cursor += 1 }
        return (cursor, parts[Int(cursor - taken)])
    }

    /// - Returns: whether these numbers are possible.
    mutating func told(taken count: UInt64, heard: UInt64) -> Bool {
        guard heard <= end else { return false }
        self.heard = max(self.heard, heard)
        while taken < count {
            parts.removeFirst()
            taken += 1
        }
        cursor = max(cursor, self.heard)
        return true
    }

    /// Parts in flight may be lost.
    mutating func rewind() {
        cursor = max(taken, heard)
    }
}

/// One direction of a stream, incoming: parts in order, each once.
struct IncomingParts: Sendable {
    /// Parts received without a gap.
    private(set) var heard: UInt64 = 0
    /// The last number sent to the other side.
    private var told: UInt64 = 0

    /// - Parameter taken: received parts that are no longer needed here.
    /// - Returns: whether it is the next part, within a window and a receipt.
    mutating func heard(_ number: UInt64, taken: UInt64) -> Bool {
        guard number == heard, number <= taken + StreamLimit.windowParts else { return false }
        heard += 1
        return true
    }

    /// Whether to notify the other side: immediately if nothing waits to be read.
    func isWorthTelling(taken: UInt64, isEmpty: Bool) -> Bool {
        taken - told >= (isEmpty ? 1 : StreamLimit.toldParts)
    }

    mutating func tell(taken: UInt64) -> StreamMessage.Kind {
        told = taken
        return .taken(taken, heard: heard)
    }
}
