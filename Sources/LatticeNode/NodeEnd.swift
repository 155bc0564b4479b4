import LatticeConcurrency

/// The end of a node: it is asked to stop, says goodbye to its peers, and only then `run` ends.
struct NodeEnd {
    private(set) var hasBegun = false
    private let goodbyesSaid = Signal()

    /// - Returns: `false` if it began before.
    mutating func begin() -> Bool {
        defer { hasBegun = true }
        return !hasBegun
    }

    func saidGoodbyes() {
        goodbyesSaid.raise()
    }

    /// Returns after the goodbyes, or when the task is cancelled.
    nonisolated(nonsending) func wait() async {
        await goodbyesSaid.wait()
    }
}
