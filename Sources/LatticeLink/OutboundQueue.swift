import LatticeWire
import Synchronization

/// Where a frame goes among those that wait for a link.
package enum SendLane: Sendable {
    /// After everything that waits; urgent ones may overtake it.
    case usual
    /// Before everything that waits, but after other urgent ones.
    case urgent
    /// After everything that waits, and nothing overtakes it: later frames are valid only after this one.
    case fence
}

/// Encoded frames queued for one link. Bounded in bytes and in frames; a full queue refuses and does not wait.
///
/// Pieces of files have a lane of their own, bulk, behind everything else, which is called speech. Limits, bytes and waits
/// are those of speech; bulk is limited by the number of pieces.
final class OutboundQueue: Sendable {
    enum Batch: Equatable, Sendable {
        case speech([[UInt8]])
        case piece(Piece)
    }

    struct Piece: Equatable, Sendable {
        let frame: [UInt8]
        /// Pieces that are still queued.
        let leftCount: Int
    }

    enum Rest: Sendable {
        case onlyPieces
        /// Finished and empty.
        case over
    }

    /// Full batches of speech that go before a piece when speech never ends.
    private static let batchesPerPiece = 8
    /// Bytes of datagrams that go before a piece when they never end: twice as many as a piece has.
    static let datagramBytesPerPiece = 4 * DatagramQueue.turnBytes

    private struct State {
        var frames: [[UInt8]] = []
        /// How many of these no urgent frame overtakes.
        var aheadCount = 0
        var bytes = 0
        /// The bulk lane; empty once finished.
        var pieces: [[UInt8]] = []
        var datagrams = DatagramQueue()
        /// Datagrams that the end has dropped.
        var endedDatagrams = 0
        /// How many frames of speech end with the last fence, which datagrams do not overtake.
        var fencedCount = 0
        /// Speech taken since the last piece, while pieces wait.
        var bytesSincePiece = 0
        /// Likewise of datagrams.
        var datagramBytesSincePiece = 0
        var isFinished = false
        /// Called when a lane is no longer empty, or the queue is finished.
        var onFirst: (@Sendable () -> Void)?
        var writers: [(bytes: Int, work: @Sendable () -> Void)] = []

        mutating func add(_ frame: [UInt8], _ lane: SendLane) {
            switch lane {
            case .usual: frames.append(frame)
            case .urgent:
                frames.insert(frame, at: aheadCount)
                aheadCount += 1
            case .fence:
                frames.append(frame)
                aheadCount = frames.count
                fencedCount = frames.count
            }
        }

        mutating func takePiece() -> Piece? {
            guard !pieces.isEmpty else { return nil }
            (bytesSincePiece, datagramBytesSincePiece) = (0, 0)
            let frame = pieces.removeFirst()
            return Piece(frame: frame, leftCount: pieces.count)
        }

        /// Removes and returns the work of waiters whose condition now holds.
        mutating func takeWriters() -> [@Sendable () -> Void] {
            guard !writers.isEmpty else { return [] }
            let ready = writers.filter { isFinished || bytes <= $0.bytes }.map(\.work)
            if !ready.isEmpty { writers.removeAll { isFinished || bytes <= $0.bytes } }
            return ready
        }
    }

    private let state = Mutex(State())
    private let bytesMax: Int
    private let framesMax: Int
    private let batchBytesMax: Int
    private let piecesMax: Int

    init(bytesMax: Int, framesMax: Int, batchBytesMax: Int, piecesMax: Int) {
        self.bytesMax = bytesMax
        self.framesMax = framesMax
        self.batchBytesMax = batchBytesMax
        self.piecesMax = piecesMax
    }

    /// Bytes of speech.
    var waitingBytes: Int { state.withLock { $0.bytes } }

    /// - Parameter work: called when a lane is no longer empty or the queue is finished, on the thread that caused it.
    func onFirst(_ work: @escaping @Sendable () -> Void) {
        let isWaiting = state.withLock { state in
            state.onFirst = work
            return !state.frames.isEmpty || !state.pieces.isEmpty || !state.datagrams.isEmpty || state.isFinished
        }
        if isWaiting { work() }
    }

    /// The connection is over: no more calls.
    func forget() {
        state.withLock { $0.onFirst = nil }
    }

    /// - Returns: `false` if it is full or finished; the frame is then dropped.
    func push(_ frame: [UInt8], _ lane: SendLane = .usual) -> Bool {
        let (isKept, work) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard !state.isFinished, state.bytes + Self.cost(frame) <= bytesMax, state.frames.count < framesMax else {
                return (false, nil)
            }
            state.add(frame, lane)
            state.bytes += Self.cost(frame)
            return (true, state.frames.count == 1 ? state.onFirst : nil)
        }
        work?()
        return isKept
    }

    /// Queues a piece in the bulk lane.
    ///
    /// - Returns: `false` if the lane is full or the queue is finished; the piece is then dropped.
    func pushPiece(_ frame: [UInt8]) -> Bool {
        let (isKept, work) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard !state.isFinished, state.pieces.count < piecesMax else { return (false, nil) }
            state.pieces.append(frame)
            return (true, state.pieces.count == 1 ? state.onFirst : nil)
        }
        work?()
        return isKept
    }

    /// Queues a datagram.
    ///
    /// - Returns: how many were dropped for it, which may be this one; `nil` if the queue is finished.
    func pushDatagram(_ frame: DatagramFrame, from source: DatagramSource, at now: ContinuousClock.Instant) -> Int? {
        let (dropped, work) = state.withLock { state -> (Int?, (@Sendable () -> Void)?) in
            guard !state.isFinished else { return (nil, nil) }
            let isFirst = state.datagrams.isEmpty
            return (state.datagrams.push(frame, from: source, at: now), isFirst ? state.onFirst : nil)
        }
        work?()
        return dropped
    }

    /// Whether a datagram may go before all speech that is queued.
    var hasDatagrams: Bool { state.withLock { !$0.datagrams.isEmpty && $0.fencedCount == 0 } }

    func takeDatagrams(at now: ContinuousClock.Instant) -> (frames: [[UInt8]], DatagramTally) {
        state.withLock { state in
            let (frames, tally) = state.datagrams.take(at: now)
            if !state.pieces.isEmpty { state.datagramBytesSincePiece += frames.reduce(0) { $0 + $1.count } }
            return (frames, tally)
        }
    }

    /// - Returns: how many datagrams the end has dropped since the last call.
    func takeEndedDatagrams() -> Int {
        state.withLock { state in
            defer { state.endedDatagrams = 0 }
            return state.endedDatagrams
        }
    }

    /// Refuses more frames and drops pieces and datagrams; `last` is sent after all queued speech, however full the queue is.
    func finish(last: [UInt8]? = nil) {
        let (waiting, work) = state.withLock { state -> ([@Sendable () -> Void], (@Sendable () -> Void)?) in
            guard !state.isFinished else { return ([], nil) }
            state.isFinished = true
            state.pieces = []
            state.endedDatagrams = state.datagrams.removeAll()
            if let last {
                state.frames.append(last)
                state.bytes += Self.cost(last)
            }
            return (state.takeWriters(), state.onFirst)
        }
        for writer in waiting { writer() }
        work?()
    }

    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// What is queued; `nil` if there is speech, or nothing yet.
    var rest: Rest? {
        state.withLock { state in
            guard state.frames.isEmpty else { return nil }
            if state.isFinished { return .over }
            return state.pieces.isEmpty ? nil : .onlyPieces
        }
    }

    /// Returns when at most `bytes` bytes are queued, or the queue is finished.
    func drained(below bytes: Int) async {
        await withCheckedContinuation { continuation in
            whenDrained(below: bytes) { continuation.resume() }
        }
    }

    /// Calls `work` once, when at most `bytes` bytes are queued or the queue is finished, on the thread that caused that.
    func whenDrained(below bytes: Int, _ work: @escaping @Sendable () -> Void) {
        let isReady = state.withLock { state in
            if state.isFinished || state.bytes <= bytes { return true }
            state.writers.append((bytes, work))
            return false
        }
        if isReady { work() }
    }

    /// Takes queued speech, about `batchBytesMax` bytes at a time, and a piece after the bytes of eight full batches, or of four
    /// turns of datagrams, so that neither stops files.
    ///
    /// - Returns: `nil` if no speech is queued and no piece is due.
    func take() -> Batch? {
        let (batch, writers) = state.withLock { state in
            let batch = takeBatch(&state)
            return (batch, state.takeWriters())
        }
        for writer in writers { writer() }
        return batch
    }

    /// Takes a piece whether or not speech is queued.
    func takePiece() -> Piece? {
        state.withLock { $0.takePiece() }
    }

    /// Ends all waits in `drained`.
    func releaseWriters() {
        let waiting = state.withLock { state in
            defer { state.writers = [] }
            return state.writers.map(\.work)
        }
        for writer in waiting { writer() }
    }

    private func takeBatch(_ state: inout State) -> Batch? {
        if state.datagramBytesSincePiece >= Self.datagramBytesPerPiece, let piece = state.takePiece() {
            return .piece(piece)
        }
        guard !state.frames.isEmpty else { return nil }
        guard !state.pieces.isEmpty else { return .speech(takeSpeech(&state)) }
        // Bytes are counted, not batches: eight short lines would put one more piece before the ninth.
        if state.bytesSincePiece >= Self.batchesPerPiece * batchBytesMax, let piece = state.takePiece() {
            return .piece(piece)
        }
        let bytes = state.bytes
        let speech = takeSpeech(&state)
        state.bytesSincePiece += bytes - state.bytes
        return .speech(speech)
    }

    private func takeSpeech(_ state: inout State) -> [[UInt8]] {
        if state.bytes <= batchBytesMax {
            defer {
                state.frames = []
                state.aheadCount = 0
                state.fencedCount = 0
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
        state.aheadCount = max(0, state.aheadCount - count)
        state.fencedCount = max(0, state.fencedCount - count)
        state.bytes -= batch.reduce(0) { $0 + Self.cost($1) }
        return batch
    }

    /// Its bytes plus the overhead of the heap and the array, so that many short frames are counted as what they
    /// occupy.
    private static func cost(_ frame: [UInt8]) -> Int {
        frame.count + 48
    }
}
