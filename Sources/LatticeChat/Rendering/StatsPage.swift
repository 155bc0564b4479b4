package import LatticeAPI

/// The counters of a node, shown again and again.
package struct StatsPage: Sendable {
    private var last: (stats: NodeStats, seconds: Double)?

    package init() {}

    /// The same lines as for one look, and from the second on rates.
    ///
    /// - Parameters:
    ///   - seconds: by a clock that only goes forward.
    ///   - columns: of the screen.
    package mutating func lines(_ stats: NodeStats, at seconds: Double, columns: Int = .max) -> [String] {
        let before = last.map { (families: $0.stats.families, seconds: seconds - $0.seconds) }
        last = (stats, seconds)
        return StatsLines.lines(stats, since: before, columns: columns)
    }

    /// What a program reads.
    package static func json(_ stats: NodeStats) -> String { JSONLine(stats.members).description }
}
