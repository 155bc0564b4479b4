package import LatticeAPI

/// How a node is doing, seen again and again.
package struct StatsPage: Sendable {
    private var last: (stats: NodeStats, seconds: Double)?

    package init() {}

    /// The same lines as of one look, and from the second on how fast things go.
    ///
    /// - Parameter seconds: by a clock that only goes forward.
    package mutating func lines(_ stats: NodeStats, at seconds: Double) -> [String] {
        let before = last.map { (families: $0.stats.families, seconds: seconds - $0.seconds) }
        last = (stats, seconds)
        return StatsLines.lines(stats, since: before)
    }

    /// What a program reads.
    package static func json(_ stats: NodeStats) -> String { JSONLine(stats.members).description }
}
