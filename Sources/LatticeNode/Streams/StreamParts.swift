import DequeModule
import LatticeWire

/// What goes one way over a stream: numbered parts, kept until the program at the other side has taken them.
struct OutgoingParts: Sendable {
    private var parts: Deque<[UInt8]> = []
    /// The number of the first that is kept.
    private(set) var taken: UInt64 = 0
    /// The other side has all before this.
    private var heard: UInt64 = 0
    /// The number of the next to be sent.
    private var cursor: UInt64 = 0

    private var end: UInt64 { taken + UInt64(parts.count) }

    var hasRoom: Bool { UInt64(parts.count) < StreamLimit.windowParts }
    var isAllTaken: Bool { parts.isEmpty }
    var hasUnsent: Bool { cursor < end }

    mutating func add(_ octets: [UInt8]) {
        precondition(hasRoom, "what does not fit the window waits where it came from")
        parts.append(octets)
    }

    /// The receipt goes out however much waits: whoever waits for it may read only then.
    mutating func addReceipt(_ octets: [UInt8]) {
        parts.append(octets)
    }

    mutating func next() -> (number: UInt64, octets: [UInt8])? {
        guard cursor < end else { return nil }
        defer { cursor += 1 }
        return (cursor, parts[Int(cursor - taken)])
    }

    /// - Returns: whether that can be.
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

    /// What was on its way may be lost.
    mutating func rewind() {
        cursor = max(taken, heard)
    }
}

/// What comes the other way: parts in their order, each once.
struct IncomingParts: Sendable {
    /// How many came without a gap.
    private(set) var heard: UInt64 = 0
    /// As the other side was told last.
    private var told: UInt64 = 0

    /// - Parameter taken: how many of those that came nobody here needs any more.
    /// - Returns: whether it is the next one, within a window and a receipt.
    mutating func heard(_ number: UInt64, taken: UInt64) -> Bool {
        guard number == heard, number <= taken + StreamLimit.windowParts else { return false }
        heard += 1
        return true
    }

    /// Whether there is news for the other side: at once where nothing waits to be read.
    func isWorthTelling(taken: UInt64, isEmpty: Bool) -> Bool {
        taken - told >= (isEmpty ? 1 : StreamLimit.toldParts)
    }

    mutating func tell(taken: UInt64) -> StreamMessage.Kind {
        told = taken
        return .taken(taken, heard: heard)
    }
}
