package import LatticeCore
import LatticeMesh
import LatticeWire
import Synchronization

/// Bytes between the programs of two peers, like `send` of MultipeerConnectivity: whole messages, in order, exactly once,
/// encrypted on every link, never stored. A neighbour gets them over its link, which proves the sender. Other peers get them
/// through relays, which can read them.
///
/// Outgoing data waits here for the mesh, at most 256 KiB for each peer. Incoming data waits here for a reader, at most 512 KiB
/// from each of 32 peers.
package final class DataExchange: Sendable {
    /// A struct, because a bare closure that is changed in place is wrapped again at each access.
    private struct Caller: Sendable {
        let call: @Sendable () -> Void
    }

    /// What may be lost.
    package let datagrams = DatagramExchange()
    private let caller = Mutex<Caller?>(nil)
    private struct Mourner: Sendable {
        let call: @Sendable (PeerID, DataError) -> Void
    }

    private let mourner = Mutex<Mourner?>(nil)
    private let lanes = Mutex(DataLanes())
    private let inbox = Mutex(DataInbox())

    /// - Parameter work: schedules the node to act on the news, on its own thread.
    func onNews(_ work: @escaping @Sendable () -> Void) {
        caller.withLock { $0 = Caller(call: work) }
        work()
    }

    /// - Parameter work: called at once, on the node's thread, when the data last sent to a peer may be lost.
    func onEnd(_ work: @escaping @Sendable (PeerID, DataError) -> Void) {
        mourner.withLock { $0 = Mourner(call: work) }
    }

    private func notifyNode() {
        caller.withLock { $0 }?.call()
    }

    // MARK: - For programs

    /// Queues a message. Returns when the queue has space, which is before the message arrives.
    ///
    /// - Parameter message: 0–60,000 bytes.
    /// - Throws: also what happened to earlier messages to this peer; each such error is thrown once.
    nonisolated(nonsending) package func send(_ message: [UInt8], to peer: PeerID) async throws(DataError) {
        guard message.count <= DataMessages.messageBytesMax else { throw .tooLong(bytes: message.count) }
        while true {
            switch lanes.withLock({ $0.put(message, for: peer) }) {
            case .taken(isFirst: true):
                notifyNode()
                return
            case .taken(isFirst: false): return
            case .full: await waitForRoom(to: peer)
            case .ended(let error): throw error
            }
        }
    }

    /// Queues a message for each of these peers.
    nonisolated(nonsending) package func send(_ message: [UInt8], to peers: [PeerID]) async throws(DataError) {
        for peer in peers { try await send(message, to: peer) }
    }

    /// Returns when everything sent to this peer has arrived.
    nonisolated(nonsending) package func flush(to peer: PeerID) async throws(DataError) {
        let error = await withCheckedContinuation { continuation in
            let now = lanes.withLock { $0.flush(peer, continuation) }
            if let now { continuation.resume(returning: now) } else { notifyNode() }
        }
        if let error = error.error { throw error }
    }

    /// What peers send from now on. Without a reader they learn that nobody receives data.
    ///
    /// - Throws: `hasReader` while another sequence lives.
    package func received() throws(DataError) -> ReceivedData {
        guard inbox.withLock({ $0.open() }) else { throw .hasReader }
        notifyNode()
        return ReceivedData(Reading(exchange: self))
    }

    nonisolated(nonsending) private func waitForRoom(to peer: PeerID) async {
        await withCheckedContinuation { continuation in
            let mustWait = lanes.withLock { $0.waitForRoom(to: peer, continuation) }
            if mustWait { notifyNode() } else { continuation.resume() }
        }
    }

    /// Lives as long as the sequence that `received` returned.
    final class Reading: Sendable {
        let exchange: DataExchange

        init(exchange: DataExchange) {
            self.exchange = exchange
        }

        deinit {
            exchange.inbox.withLock { $0.close() }
            exchange.notifyNode()
        }
    }

    // MARK: - For what reads

    nonisolated(nonsending) func nextPart() async -> (DataOrigin, DataMessages)? {
        while true {
            let (part, isOver) = inbox.withLock { ($0.take(), $0.isFinished) }
            if part != nil || isOver { return part }
            await withCheckedContinuation { continuation in
                let mustWait = inbox.withLock { $0.waitForPart(continuation) }
                if !mustWait { continuation.resume() }
            }
        }
    }

    func wasRead(_ bytes: Int, from origin: DataOrigin) {
        if inbox.withLock({ $0.wasRead(bytes, from: origin) }) { notifyNode() }
    }

    // MARK: - For the node

    /// Whether anybody reads, if that has changed, and what was read.
    func readerNews() -> [MeshEvent] {
        let (read, isReading) = inbox.withLock { $0.news() }
        return (isReading.map { [.data(.readingChanged($0))] } ?? [])
            + read.map { .data(.read($0.0, bytes: $0.bytes)) }
    }

    /// Peers for whom programs have new messages.
    func waiting() -> [PeerID] {
        lanes.withLock { $0.waiting() }
    }

    func isWaiting(for peer: PeerID) -> Bool {
        lanes.withLock { $0.isWaiting(for: peer) }
    }

    /// - Returns: the next messages for this peer, unless they are longer than `bytes`.
    func take(for peer: PeerID, atMost bytes: Int) -> DataMessages? {
        let (messages, writers) = lanes.withLock { $0.take(for: peer, atMost: bytes) }
        for writer in writers { writer.resume() }
        return messages
    }

    func came(_ messages: DataMessages, from origin: DataOrigin) {
        inbox.withLock { $0.came(messages, from: origin) }?.resume()
    }

    func confirmed(to peer: PeerID) {
        for waiter in lanes.withLock({ $0.confirmed(to: peer) }) { waiter.resume(returning: .none) }
    }

    func ended(_ peer: PeerID, _ end: DataEnd) {
        lanes.withLock { $0.ended(peer, DataError(end)) }.resume(DataError(end))
        mourner.withLock { $0 }?.call(peer, DataError(end))
    }

    /// Stops waiting for these peers to receive.
    func giveUp(to peers: [PeerID]) {
        for peer in peers { lanes.withLock { $0.ended(peer, .stopped) }.resume(.stopped) }
    }

    func finish() {
        lanes.withLock { $0.finish() }.resume(.stopped)
        inbox.withLock { $0.finish() }?.resume()
        caller.withLock { $0 = nil }
        mourner.withLock { $0 = nil }
        datagrams.finish()
    }
}

/// Data from peers, one message after another.
package struct ReceivedData: AsyncSequence, Sendable {
    package struct Element: Sendable {
        /// The message, within those that came with it.
        let slice: ArraySlice<UInt8>
        package var bytes: [UInt8] { Array(slice) }
        package let from: PeerID
        /// Relayed by other peers, which alone vouch for the sender.
        package let isRouted: Bool
    }

    private let reading: DataExchange.Reading

    init(_ reading: DataExchange.Reading) {
        self.reading = reading
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(reading)
    }

    package struct Iterator: AsyncIteratorProtocol {
        private let reading: DataExchange.Reading
        private var part: (origin: DataOrigin, messages: DataMessages)?
        private var position = 0

        init(_ reading: DataExchange.Reading) {
            self.reading = reading
        }

        /// - Returns: `nil` once the node has ended.
        // Runs on the caller's executor: data that is already here costs no switch.
        nonisolated(nonsending) package mutating func next() async -> Element? {
            while true {
                if let part, let slice = part.messages.message(at: &position) {
                    return Element(slice: slice, from: part.origin.peer, isRouted: part.origin.isRouted)
                }
                if let part { reading.exchange.wasRead(part.messages.bytes.count, from: part.origin) }
                part = await reading.exchange.nextPart()
                position = 0
                if part == nil { return nil }
            }
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await next()
        }
    }
}
