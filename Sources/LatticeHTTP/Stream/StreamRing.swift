/// The last events of one audience, each written down once. Who falls behind, or comes back, reads on where it was, as far as that is still here,
/// and is told how many are not.
struct StreamRing: Sendable {
    /// Stands before each number: another run, or another audience, has other numbers.
    private let boot: String
    private let entriesMax: Int
    /// At most `entriesMax` of them, overwritten in turn: event `number` stands at `number % entriesMax`.
    private var entries: [[UInt8]] = []
    private var nextNumber = 1

    init(boot: String, entriesMax: Int) {
        (self.boot, self.entriesMax) = (boot, entriesMax)
    }

    /// - Parameter after: the id of the event that was heard last; `nil` begins now.
    func begin(after: String?) -> (bytes: [UInt8], cursor: Int) {
        guard let after else { return ([], nextNumber) }
        let parts = after.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == boot, let number = Int(parts[1]), (0..<nextNumber).contains(number) else {
            // Of another run, or of nobody: how many there were since nobody knows.
            return (missed(nil), nextNumber)
        }
        return read(from: number + 1)
    }

    /// All that has happened since.
    func read(from cursor: Int) -> (bytes: [UInt8], cursor: Int) {
        let oldest = nextNumber - entries.count
        var bytes = cursor < oldest ? missed(oldest - cursor) : []
        for number in max(cursor, oldest)..<nextNumber { bytes += entries[number % entriesMax] }
        return (bytes, nextNumber)
    }

    mutating func append(_ event: StreamEvent) {
        let text = "id: \(boot)-\(nextNumber)\nevent: \(event.name)\ndata: "
        let entry = Array(text.utf8) + event.data.bytes + Array("\n\n".utf8)
        // The first number is 1: the place of 0 is taken once the ring is full.
        if entries.isEmpty { entries.append([]) }
        if entries.count < entriesMax { entries.append(entry) } else { entries[nextNumber % entriesMax] = entry }
        nextNumber += 1
    }

    private func missed(_ count: Int?) -> [UInt8] {
        let data = (["count": .integer(count)] as JSON).bytes
        return Array("id: \(boot)-\(nextNumber - 1)\nevent: missed\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}
