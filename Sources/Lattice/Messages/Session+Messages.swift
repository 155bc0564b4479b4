import LatticeConcurrency
import LatticeCore
import LatticeNode

extension Session {
    /// Bytes of one message at most.
    public static let messageBytesMax = 60_000
    /// Peers to whom one call sends at most.
    public static let recipientsMax = 32

    /// What others send. One reader at a time.
    public var received: ReceivedMessages { ReceivedMessages(inbox: inbox) }

    /// Sends a message, sealed for each of the peers, over any number of links.
    ///
    /// Messages from one session to another come in order and each once, over changes of the way and losses of a link,
    /// until one of the two ends or nothing is heard for half a minute; then the next call throws
    /// ``LatticeError/Code/interrupted``. It returns when all is handed over, which is before it has arrived:
    /// ``flush(_:timeout:)`` waits for that. It suspends while 256 KiB wait for one of the peers.
    ///
    /// An unreliable message may be lost, and comes at most once, usually in order. It is never repeated, stored or confirmed. The
    /// call waits for no peer: if too many wait for a link, the oldest are dropped. The first ones to a peer over several
    /// links wait for a stream to it, 64 at most in all. Read <doc:MessagesAndDatagrams>.
    ///
    /// A session exchanges messages and streams with others over 32 streams at a time; messages take one or two for each peer,
    /// unreliable ones only for a peer over several links.
    ///
    /// - Parameters:
    ///   - bytes: 0–60,000 bytes, 0–8,192 in an unreliable message.
    ///   - peers: connected peers, at most 32.
    ///   - mode: whether it may be lost.
    /// - Returns: for an unreliable message, how many were dropped for it, and to whom it cannot go now.
    /// - Throws: ``LatticeError/Code/tooLong``; ``LatticeError/Code/invalid`` for too many peers;
    ///   ``LatticeError/Code/noRoute``, ``LatticeError/Code/interrupted``, ``LatticeError/Code/unwanted``,
    ///   ``LatticeError/Code/busy``, ``LatticeError/Code/timedOut``, with the ``LatticeError/peers`` to which it was not
    ///   sent; it was to the others. ``LatticeError/Code/closed``, ``LatticeError/Code/cancelled``: it may have been sent to
    ///   some of the peers. An unreliable message throws only ``LatticeError/Code/tooLong``, ``LatticeError/Code/invalid``,
    ///   ``LatticeError/Code/closed`` and ``LatticeError/Code/cancelled``. Either throws the error of ``run()`` if that failed.
    @discardableResult
    @inlinable
    nonisolated(nonsending) public func send(
        _ bytes: some Sequence<UInt8>, to peers: [Peer], mode: SendMode = .reliable
    ) async throws(LatticeError) -> SendReport {
        try await sendArray(Array(bytes), to: peers, mode)
    }

    /// The compiler of the program sees what makes the array, which is nothing for an array.
    @usableFromInline
    nonisolated(nonsending) func sendArray(
        _ bytes: [UInt8], to peers: [Peer], _ mode: SendMode
    ) async throws(LatticeError) -> SendReport {
        try Self.check(peers)
        if mode == .unreliable { return try await sendUnreliably(bytes, to: peers) }
        guard bytes.count <= Self.messageBytesMax else {
            throw LatticeError(
                .tooLong, "the message has \(bytes.count) bytes, and the limit is \(Self.messageBytesMax)")
        }
        if peers.count == 1, try sendNow(bytes, to: peers[0]) { return .sent }
        let running = try await running()
        let messages = messages
        try await Self.each(peers) { peer throws(LatticeError) in
            try await messages.send(bytes, to: peer.id.core, on: running)
        }
        return .sent
    }

    /// - Returns: whether it is sent; otherwise it has to wait, or there is no stream yet, or no session.
    private func sendNow(_ bytes: [UInt8], to peer: Peer) throws(LatticeError) -> Bool {
        guard !Task.isCancelled else { return false }
        do throws(LatticeError) {
            return try messages.sendNow(bytes, to: peer.id.core)
        } catch {
            throw error.about(peer.id)
        }
    }

    /// Returns when everything that was sent to these peers has been read by their programs: each has asked for the next
    /// message after it.
    ///
    /// - Parameters:
    ///   - peers: at most 32. A peer to which nothing was sent is not waited for.
    ///   - timeout: how long to wait.
    /// - Throws: ``LatticeError/Code/timedOut``; ``LatticeError/Code/invalid`` for too many peers;
    ///   ``LatticeError/Code/interrupted`` with the ``LatticeError/peers`` that may not have read everything;
    ///   ``LatticeError/Code/closed``, ``LatticeError/Code/cancelled``.
    nonisolated(nonsending) public func flush(
        _ peers: [Peer], timeout: Duration = .seconds(10)
    ) async throws(LatticeError) {
        try Self.check(peers)
        let running = try await running()
        let messages = messages
        let outcome = await Bounded.first(within: timeout) { () async -> Result<Void, LatticeError> in
            do throws(LatticeError) {
                try await Self.each(peers) { peer throws(LatticeError) in
                    try await messages.flush(peer.id.core, on: running)
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        if Task.isCancelled { throw .cancelled }
        guard let outcome else { throw LatticeError(.timedOut, "not everything was read in time") }
        try outcome.get()
    }

    private static func check(_ peers: [Peer]) throws(LatticeError) {
        guard peers.count <= recipientsMax else {
            throw LatticeError(.invalid, "a message goes to at most \(recipientsMax) peers at once")
        }
    }

    /// Does the same for all peers at once.
    ///
    /// - Throws: the first error in the order of the peers, with all peers for which it failed.
    private nonisolated(nonsending) static func each(
        _ peers: [Peer], _ work: @escaping @Sendable (Peer) async throws(LatticeError) -> Void
    ) async throws(LatticeError) {
        if peers.count == 1 {
            do throws(LatticeError) {
                return try await work(peers[0])
            } catch {
                throw error.about(peers[0].id)
            }
        }
        let failures = await withTaskGroup(of: (Int, LatticeError)?.self) { group in
            for (index, peer) in peers.enumerated() {
                group.addTask {
                    do throws(LatticeError) {
                        try await work(peer)
                        return nil
                    } catch {
                        return (index, error)
                    }
                }
            }
            var failures: [Int: LatticeError] = [:]
            for await failure in group.compactMap(\.self) { failures[failure.0] = failure.1 }
            return failures
        }
        guard let first = failures.keys.min(), let error = failures[first] else { return }
        throw LatticeError(
            error.code, error.description, peers: failures.keys.sorted().map { peers[$0].id })
    }
}
