import Dispatch
import Glibc
import LatticeControl
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
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
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
            var result: Result<Int, Fault> = .success(0)
            let bytes = [UInt8](unsafeUninitializedCapacity: bytesMax) { buffer, filled in
                result = Self.read(into: UnsafeMutableRawBufferPointer(buffer))
                if case .success(let count) = result { filled = count }
            }
            return result.map { _ in bytes }
        }
        return try result?.get()
    }

    /// - Returns: whether everything was written; `false` if the task was cancelled.
    func write(_ bytes: [UInt8]) async throws(Fault) -> Bool {
        let result: Result<Void, Fault>? = await run { bytes.withUnsafeBytes { Self.write($0) } }
        guard let result else { return false }
        try result.get()
        return true
    }

    /// Sends all of standard input, and its end. A connection that breaks ends it as well.
    ///
    /// - Returns: `false` if the task was cancelled.
    func copy(to socket: StreamSocket) async throws(Fault) -> Bool {
        let result: Result<Void, Fault>? = await run {
            Self.withBuffer { buffer in
                while true {
                    switch Self.read(into: buffer) {
                    case .success(0):
                        socket.finishSending()
                        return .success(())
                    case .success(let count):
                        guard socket.send(UnsafeRawBufferPointer(rebasing: buffer[..<count])) == nil else {
                            return .success(())
                        }
                    case .failure(let fault): return .failure(fault)
                    }
                }
            }
        }
        guard let result else { return false }
        try result.get()
        return true
    }

    /// Writes everything that arrives to standard output, until the connection ends.
    ///
    /// - Returns: `false` if the task was cancelled.
    func copy(from socket: StreamSocket) async throws(Fault) -> Bool {
        let result: Result<Void, Fault>? = await run {
            Self.withBuffer { buffer in
                while true {
                    let count = socket.receive(into: buffer)
                    guard count > 0 else { return .success(()) }
                    let written = Self.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    if case .failure = written { return written }
                }
            }
        }
        guard let result else { return false }
        try result.get()
        return true
    }

    /// About as much as a Unix socket holds.
    private static let bufferBytes = 256 << 10

    private static func withBuffer<Value>(_ body: (UnsafeMutableRawBufferPointer) -> Value) -> Value {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferBytes, alignment: 4_096)
        defer { buffer.deallocate() }
        return body(buffer)
    }

    /// - Returns: how many bytes were read; 0 at the end.
    private static func read(into buffer: UnsafeMutableRawBufferPointer) -> Result<Int, Fault> {
        while true {
            let count = Glibc.read(0, buffer.baseAddress, buffer.count)
            if count >= 0 { return .success(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: wait(for: 0, POLLIN)
            // A closed standard input counts as empty.
            case EBADF: return .success(0)
            case let number: return .failure(Fault(number: number))
            }
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer) -> Result<Void, Fault> {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(1, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: wait(for: 1, POLLOUT)
            case let number: return .failure(Fault(number: number))
            }
        }
        return .success(())
    }

    /// Waits if another program has made the descriptor non-blocking.
    private static func wait(for descriptor: Int32, _ events: Int32) {
        var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        poll(&polled, 1, -1)
    }
}
