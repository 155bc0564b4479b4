package import LatticeCore
import LatticeMesh
import LatticeWire
import Synchronization

/// Bytes between the programs of two peers, as `send` of MultipeerConnectivity: whole messages, in order, each once, encrypted on
/// every link, kept by nobody. To a neighbour they go over the link, which proves who sends them; to others over
/// those between, who could read them.
///
/// What programs give waits here for the mesh, 256 KiB for each peer at most, and what came waits here to be read, 512 KiB
/// from each of 32 peers at most.
package final class DataExchange: Sendable {
    /// A value of its own: a bare closure that is changed in place is wrapped once more each time it is looked at.
    private struct Caller: Sendable {
        let call: @Sendable () -> Void
    }

    /// What a node has to see to.
    struct News {
        var waiting: [PeerID] = []
        var read: [(DataOrigin, bytes: Int)] = []
        var isReading: Bool?
    }

    private let caller = Mutex<Caller?>(nil)
    private struct Mourner: Sendable {
        let call: @Sendable (PeerID, DataError) -> Void
    }

    private let mourner = Mutex<Mourner?>(nil)
    private let lanes = Mutex(DataLanes())
    private let inbox = Mutex(DataInbox())

    /// - Parameter work: sees to the news, soon and on the node's own thread.
    func onNews(_ work: @escaping @Sendable () -> Void) {
        caller.withLock { $0 = Caller(call: work) }
        work()
    }

    /// - Parameter work: hears at once, on the node's own thread, that what was sent to a peer last may not come.
    func onEnd(_ work: @escaping @Sendable (PeerID, DataError) -> Void) {
        mourner.withLock { $0 = Mourner(call: work) }
    }

    private func tellNode() {
        caller.withLock { $0 }?.call()
    }

    // MARK: - For programs

    /// Hands a message over; returns when there is room for it, which is before it has come.
    ///
    /// - Parameter message: 0–60,000 bytes.
    /// - Throws: what became of earlier messages to this peer, too, once.
    nonisolated(nonsending) package func send(_ message: [UInt8], to peer: PeerID) async throws(DataError) {
        guard message.count <= DataMessages.messageBytesMax else { throw .tooLong(bytes: message.count) }
        while true {
            switch lanes.withLock({ $0.put(message, for: peer) }) {
            case .taken(isFirst: true):
                tellNode()
                return
            case .taken(isFirst: false): return
            case .full: await waitForRoom(to: peer)
            case .ended(let error): throw error
            }
        }
    }

    /// Hands a message over for each of these peers.
    nonisolated(nonsending) package func send(_ message: [UInt8], to peers: [PeerID]) async throws(DataError) {
        for peer in peers { try await send(message, to: peer) }
    }

    /// Returns when all that was sent to this peer has come there.
    nonisolated(nonsending) package func flush(to peer: PeerID) async throws(DataError) {
        let error = await withCheckedContinuation { continuation in
            let now = lanes.withLock { $0.flush(peer, continuation) }
            if let now { continuation.resume(returning: now) } else { tellNode() }
        }
        if let error = error.error { throw error }
    }

    /// What peers send here from now on; without it they are told that nobody takes data.
    ///
    /// - Throws: `hasReader`, as long as another sequence lives.
    package func received() throws(DataError) -> ReceivedData {
        guard inbox.withLock({ $0.open() }) else { throw .hasReader }
        tellNode()
        return ReceivedData(Reading(exchange: self))
    }

    nonisolated(nonsending) private func waitForRoom(to peer: PeerID) async {
        await withCheckedContinuation { continuation in
            let mustWait = lanes.withLock { $0.waitForRoom(to: peer, continuation) }
            if mustWait { tellNode() } else { continuation.resume() }
        }
    }

    /// Lives as long as what `received` gave does.
    final class Reading: Sendable {
        let exchange: DataExchange

        init(exchange: DataExchange) {
            self.exchange = exchange
        }

        deinit {
            exchange.inbox.withLock { $0.close() }
            exchange.tellNode()
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
        if inbox.withLock({ $0.wasRead(bytes, from: origin) }) { tellNode() }
    }

    // MARK: - For the node

    func news() -> News {
        var news = News(waiting: lanes.withLock { $0.waiting() })
        inbox.withLock { (news.read, news.isReading) = $0.news() }
        return news
    }

    func isWaiting(for peer: PeerID) -> Bool {
        lanes.withLock { $0.isWaiting(for: peer) }
    }

    /// - Returns: what goes next to this peer, unless it is longer than `bytes`.
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

    /// Nobody waits any longer for what these have yet to take.
    func giveUp(to peers: [PeerID]) {
        for peer in peers { lanes.withLock { $0.ended(peer, .stopped) }.resume(.stopped) }
    }

    func finish() {
        lanes.withLock { $0.finish() }.resume(.stopped)
        inbox.withLock { $0.finish() }?.resume()
        caller.withLock { $0 = nil }
        mourner.withLock { $0 = nil }
    }
}

/// What peers send, one message after another.
package struct ReceivedData: AsyncSequence, Sendable {
    /// A message and who sent it.
    package struct Element: Sendable {
        package let bytes: [UInt8]
        package let from: PeerID
        /// It came through other peers, and only they say that it comes from this one.
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
        // On whatever runs the caller: what has come already costs it no change of executors.
        nonisolated(nonsending) package mutating func next() async -> Element? {
            while true {
                if let part, let bytes = part.messages.message(at: &position) {
                    return Element(bytes: bytes, from: part.origin.peer, isRouted: part.origin.isRouted)
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
