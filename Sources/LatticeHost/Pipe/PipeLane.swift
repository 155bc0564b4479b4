import Dispatch
import Glibc
import Synchronization

/// Standard input or output on a thread of its own, so that a stalled program blocks nothing else.
// Safety: buffers are lent to read(2) and write(2) for the length of the call, with their true sizes.
struct PipeLane: Sendable {
    struct Fault: Error {
        let number: Int32
    }

    static let input = PipeLane(queue: DispatchQueue(label: "lattice.pipe.input"))
    static let output = PipeLane(queue: DispatchQueue(label: "lattice.pipe.output"))

    private let queue: DispatchQueue

    /// A cancelled waiter stops waiting; the thread's result is then dropped.
    private final class Waiter<Value: Sendable>: Sendable {
        private let continuation = Mutex<CheckedContinuation<Value?, Never>?>(nil)
        private let isGivenUp = Atomic(false)

        func wait(_ continuation: CheckedContinuation<Value?, Never>) {
            self.continuation.withLock { $0 = continuation }
            if isGivenUp.load(ordering: .sequentiallyConsistent) { resume(nil) }
        }

        func resume(_ value: Value?) {
            continuation.withLock { $0.take() }?.resume(returning: value)
        }

        func giveUp() {
            isGivenUp.store(true, ordering: .sequentiallyConsistent)
            resume(nil)
        }
    }

    /// - Returns: `nil` if the task was cancelled.
    private func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        let waiter = Waiter<Value>()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.wait(continuation)
                queue.async { waiter.resume(work()) }
            }
        } onCancel: {
            waiter.giveUp()
        }
    }

    /// - Returns: the next bytes of standard input, empty at its end; `nil` if the task was cancelled.
    func read(atMost bytesMax: Int) async throws(Fault) -> [UInt8]? {
        let result: Result<[UInt8], Fault>? = await run {
            while true {
                var count = 0
                let bytes = [UInt8](unsafeUninitializedCapacity: bytesMax) { buffer, filled in
                    count = Glibc.read(0, buffer.baseAddress, bytesMax)
                    filled = max(0, count)
                }
                if count >= 0 { return .success(bytes) }
                switch errno {
                case EINTR: continue
                case EAGAIN: Self.wait(for: 0, POLLIN)
                // A closed standard input counts as empty.
                case EBADF: return .success([])
                case let number: return .failure(Fault(number: number))
                }
            }
        }
        return try result?.get()
    }

    /// - Returns: whether everything was written; `false` if the task was cancelled.
    func write(_ bytes: [UInt8]) async throws(Fault) -> Bool {
        let result: Result<Void, Fault>? = await run {
            var written = 0
            while written < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.write(1, $0.baseAddress?.advanced(by: written), bytes.count - written)
                }
                if count >= 0 {
                    written += count
                    continue
                }
                switch errno {
                case EINTR: continue
                case EAGAIN: Self.wait(for: 1, POLLOUT)
                case let number: return .failure(Fault(number: number))
                }
            }
            return .success(())
        }
        guard let result else { return false }
        try result.get()
        return true
    }

    /// Waits if another program has made the descriptor non-blocking.
    private static func wait(for descriptor: Int32, _ events: Int32) {
        var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        poll(&polled, 1, -1)
    }
}
