import LatticeAPI
import LatticeConcurrency
import LatticeCore
package import LatticeNode

/// A peer of a mesh.
///
/// Nothing happens before ``run()``, and nothing after it. A session may be used from any number of tasks at once.
///
/// ```swift
/// let session = try Session(Configuration(name: "ada", mesh: "hello"))
/// async let running: Void = session.run()
/// for await update in session.peerUpdates { … }
/// ```
///
/// ``withSession(_:_:)`` runs one for as long as a closure does.
public final class Session: Sendable {
    /// Where a session is in its life. It never goes back.
    public enum Phase: Int, Hashable, Comparable, Sendable {
        /// ``Session/run()`` was not called yet.
        case idle
        /// Storage and port are being opened.
        case starting
        /// It listens, and looks for peers.
        case running
        /// It says goodbye.
        case closing
        /// It has ended.
        case closed

        /// Whether `left` comes before `right` in the life of a session.
        public static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
    }

    let settings: SessionSettings
    let life = Watched(SessionLife())
    let board = Watched(PeerBoard())
    let inbox = Watched(MessageInbox())
    let messages: MessageExchange
    let incoming = Watched(IncomingQueue())
    let resourceQueue = Watched(ResourceQueue())
    let nearby: Watched<NearbyBoard>

    /// Checks the configuration. Takes no port and opens no file.
    ///
    /// - Throws: ``LatticeError/Code/invalid`` for a name, mesh, passphrase, folder or number of addresses that cannot be.
    public convenience init(_ configuration: Configuration) throws(LatticeError) {
        try self.init(configuration, on: { nil })
    }

    /// - Parameter network: makes one in place of the machine's; called once the configuration is found to be right.
    package init(
        _ configuration: Configuration, on network: () -> (any SubstituteNetwork)?
    ) throws(LatticeError) {
        settings = try SessionSettings(configuration, on: network)
        nearby = Watched(NearbyBoard(isManual: configuration.discovery == .manual))
        messages = MessageExchange(inbox: inbox, board: board)
    }

    /// Where the session is in its life.
    public var phase: Phase { life.read(\.phase) }

    /// Who this session is: the same for ever with a folder, new for each session in memory. Waits until the session runs.
    ///
    /// - Throws: the error of ``run()`` if it failed; ``LatticeError/Code/closed``, ``LatticeError/Code/cancelled``.
    public var me: Peer {
        get async throws(LatticeError) {
            Peer(try await running().id, name: settings.name.text)
        }
    }

    /// The TCP port on which the session listens, 1–65535. Waits until the session runs.
    ///
    /// - Throws: the error of ``run()`` if it failed; ``LatticeError/Code/closed``, ``LatticeError/Code/cancelled``.
    public var port: UInt16 {
        get async throws(LatticeError) { try await running().port }
    }

    /// Returns once the session listens.
    ///
    /// - Throws: the error of ``run()`` if it failed; ``LatticeError/Code/closed``, ``LatticeError/Code/cancelled``.
    nonisolated(nonsending) public func waitUntilRunning() async throws(LatticeError) {
        _ = try await running()
    }

    // MARK: - Peers

    /// How each known peer stands now, in the order of their ids; at most 4,096.
    public var peers: [PeerStatus] { board.read(\.all) }

    /// The peers that can be reached now, without this one, in the order of their ids.
    public var connectedPeers: [Peer] { board.read(\.connected) }

    /// How all peers stand now, then each change, until the session ends. For any number of readers.
    public var peerUpdates: PeerUpdates { PeerUpdates(board: board) }

    /// Dials an address until it answers.
    ///
    /// - Parameters:
    ///   - address: where the peer listens.
    ///   - timeout: how long to try; the address is dialled again while it does not answer.
    /// - Returns: the peer that answered, with its key proven.
    /// - Throws: ``LatticeError/Code/timedOut``; ``LatticeError/Code/declined`` if the peer there refuses;
    ///   ``LatticeError/Code/closed``, ``LatticeError/Code/cancelled``.
    nonisolated(nonsending) public func connect(
        to address: PeerAddress, timeout: Duration = .seconds(10)
    ) async throws(LatticeError) -> Peer {
        let running = try await running()
        try await running.perform(DialAddress(address.core))
        let board = board
        let outcome = await Bounded.first(within: timeout) { await Self.linked(at: address, running, board) }
        if Task.isCancelled { throw .cancelled }
        guard let outcome else { throw LatticeError(.timedOut, "no peer answered at \(address)") }
        return try outcome.get()
    }

    private static func linked(
        at address: PeerAddress, _ running: ServingNode, _ board: Watched<PeerBoard>
    ) async -> Result<Peer, LatticeError> {
        var version: UInt64?
        while true {
            // A look that finds no change waits for one.
            let now = await board.first { board -> UInt64? in
                if board.isOver { return .max }
                return board.lastChange == version ? nil : board.lastChange
            }
            guard let now else { return .failure(.cancelled) }
            guard now != .max else { return .failure(.closed) }
            version = now
            do throws(LatticeError) {
                let all = try await running.perform(ListPeers()).peers
                guard let peer = all.first(where: { $0.address == address.core }) else { continue }
                if peer.state == .connected, let id = peer.id { return .success(Peer(id, name: peer.name)) }
                if case .refused? = peer.reason, let error = peer.reason.flatMap(LatticeError.init) {
                    return .failure(error)
                }
            } catch {
                return .failure(error)
            }
        }
    }

    /// Ends the link with a peer and makes none until ``unblock(_:)``; nothing of it is stored or relayed. Kept in the folder.
    ///
    /// - Throws: ``LatticeError/Code/storage`` for a session in memory, or if the folder cannot be written;
    ///   ``LatticeError/Code/busy`` if too many people are known; ``LatticeError/Code/closed``,
    ///   ``LatticeError/Code/cancelled``.
    nonisolated(nonsending) public func block(_ peer: Peer) async throws(LatticeError) {
        try await setBlocked(peer, true)
    }

    /// Lets a blocked peer in again.
    ///
    /// - Throws: as ``block(_:)``.
    nonisolated(nonsending) public func unblock(_ peer: Peer) async throws(LatticeError) {
        try await setBlocked(peer, false)
    }

    private nonisolated(nonsending) func setBlocked(_ peer: Peer, _ isBlocked: Bool) async throws(LatticeError) {
        _ = try await running().perform(BlockPerson(PeerReference(peer.id.core), isBlocked))
    }
}
