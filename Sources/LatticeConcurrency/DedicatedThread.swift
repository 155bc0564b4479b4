import Glibc

/// A thread outside of the Swift concurrency pool, for code that blocks in C.
// Safety: the box with the body is retained for the new thread, which takes over that one reference exactly once; if no
// thread could be created it is released here. The thread is detached, so nobody else has its handle.
package enum DedicatedThread {
    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Runs `body` once on a new thread.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Box(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { preconditionFailure("a thread starts with its box") }
                Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                return nil
            },
            box.toOpaque()
        )
        guard result == 0 else {
            box.release()
            preconditionFailure("no thread is left (error \(result)); raise the limit on processes")
        }
        pthread_detach(thread)
    }
}
