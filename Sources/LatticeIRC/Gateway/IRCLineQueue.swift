/// What a client said and nobody has looked at yet. A client that says more than fits is closed.
struct IRCLineQueue {
    private var lines: [[UInt8]?] = []
    /// How many of `lines` were taken already.
    private var taken = 0
    private var bytes = 0

    var isEmpty: Bool { taken == lines.count }

    /// - Parameter line: `nil` is a line that was too long.
    /// - Returns: whether it fits.
    mutating func append(_ line: [UInt8]?, linesMax: Int, bytesMax: Int) -> Bool {
        let count = line?.count ?? 0
        guard lines.count - taken < linesMax, bytes + count <= bytesMax else { return false }
        lines.append(line)
        bytes += count
        return true
    }

    /// - Returns: `nil` if there is none.
    mutating func popFirst() -> [UInt8]?? {
        guard taken < lines.count else { return nil }
        let line = lines[taken]
        taken += 1
        bytes -= line?.count ?? 0
        // The lines before it are given back once in a while, which costs each line the same.
        if taken == lines.count || taken >= 256 {
            lines.removeFirst(taken)
            taken = 0
        }
        return .some(line)
    }
}
