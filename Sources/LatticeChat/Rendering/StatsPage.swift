package import LatticeAPI
import LatticeCore

/// The counters of a node, shown repeatedly.
package struct StatsPage: Sendable {
    private var last: (stats: NodeStats, seconds: Double)?

    package init() {}

    /// The lines for one sample; from the second one on with rates.
    ///
    /// - Parameters:
    ///   - seconds: monotonic time.
    ///   - columns: width of the screen.
    package mutating func lines(_ stats: NodeStats, at seconds: Double, columns: Int = .max) -> [String] {
        let before = last.map { (families: $0.stats.families, seconds: seconds - $0.seconds) }
        last = (stats, seconds)
        return StatsLines.lines(stats, since: before, columns: columns)
    }

    package static func json(_ stats: NodeStats) -> String { JSONLine(stats.members).description }
}
