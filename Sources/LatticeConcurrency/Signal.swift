import Synchronization

/// A coalescing wake-up for one waiter: raises between two waits count as one.
///
/// The waiter resumes on its own executor. An `AsyncStream` would change executors with each element.
package final class Signal: Sendable {
    private struct State {
        var isRaised = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    package func raise() {
        let waiter = state.withLock { state in
            let waiter = state.waiter.take()
            state.isRaised = waiter == nil
            return waiter
        }
        waiter?.resume()
    }

    /// Returns once the signal has been raised since the last wait, or when the task is cancelled.
    nonisolated(nonsending) package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if !enter(continuation) { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.resume()
        }
    }

    /// - Returns: whether the continuation waits now.
    private func enter(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        state.withLock { state in
            if state.isRaised {
                state.isRaised = false
                return false
            }
            // A cancellation that came earlier found no waiter to resume.
            if Task.isCancelled { return false }
            precondition(state.waiter == nil, "a signal has one waiter at a time")
            state.waiter = continuation
            return true
        }
    }
}
