import Synchronization

/// A value whose changes any number of tasks can wait for. A change wakes every waiter, and each looks again for itself.
final class Watched<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        /// Counts changes: a task that has looked looks again if there was one before it began to wait.
        var version: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    func read<Answer: Sendable>(_ question: (Value) -> Answer) -> Answer {
        state.withLock { question($0.value) }
    }

    /// As `read`, in place: nothing is copied to be looked at, which for a value with several collections takes longer than a look.
    ///
    /// - Parameter question: changes nothing.
    func look<Answer: Sendable>(_ question: (inout Value) -> Answer) -> Answer {
        state.withLock { question(&$0.value) }
    }

    @discardableResult
    func change<Answer: Sendable>(_ body: (inout Value) -> Answer) -> Answer {
        let (answer, waiters) = state.withLock { state -> (Answer, [CheckedContinuation<Void, Never>]) in
            let answer = body(&state.value)
            return (answer, Self.noteChange(&state))
        }
        for waiter in waiters { waiter.resume() }
        return answer
    }

    /// - Returns: what `body` does: whether to wake the waiters. If not, it has changed nothing that any of them waits for.
    @discardableResult
    func changeIfNeeded(_ body: (inout Value) -> Bool) -> Bool {
        let (answer, waiters) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            let answer = body(&state.value)
            return (answer, answer ? Self.noteChange(&state) : [])
        }
        for waiter in waiters { waiter.resume() }
        return answer
    }

    /// Waits until a look at the value gives an answer. A look that answers may change the value; one that does not must
    /// leave it alone.
    ///
    /// - Returns: `nil` if the task was cancelled.
    nonisolated(nonsending) func first<Answer: Sendable>(_ look: (inout Value) -> Answer?) async -> Answer? {
        while !Task.isCancelled {
            let (answer, version, waiters) = state.withLock { state in
                let answer = look(&state.value)
                return (answer, state.version, answer == nil ? [] : Self.noteChange(&state))
            }
            for waiter in waiters { waiter.resume() }
            if let answer { return answer }
            await pause(since: version)
        }
        return nil
    }

    private static func noteChange(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        state.version += 1
        guard !state.waiters.isEmpty else { return [] }
        defer { state.waiters.removeAll() }
        return Array(state.waiters.values)
    }

    private nonisolated(nonsending) func pause(since version: UInt64) async {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    // A cancellation that came earlier found no waiter to resume.
                    guard state.version == version, !Task.isCancelled else { return false }
                    state.waiters[number] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}
