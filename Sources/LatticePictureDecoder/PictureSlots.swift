import LatticePicture
import Synchronization

/// Lets a few callers pass at a time, in the order in which they came; a few more wait.
final class PictureSlots: Sendable {
    private enum Answer {
        case slot, noSlot, cancelled
    }

    private struct State {
        var free: Int
        var waiters: [(ticket: Int, continuation: CheckedContinuation<Answer, Never>)] = []
        var lastTicket = 0
    }

    private let state: Mutex<State>
    private let waitersMax: Int

    /// - Parameter waitersMax: each has a picture in memory.
    init(count: Int, waitersMax: Int) {
        state = Mutex(State(free: count))
        self.waitersMax = waitersMax
    }

    /// Returns when a slot is the caller's, who has to end with `giveBack`.
    func take() async throws(PictureFault) {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let answer = enter(continuation, ticket) { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.ticket == ticket }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: .cancelled)
        }
        switch answer {
        case .slot: return
        case .noSlot: throw .failed("too many pictures wait for their turn")
        case .cancelled: throw .failed("cancelled")
        }
    }

    var waiterCount: Int { state.withLock { $0.waiters.count } }

    func giveBack() {
        let next = state.withLock { state in
            if state.waiters.isEmpty {
                state.free += 1
                return nil as CheckedContinuation<Answer, Never>?
            }
            return state.waiters.removeFirst().continuation
        }
        next?.resume(returning: .slot)
    }

    /// - Returns: `nil` if the continuation waits now.
    private func enter(_ continuation: CheckedContinuation<Answer, Never>, _ ticket: Int) -> Answer? {
        state.withLock { state in
            // A cancellation that came earlier found no waiter.
            if Task.isCancelled { return .cancelled }
            if state.free > 0 {
                state.free -= 1
                return .slot
            }
            if state.waiters.count >= waitersMax { return .noSlot }
            state.waiters.append((ticket, continuation))
            return nil
        }
    }
}
