import LatticeConcurrency

/// Holds one task while it is closed.
final class Gate {
    private(set) var isClosed: Bool
    private let opened = Signal()

    init(isClosed: Bool = false) { self.isClosed = isClosed }

    func close() { isClosed = true }

    func open() {
        isClosed = false
        opened.raise()
    }

    /// Returns once it is open, or when the task is cancelled.
    nonisolated(nonsending) func pass() async {
        while isClosed, !Task.isCancelled { await opened.wait() }
    }

    /// Waits until it is open, then closes it for others.
    nonisolated(nonsending) func enter() async {
        await pass()
        close()
    }
}
