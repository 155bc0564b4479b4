import LatticeConcurrency

/// Work that waits in C, and is given up after a time.
enum Bounded {
    /// Does `work` on a thread of its own.
    ///
    /// - Returns: what it gave, or `nil` if it took longer; the thread is left to itself then.
    static func value<Value: Sendable>(within limit: Duration, _ work: @escaping @Sendable () -> Value) async -> Value?
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
    static func first<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                do {
                    try await Task.sleep(for: limit)
                } catch {
                    // It is done, or nobody wants it any more.
                }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
