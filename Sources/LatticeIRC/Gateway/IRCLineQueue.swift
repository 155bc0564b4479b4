/// Input lines of a client that wait to be handled. A client that exceeds the limits is closed.
struct IRCLineQueue {
    private var lines: [[UInt8]?] = []
    /// How many of `lines` are already taken.
    private var taken = 0
    private var bytes = 0

    var isEmpty: Bool { taken == lines.count }

    /// - Parameter line: `nil` for a line that was too long.
    /// - Returns: whether it fits.
    mutating func append(_ line: [UInt8]?, linesMax: Int, bytesMax: Int) -> Bool {
        let count = line?.count ?? 0
        guard lines.count - taken < linesMax, bytes + count <= bytesMax else { return false }
        lines.append(line)
        bytes += count
        return true
    }

    /// `nil` if the queue is empty or its first line was too long.
    var first: [UInt8]? { isEmpty ? nil : lines[taken] }

    /// - Returns: `nil` if the queue is empty.
    mutating func popFirst() -> [UInt8]?? {
        guard taken < lines.count else { return nil }
        let line = lines[taken]
        taken += 1
        bytes -= line?.count ?? 0
        // Taken lines are removed in batches, so each line costs the same.
        if taken == lines.count || taken >= 256 {
            lines.removeFirst(taken)
            taken = 0
        }
        return .some(line)
    }
}
