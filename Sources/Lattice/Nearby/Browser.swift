import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeDiscovery
import LatticeMesh
import LatticeNode
import LatticeWire

/// A peer as its announcement describes it. Nothing about it is proven; ``Browser/invite(_:context:timeout:)`` proves it.
public struct FoundPeer: Identifiable, Hashable, Sendable {
    /// Tells announcements apart: the same for as long as the peer's session runs.
    public struct ID: Hashable, Sendable {
        let target: AnnouncedPeer
    }

    /// Which peer is announced.
    public let id: ID
    /// The name that it claims; empty in a mesh with a passphrase, where names are not announced.
    public let claimedName: String
    /// What its ``Advertiser`` says, without characters that cannot be shown.
    public let discoveryInfo: [String: String]
    /// Where it is said to listen.
    public let address: PeerAddress

    /// - Parameter sightings: its announcements, in the order in which they came.
    init?(_ target: AnnouncedPeer, _ sightings: [Sighting]) {
        guard let first = sightings.first else { return nil }
        id = ID(target: target)
        claimedName = if case .alias = target { "" } else { first.name ?? "" }
        address = PeerAddress(first.address)
        // The newest announcement has the newest info.
        let pairs = (sightings.last?.info ?? first.info).pairs.map { pair in
            let key = pair.prefix { $0 != "=" }
            return (String(key), String(pair.dropFirst(key.count + 1)))
        }
        discoveryInfo = Dictionary(pairs) { first, _ in first }
    }
}

/// Looks for peers of the mesh, and invites them.
public final class Browser: Sendable {
    /// What changed.
    public enum Event: Hashable, Sendable {
        /// A peer was found, or its announcement has changed.
        case found(FoundPeer)
        /// Its announcement is gone. A link with it may go on.
        case lost(FoundPeer.ID)
    }

    private static let timeoutMax: Duration = .seconds(86_400)
    private let session: Session

    /// - Parameter session: who looks. It may run already, or later.
    public init(_ session: Session) {
        self.session = session
    }

    /// Who is there now, then each change. Any number of readers; a slow one skips what is over.
    ///
    /// With ``Configuration/Discovery/manual`` the session looks from the first `next()` until the iterator is gone or its
    /// task is cancelled. With ``Configuration/Discovery/off`` nobody is found.
    public var events: Events { Events(session: session) }

    /// Invites a peer: dials it, proves its key, and waits for its answer. A peer that is connected already is returned at once
    /// and does not get the context.
    ///
    /// - Parameters:
    ///   - found: the peer to invite. With ``Configuration/Discovery/manual`` it is known only as long as ``events`` are iterated.
    ///   - context: 0–1,024 bytes for the program there. They are sent only to the peer that was announced, sealed.
    ///   - timeout: how long to try and to wait, up to a day. The other side answers within 30 s.
    /// - Returns: the peer, connected, with its key proven.
    /// - Throws: ``LatticeError/Code/declined`` with ``LatticeError/refusal``; ``LatticeError/Code/timedOut``;
    ///   ``LatticeError/Code/noRoute`` if it is not announced any more or is blocked here; ``LatticeError/Code/busy`` if
    ///   another invitation to it, or 64 to others, wait; ``LatticeError/Code/tooLong`` for a context of more bytes;
    ///   ``LatticeError/Code/invalid`` for a timeout of more than a day; ``LatticeError/Code/cancelled``, which takes the
    ///   invitation back; ``LatticeError/Code/closed``.
    @discardableResult
    nonisolated(nonsending) public func invite(
        _ found: FoundPeer, context: some Sequence<UInt8> = [], timeout: Duration = .seconds(10)
    ) async throws(LatticeError) -> Peer {
        let bytes = Array(context)
        guard bytes.count <= LatticeWire.Invitation.contextBytesMax else {
            throw LatticeError(.tooLong, "a context has at most \(LatticeWire.Invitation.contextBytesMax) bytes")
        }
        guard (.zero...Self.timeoutMax).contains(timeout) else {
            throw LatticeError(.invalid, "a timeout is at most a day")
        }
        let running = try await session.running()
        let (target, board) = (found.id.target, session.nearby)
        guard board.change({ $0.beginInviting(target) }) else {
            throw LatticeError(.busy, "another invitation to this peer waits")
        }
        // What was found is not forgotten meanwhile.
        let lease = NearbyLease(.browsing, on: board)
        defer { withExtendedLifetime(lease) {} }
        await running.node.invite(target, context: bytes, patience: timeout)
        let answer = await Bounded.first(within: timeout) {
            await board.first { board -> InvitationOutcome?? in
                if let outcome = board.outcome(of: target) { return .some(outcome) }
                return board.isOver ? .some(nil) : nil
            }
        }
        // In this order: the next invitation to this peer begins when this one is gone.
        await running.node.withdraw(target)
        board.change { $0.endInviting(target) }
        guard let answer else {
            throw Task.isCancelled ? .cancelled : LatticeError(.timedOut, "the peer did not answer in time")
        }
        guard let outcome = answer else { throw .closed }
        return try peer(outcome)
    }

    private func peer(_ outcome: InvitationOutcome) throws(LatticeError) -> Peer {
        switch outcome {
        case .accepted(let id, let name):
            let peer = Peer(id, name: name.text)
            session.board.change { $0.connected(peer) }
            return peer
        case .refused(let id, let why):
            let refusal = Invitation.Refusal(why)
            throw LatticeError(
                .declined, "the peer refused the invitation: \(refusal)", peers: [PeerID(id)], refusal: refusal)
        case .unknown: throw LatticeError(.noRoute, "the peer is not announced, or is blocked here")
        case .tooMany: throw LatticeError(.busy, "too many invitations wait for their answers")
        }
    }

    /// What ``Browser/events`` yields. It ends with ``Session/run()``.
    public struct Events: AsyncSequence, Sendable {
        /// One change.
        public typealias Element = Event
        /// ``LatticeError/Code/network`` if mDNS does not work here, told once; another `next()` waits for it to work. The error
        /// of ``Session/run()`` if it failed, or ``LatticeError/Code/closed``, before the session ran.
        public typealias Failure = LatticeError

        fileprivate let session: Session

        /// Begins with who is there at the first call of `next`.
        public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

        /// Reads the changes in order.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let session: Session
            private var lease: NearbyLease?
            private var known: [FoundPeer.ID: FoundPeer] = [:]
            private var trouble: String?

            fileprivate init(session: Session) {
                self.session = session
            }

            /// - Returns: `nil` after the end of the session, or when the task is cancelled.
            nonisolated(nonsending) public mutating func next() async throws(LatticeError) -> Event? {
                let board = session.nearby
                if lease == nil { lease = NearbyLease(.browsing, on: board) }
                guard try await session.runningOrOver() != nil else {
                    lease = nil
                    return nil
                }
                let (known, trouble) = (known, trouble)
                switch await board.first({ $0.nextEvent(from: known) { $0 != trouble } }) {
                case .element(let event):
                    switch event {
                    case .found(let peer): self.known[peer.id] = peer
                    case .lost(let id): self.known[id] = nil
                    }
                    return event
                case .trouble(let reason):
                    self.trouble = reason
                    throw LatticeError(.network, reason)
                case .over, nil:
                    lease = nil
                    return nil
                }
            }

            /// - Returns: `nil` after the end of the session, or when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(LatticeError) -> Event? {
                try await next()
            }
        }
    }
}
