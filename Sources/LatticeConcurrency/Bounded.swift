/// Runs blocking or slow work with a time limit.
package enum Bounded {
    /// Runs `work` on a thread of its own.
    ///
    /// - Returns: its result, or `nil` if it took longer; the thread is then abandoned.
    package static func value<Value: Sendable>(within limit: Duration, _ work: @escaping @Sendable () -> Value) async
        -> Value?
    {
        let (values, input) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingOldest(1))
        DedicatedThread.start {
            input.yield(work())
            input.finish()
        }
        return await first(within: limit) {
            for await value in values { return value }; return nil
        }
    }

    /// The same for work that can be cancelled.
    package static func first<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                do {
                    try await Task.sleep(for: limit)
                } catch {
                    // The work finished, or the caller was cancelled.
                }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
