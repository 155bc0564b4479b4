import LatticeConcurrency

/// Input that was read ahead.
final class InputQueue {
    /// Then reading pauses. A guess: more than anybody types ahead.
    private static let waitingMax = 1_000

    private var inputs: [ChatInput] = []
    private let arrived = Signal()
    private let taken = Signal()

    func add(_ read: [ChatInput]) {
        inputs += read
        arrived.raise()
    }

    /// Waits while too much is queued.
    nonisolated(nonsending) func waitForSpace() async {
        while inputs.count >= Self.waitingMax, !Task.isCancelled { await taken.wait() }
    }

    /// Waits for input; an empty array if the task is cancelled.
    nonisolated(nonsending) func take() async -> [ChatInput] {
        while inputs.isEmpty, !Task.isCancelled { await arrived.wait() }
        defer {
            inputs = []
            taken.raise()
        }
        return inputs
    }
}
