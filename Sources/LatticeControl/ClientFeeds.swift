import DequeModule
import LatticeAPI
import Synchronization

/// The batches of a client's feeds that nobody has read yet. The node sends no more than a feed's window.
final class ClientFeeds: Sendable {
    private typealias Waiter = CheckedContinuation<Result<RecordBatch, RequestError>, Never>

    private struct Feed {
        var batches: Deque<RecordBatch> = []
        var waiter: Waiter?
        /// Why there are no more.
        var end: RequestError?
    }

    private struct State {
        var feeds: [Int: Feed] = [:]
        /// The connection is over.
        var end: RequestError?
    }

    private let state = Mutex(State())

    func came(_ batch: RecordBatch) {
        let waiter = state.withLock { state -> Waiter? in
            guard state.feeds[batch.feed]?.end == nil else { return nil }
            if let waiter = state.feeds[batch.feed]?.waiter.take() { return waiter }
            state.feeds[batch.feed, default: Feed()].batches.append(batch)
            return nil
        }
        waiter?.resume(returning: .success(batch))
    }

    func end(_ number: Int, _ error: RequestError) {
        let waiter = state.withLock { state in
            let waiter = state.feeds[number]?.waiter
            state.feeds[number] = Feed(end: error)
            return waiter
        }
        waiter?.resume(returning: .failure(error))
    }

    func finish(_ error: RequestError) {
        let waiters = state.withLock { state in
            state.end = error
            defer { state.feeds = [:] }
            return state.feeds.values.compactMap(\.waiter)
        }
        for waiter in waiters { waiter.resume(returning: .failure(error)) }
    }

    /// Only one task waits for a feed at a time.
    func next(of number: Int) async throws(RequestError) -> RecordBatch {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let result = state.withLock { state -> Result<RecordBatch, RequestError>? in
                    if let batch = state.feeds[number]?.batches.popFirst() { return .success(batch) }
                    if let end = state.end ?? state.feeds[number]?.end { return .failure(end) }
                    if Task.isCancelled { return .failure(.stopped(why: .cancelled)) }
                    state.feeds[number, default: Feed()].waiter = waiter
                    return nil
                }
                if let result { waiter.resume(returning: result) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.feeds[number]?.waiter.take() }
            waiter?.resume(returning: .failure(.stopped(why: .cancelled)))
        }
        return try result.get()
    }
}
