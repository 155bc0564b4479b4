package import LatticeAPI
import LatticeConcurrency
package import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire
import Synchronization

/// Byte streams between the programs of two peers, over `DataExchange`: sealed end to end, with a beginning and an end, and
/// backpressure from slow readers. A stream survives a change of route, but not a restart of either node.
package final class StreamExchange: Sendable {
    struct State {
        var table = StreamTable()
        /// Counts all changes: a waiter that has looked looks again if there was one meanwhile.
        var version: UInt64 = 0
        var waiters: [Int: [CheckedContinuation<Void, Never>]] = [:]
        /// One for each peer with a writer, raised when there is something to write.
        var pumps: [PeerID: Signal] = [:]
        var attached: [Int: Attached] = [:]
        var isReading = false
        var onKeyed: (@Sendable (PeerID) -> Void)?
    }

    private enum Job: Sendable {
        case read(ReceivedData)
        case write(PeerID, Signal)
    }

    private let data: DataExchange
    private let session: SessionIdentity
    private let face: PublicFace
    var me: PeerID { session.peer }
    let state = Mutex(State())
    private let jobs: AsyncStream<Job>
    private let jobInput: AsyncStream<Job>.Continuation
    /// Raised when there may be something to time.
    private let timing = Signal()

    init(data: DataExchange, session: SessionIdentity, face: PublicFace) {
        (self.data, self.session, self.face) = (data, session, face)
        // At most one for each peer.
        (jobs, jobInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(4 * StreamLimit.peersMax))
    }

    /// Sends and receives messages until its task is cancelled.
    ///
    /// - Parameter executor: runs what handles messages; the node's own, as a change of threads costs more than a seal.
    func run(on executor: any TaskExecutor) async {
        data.onEnd { [weak self] peer, error in self?.interrupted(peer, error) }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watchTime() }
            for await job in jobs {
                switch job {
                case .read(let received):
                    group.addTask(executorPreference: executor) { await self.read(received) }
                case .write(let peer, let pump):
                    group.addTask(executorPreference: executor) { await self.write(to: peer, pump) }
                }
            }
            group.cancelAll()
        }
    }

    // MARK: - For programs

    /// - Parameter patience: how long to retry if the peer is away or not listening.
    func open(_ peer: PeerID, for label: StreamLabel, patience: Duration) async throws(RequestError) -> StreamInfo {
        let deadline = Clocks.now.advanced(by: patience)
        while true {
            do {
                return try await openOnce(peer, for: label)
            } catch {
                let isOver = Clocks.now.advanced(by: StreamLimit.retryInterval) > deadline
                guard error.code.mayPass, !isOver, !Task.isCancelled else { throw error }
            }
            do {
                try await Task.sleep(for: StreamLimit.retryInterval)
            } catch {
                throw .stopped(why: .cancelled)
            }
        }
    }

    private func openOnce(_ peer: PeerID, for label: StreamLabel) async throws(RequestError) -> StreamInfo {
        try startReading()
        let cipher = cipher(.initiator, with: peer)
        let key = StreamKey(peer: peer, stream: SecureRandom.word())
        let now = Clocks.now
        guard let number = change({ $0.open(key, for: label, cipher, at: now, into: &$1) }) else {
            throw state.withLock(\.table.isStopped) ? .init(StreamFault(end: .stopped)) : .streamsFull
        }
        while true {
            let (answer, version) = look { $0.isOpen(number) }
            switch answer {
            case .success: return StreamInfo(stream: number, peer: peer, label: label)
            case .failure(let fault): throw RequestError(fault)
            case .none: await pause(number, since: version)
            }
            guard !Task.isCancelled else {
                change { $0.reset(number, .ended, into: &$1) }
                throw .stopped(why: .cancelled)
            }
        }
    }

    /// Waits for a stream of this label to be opened.
    ///
    /// - Parameters:
    ///   - label: `nil` is any that nobody else listens for, but those that begin with `lattice.`.
    ///   - peer: the peer to wait for; `nil` is anybody.
    package func listen(for label: StreamLabel?, from peer: PeerID?) async throws(RequestError) -> StreamInfo {
        try startReading()
        guard let listener = change({ table, _ in table.listen(for: label, from: peer) }) else {
            throw label.map { .stream(fault: .labelTaken(label: $0)) } ?? .streamsFull
        }
        while true {
            let (came, version) = look { $0.came(listener) }
            if let came { return came }
            await pause(listener, since: version)
            let isOver = state.withLock(\.table.isStopped)
            guard !Task.isCancelled, !isOver else {
                change { $0.stopListening(listener, into: &$1) }
                throw isOver ? .init(StreamFault(end: .stopped)) : .stopped(why: .cancelled)
            }
        }
    }

    /// Returns when there was space for it, which is before it arrives.
    package func send(_ bytes: [UInt8], on number: Int) async throws(RequestError) {
        guard bytes.count <= SendBytes.bytesMax else {
            throw .stream(fault: .tooLarge(bytes: bytes.count, max: SendBytes.bytesMax))
        }
        guard !bytes.isEmpty else { return }
        try checkFree(number, for: \.isSending)
        try await wait(for: number) { (table, effects) throws(StreamFault) in
            try table.send(on: number, into: &effects) { $0 += bytes } ? () : nil
        }
    }

    /// Returns when the other side's program has taken everything. What a connection sends comes first.
    package func finish(_ number: Int) async throws(RequestError) {
        try await waitForConnection(of: number)
        try await wait(for: number) { (table, effects) throws(StreamFault) in
            try table.finish(number, into: &effects) ? () : nil
        }
    }

    /// Each call confirms that what was read before has been processed.
    package func receive(_ number: Int) async throws(RequestError) -> (bytes: [UInt8], isEnd: Bool) {
        try checkFree(number, for: \.isReceiving)
        change { $0.confirmRead(number, into: &$1) }
        let now = Clocks.now
        return try await wait(for: number) { (table, effects) throws(StreamFault) in
            try table.read(number, atMost: SendBytes.bytesMax, at: now, into: &effects)
        }
    }

    /// Ends all streams and notifies the other sides, which may take half a second.
    func stop() async {
        let peers = state.withLock(\.table.peers)
        change { $0.stop(into: &$1) }
        guard !peers.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for peer in peers { await self.flush(to: peer) }
            }
            group.addTask {
                do {
                    try await Task.sleep(for: StreamLimit.farewellTimeout)
                } catch {
                    // All have received it.
                }
                // Peers that do not answer must not delay the stop.
                self.data.giveUp(to: peers)
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func flush(to peer: PeerID) async {
        do {
            while let message = next(for: peer) { try await data.send(message, to: peer) }
            try await data.flush(to: peer)
        } catch {
            // It is gone, or never existed.
        }
    }

    // MARK: - Looking and waiting

    private func wait<Value>(
        for number: Int, until look: (inout StreamTable, inout [StreamEffect]) throws(StreamFault) -> Value?
    ) async throws(RequestError) -> Value {
        while true {
            var result: Result<Value?, StreamFault> = .success(nil)
            let version = changeNoting { table, effects in
                do throws(StreamFault) {
                    result = .success(try look(&table, &effects))
                } catch {
                    result = .failure(error)
                }
            }
            switch result {
            case .success(let value?): return value
            case .failure(let fault): throw RequestError(fault)
            case .success(nil): await pause(number, since: version)
            }
            guard !Task.isCancelled else { throw .stopped(why: .cancelled) }
        }
    }

    /// Returns when no connection sends bytes of this stream.
    private func waitForConnection(of number: Int) async throws(RequestError) {
        while true {
            let (isSending, version) = state.withLock { ($0.attached[number]?.isSending == true, $0.version) }
            guard isSending else { return }
            await pause(number, since: version)
            guard !Task.isCancelled else { throw .stopped(why: .cancelled) }
        }
    }

    private func look<Value>(_ question: (inout StreamTable) -> Value) -> (Value, version: UInt64) {
        state.withLock { (question(&$0.table), $0.version) }
    }

    @discardableResult
    func change<Value>(_ body: (inout StreamTable, inout [StreamEffect]) -> Value) -> Value {
        var effects: [StreamEffect] = []
        let value = state.withLock { state in
            state.version += 1
            return body(&state.table, &effects)
        }
        carryOut(effects)
        return value
    }

    /// - Returns: the version after this change.
    func changeNoting(_ body: (inout StreamTable, inout [StreamEffect]) -> Void) -> UInt64 {
        var effects: [StreamEffect] = []
        let version = state.withLock { state in
            body(&state.table, &effects)
            if !effects.isEmpty { state.version += 1 }
            return state.version
        }
        carryOut(effects)
        return version
    }

    private func pause(_ number: Int, since version: UInt64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    guard state.version == version, !Task.isCancelled else { return true }
                    state.waiters[number, default: []].append(continuation)
                    return false
                }
                if isLate { continuation.resume() }
            }
        } onCancel: {
            carryOut([.wake(number)])
        }
    }

    private func carryOut(_ effects: [StreamEffect]) {
        guard !effects.isEmpty else { return }
        var woken: [CheckedContinuation<Void, Never>] = []
        var news: [@Sendable () -> Void] = []
        state.withLock { state in
            for effect in effects {
                switch effect {
                case .wake(let number):
                    if let attached = state.attached[number] { news.append(attached.onNews) }
                    woken += state.waiters.removeValue(forKey: number) ?? []
                case .write(let peer): signal(peer, &state)
                case .keyed(let peer):
                    if let onKeyed = state.onKeyed { news.append { onKeyed(peer) } }
                }
            }
        }
        for waiter in woken { waiter.resume() }
        for call in news { call() }
        timing.raise()
    }

    private func signal(_ peer: PeerID, _ state: inout State) {
        if let pump = state.pumps[peer] {
            pump.raise()
            return
        }
        let pump = Signal()
        pump.raise()
        state.pumps[peer] = pump
        jobInput.yield(.write(peer, pump))
    }

    // MARK: - Carrying

    /// Other peers see no program that receives data until one here wants a stream.
    private func startReading() throws(RequestError) {
        let isFirst = state.withLock { state in
            defer { state.isReading = true }
            return !state.isReading
        }
        guard isFirst else { return }
        do {
            jobInput.yield(.read(try data.received()))
        } catch {
            state.withLock { $0.isReading = false }
            throw RequestError(error)
        }
    }

    private func read(_ received: ReceivedData) async {
        let makeCipher: StreamTable.CipherMaker = { self.cipher(.responder, with: $0) }
        for await element in received {
            do {
                guard let message = try StreamMessage.decode(element.slice) else { continue }
                let now = Clocks.now
                change { $0.heard(message, from: element.from, at: now, makeCipher: makeCipher, into: &$1) }
            } catch {
                // Another program's data, or a stranger's fault, which affects no stream.
            }
        }
    }

    private func write(to peer: PeerID, _ pump: Signal) async {
        while !Task.isCancelled {
            await pump.wait()
            guard state.withLock({ $0.pumps[peer] === pump }) else { return }
            while !Task.isCancelled, let message = next(for: peer) {
                do {
                    try await data.send(message, to: peer)
                } catch {
                    interrupted(peer, error)
                }
            }
        }
    }

    /// - Returns: the next message, encoded.
    private func next(for peer: PeerID) -> [UInt8]? {
        let now = Clocks.now
        var effects: [StreamEffect] = []
        let message = state.withLock { $0.table.next(for: peer, at: now, into: &effects) }
        carryOut(effects)
        return message
    }

    private func interrupted(_ peer: PeerID, _ error: DataError) {
        let now = Clocks.now
        change { $0.interrupted(peer, error, at: now, into: &$1) }
    }

    private func cipher(_ role: Handshake.Role, with peer: PeerID) -> StreamCipher {
        StreamCipher(role, with: peer, me: session, introduction: face.introduction())
    }

    /// Ticks while there is anything to time.
    private func watchTime() async {
        while !Task.isCancelled {
            await timing.wait()
            while state.withLock(\.table.isActive) {
                do {
                    try await Task.sleep(for: StreamLimit.tickInterval)
                } catch {
                    return
                }
                let now = Clocks.now
                change { $0.tick(at: now, into: &$1) }
                dismissWriters()
            }
        }
    }

    private func dismissWriters() {
        state.withLock { state in
            let peers = Set(state.table.peers)
            for (peer, pump) in state.pumps where !peers.contains(peer) {
                state.pumps[peer] = nil
                pump.raise()
            }
        }
    }
}
