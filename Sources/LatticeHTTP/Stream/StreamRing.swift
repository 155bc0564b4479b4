import LatticeCore

/// The latest events of one audience, each encoded once. A listener that falls behind or reconnects continues where it
/// was, as far as events are still stored, and learns how many are lost.
struct StreamRing: Sendable {
    /// Prefix of all numbers: another run or audience has another prefix.
    private let boot: String
    private let entriesMax: Int
    /// At most `entriesMax`, overwritten in turn: event `number` is at `number % entriesMax`.
    private var entries: [[UInt8]] = []
    private var nextNumber = 1

    init(boot: String, entriesMax: Int) {
        (self.boot, self.entriesMax) = (boot, entriesMax)
    }

    /// - Parameter after: the id of the last event received; `nil` starts now.
    func begin(after: String?) -> (bytes: [UInt8], cursor: Int) {
        guard let after else { return ([], nextNumber) }
        let parts = after.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == boot, let number = Int(parts[1]), (0..<nextNumber).contains(number) else {
            // The id is from another run or invalid, so the number of lost events is unknown.
            return (missed(nil), nextNumber)
        }
        return read(from: number + 1)
    }

    func read(from cursor: Int) -> (bytes: [UInt8], cursor: Int) {
        let oldest = nextNumber - entries.count
        var bytes = cursor < oldest ? missed(oldest - cursor) : []
        for number in max(cursor, oldest)..<nextNumber { bytes += entries[number % entriesMax] }
        return (bytes, nextNumber)
    }

    mutating func append(_ event: StreamEvent) {
        let text = "id: \(boot)-\(nextNumber)\nevent: \(event.name)\ndata: "
        let entry = Array(text.utf8) + event.data.bytes + Array("\n\n".utf8)
        // The first number is 1: slot 0 is used once the ring is full.
        if entries.isEmpty { entries.append([]) }
        if entries.count < entriesMax { entries.append(entry) } else { entries[nextNumber % entriesMax] = entry }
        nextNumber += 1
    }

    private func missed(_ count: Int?) -> [UInt8] {
        let data = (["count": .integer(count)] as JSON).bytes
        return Array("id: \(boot)-\(nextNumber - 1)\nevent: missed\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}
