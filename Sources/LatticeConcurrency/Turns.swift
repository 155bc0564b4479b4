/// Lets callers on one actor pass one at a time, in the order in which they came.
package final class Turns {
    private var isTaken = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Returns once everybody who came earlier has called `end`.
    nonisolated(nonsending) package func take() async {
        guard isTaken else { return isTaken = true }
        await withCheckedContinuation { waiters.append($0) }
    }

    /// Passes the turn to who has waited longest.
    package func end() {
        guard !waiters.isEmpty else { return isTaken = false }
        waiters.removeFirst().resume()
    }
}
