import Dispatch
import Glibc
import LatticeConcurrency
import Synchronization

/// Reads standard input on a thread of its own, one piece ahead of the reader.
// Safety: the buffer is lent to read(2) for the length of the call, with its true size.
final class StandardInput: Sendable {
    enum Chunk: Sendable {
        case bytes([UInt8])
        case end
        case woken

        fileprivate var isLast: Bool {
            switch self {
            case .bytes: false
            case .end, .woken: true
            }
        }
    }

    private struct State {
        var hasStarted = false
        var ahead: Chunk?
        var reader: CheckedContinuation<Chunk, Never>?
        /// The thread waits until `ahead` is taken.
        var isThreadWaiting = false
    }

    private static let chunkBytes = 64 << 10

    private let state = Mutex(State())
    private let taken = DispatchSemaphore(value: 0)
    private let wake: Int32

    /// - Parameter wake: a descriptor that ends the reading once it is readable.
    init(wake: Int32) {
        self.wake = wake
    }

    /// Waits for bytes, the end of input, or the wake-up. After either of these it returns the same again.
    func read() async -> Chunk {
        await withCheckedContinuation { continuation in
            let (chunk, starts, wakes) = state.withLock { state in
                let starts = !state.hasStarted
                state.hasStarted = true
                guard let chunk = state.ahead else {
                    precondition(state.reader == nil, "standard input has one reader at a time")
                    state.reader = continuation
                    return (Chunk?.none, starts, false)
                }
                if chunk.isLast { return (chunk, false, false) }
                state.ahead = nil
                defer { state.isThreadWaiting = false }
                return (chunk, starts, state.isThreadWaiting)
            }
            if starts { DedicatedThread.start { self.run() } }
            if wakes { taken.signal() }
            if let chunk { continuation.resume(returning: chunk) }
        }
    }

    private func run() {
        withUnsafeTemporaryAllocation(byteCount: Self.chunkBytes, alignment: 1) { buffer in
            while true {
                let chunk = next(into: buffer)
                while !pass(chunk) { taken.wait() }
                if chunk.isLast { return }
            }
        }
    }

    /// - Returns: `false` if the last chunk is not taken yet.
    private func pass(_ chunk: Chunk) -> Bool {
        let (isPassed, reader) = state.withLock { state in
            guard state.ahead == nil else {
                state.isThreadWaiting = true
                return (false, CheckedContinuation<Chunk, Never>?.none)
            }
            let reader = state.reader.take()
            if reader == nil || chunk.isLast { state.ahead = chunk }
            return (true, reader)
        }
        reader?.resume(returning: chunk)
        return isPassed
    }

    private func next(into buffer: UnsafeMutableRawBufferPointer) -> Chunk {
        while true {
            var polled = [
                pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 2, -1) > 0 else {
                if errno == EINTR { continue }
                return .end
            }
            if polled[1].revents != 0 { return .woken }
            let count = Glibc.read(0, buffer.baseAddress, buffer.count)
            if count > 0 { return .bytes(Array(buffer[..<count])) }
            if count == 0 { return .end }
            guard errno == EINTR || errno == EAGAIN else { return .end }
        }
    }
}
