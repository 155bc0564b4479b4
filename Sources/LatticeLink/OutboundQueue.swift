import Synchronization

/// Encoded frames that wait for one link's writer. Bounded in bytes and in frames; a full queue answers and does not wait.
final class OutboundQueue: Sendable {
    private struct State {
        var frames: [[UInt8]] = []
        var bytes = 0
        var isFinished = false
        var reader: CheckedContinuation<Void, Never>?
        var writers: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Those who wait for less to be waiting, as far as it now is.
        mutating func takeWriters() -> [CheckedContinuation<Void, Never>] {
            let ready = writers.filter { isFinished || bytes <= $0.bytes }.map(\.continuation)
            if !ready.isEmpty { writers.removeAll { isFinished || bytes <= $0.bytes } }
            return ready
        }
    }

    private let state = Mutex(State())
    private let bytesMax: Int
    private let framesMax: Int
    private let batchBytesMax: Int

    init(bytesMax: Int, framesMax: Int, batchBytesMax: Int) {
        self.bytesMax = bytesMax
        self.framesMax = framesMax
        self.batchBytesMax = batchBytesMax
    }

    var waitingBytes: Int { state.withLock { $0.bytes } }

    /// - Returns: `false` if it is full or finished; the frame is not kept then.
    func push(_ frame: [UInt8]) -> Bool {
        let (isKept, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !state.isFinished, state.bytes + Self.cost(frame) <= bytesMax, state.frames.count < framesMax else {
                return (false, nil)
            }
            state.frames.append(frame)
            state.bytes += Self.cost(frame)
            defer { state.reader = nil }
            return (true, state.reader)
        }
        reader?.resume()
        return isKept
    }

    /// Takes nothing more; `last` goes out after everything that waits, however full the queue is.
    func finish(last: [UInt8]? = nil) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard !state.isFinished else { return [] }
            state.isFinished = true
            if let last {
                state.frames.append(last)
                state.bytes += Self.cost(last)
            }
            defer { state.reader = nil }
            return state.takeWriters() + [state.reader].compactMap(\.self)
        }
        for continuation in waiting { continuation.resume() }
    }

    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Returns when at most `bytes` bytes wait, or nothing will be taken any more.
    func drained(below bytes: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.isFinished || state.bytes <= bytes { return true }
                state.writers.append((bytes, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// The frames that wait, about `batchBytesMax` of them at a time.
    ///
    /// - Returns: `nil` once it is finished and empty.
    func next() async -> [[UInt8]]? {
        while true {
            let (batch, writers) = state.withLock { state in
                let batch = takeBatch(&state)
                return (batch, state.takeWriters())
            }
            for continuation in writers { continuation.resume() }
            if let batch { return batch.isEmpty ? nil : batch }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if !state.frames.isEmpty || state.isFinished { return true }
                    precondition(state.reader == nil, "a queue has one reader")
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    /// Whoever waits in `drained` waits no longer.
    func releaseWriters() {
        let waiting = state.withLock { state in
            defer { state.writers = [] }
            return state.writers.map(\.continuation)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// - Returns: `nil` when there is nothing yet, an empty batch when there never will be.
    private func takeBatch(_ state: inout State) -> [[UInt8]]? {
        guard !state.frames.isEmpty else { return state.isFinished ? [] : nil }
        if state.bytes <= batchBytesMax {
            defer {
                state.frames = []
                state.bytes = 0
            }
            return state.frames
        }
        var size = 0
        let count = state.frames.prefix { frame in
            defer { size += Self.cost(frame) }
            return size < batchBytesMax
        }.count
        let batch = Array(state.frames.prefix(count))
        state.frames.removeFirst(count)
        state.bytes -= batch.reduce(0) { $0 + Self.cost($1) }
        return batch
    }

    /// Its bytes, and the header that the heap and the array put before them: many short frames weigh what they take.
    private static func cost(_ frame: [UInt8]) -> Int {
        frame.count + 48
    }
}
