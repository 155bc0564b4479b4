import LatticeAPI
import LatticeCore
import LatticeNode
import LatticeWire
import Synchronization

/// A peer asks to be linked.
///
/// The first answer counts. An invitation that is dropped without an answer, or not answered within 30 s, is declined.
public final class Invitation: Sendable {
    /// Why an invitation was not accepted.
    public enum Refusal: Hashable, Sendable {
        /// Its program or its user does not want to, or did not answer.
        case declined
        /// 16 invitations wait there already.
        case busy
        /// It has no room for another peer.
        case full
        /// Its settings, such as ``Configuration/Invitations/only(_:)``, do not allow it.
        case notAllowed
    }

    private enum Answer: Sendable {
        case none
        case yes
        case no(Refusal)
        /// It was accepted in vain.
        case failed(LatticeError)
    }

    /// Who asks; its key is proven.
    public let peer: Peer
    /// What the other program has sent with it, 0–1,024 bytes. Nobody but this session could read it.
    public let context: [UInt8]
    private let link: LinkID
    private let running: ServingNode
    private let board: Watched<PeerBoard>
    private let answer = Mutex(Answer.none)

    init(_ asked: NearbyBoard.Asked, _ running: ServingNode, _ board: Watched<PeerBoard>) {
        peer = Peer(asked.peer, name: asked.name)
        (context, link, self.running, self.board) = (asked.context, asked.link, running, board)
    }

    deinit {
        decline()
    }

    /// Links with the peer. Returns when it is connected; a second call does nothing, or throws the same error again.
    ///
    /// - Throws: ``LatticeError/Code/timedOut`` if the peer does not wait any longer, 30 s have passed or the session has
    ///   ended; ``LatticeError/Code/busy`` if this session has no room for another link; ``LatticeError/Code/declined`` after
    ///   ``decline(_:)``.
    nonisolated(nonsending) public func accept() async throws(LatticeError) {
        let before = answer.withLock { answer in
            defer { if case .none = answer { answer = .yes } }
            return answer
        }
        switch before {
        case .yes: return
        case .no(let refusal):
            throw LatticeError(.declined, "the invitation was declined here", peers: [peer.id], refusal: refusal)
        case .failed(let error): throw error
        case .none: break
        }
        let error: LatticeError
        switch await running.node.accept(peer.id.core, on: link) {
        case .linked: return board.change { $0.connected(peer) }
        case .gone: error = LatticeError(.timedOut, "the peer does not wait any longer", peers: [peer.id])
        case .full: error = LatticeError(.busy, "this session has no room for another link", peers: [peer.id])
        }
        answer.withLock { $0 = .failed(error) }
        throw error
    }

    /// Turns the peer away, which gets the reason. Does nothing after an answer.
    public func decline(_ refusal: Refusal = .declined) {
        let isFirst = answer.withLock { answer in
            guard case .none = answer else { return false }
            answer = .no(refusal)
            return true
        }
        if isFirst { running.node.decline(peer.id.core, on: link, refusal.core) }
    }
}

extension Invitation.Refusal {
    fileprivate var core: LatticeWire.Refusal {
        switch self {
        case .declined: .declined
        case .busy: .busy
        case .full: .full
        case .notAllowed: .notAContact
        }
    }

    init(_ core: LatticeWire.Refusal) {
        self =
            switch core {
            case .declined, .unanswered, .unknown, .duplicate: .declined
            case .busy: .busy
            case .full, .tooManyLinks: .full
            case .notAContact, .closed, .otherMesh: .notAllowed
            }
    }

    init(_ ending: LinkEnding.Refusal) {
        self =
            switch ending {
            case .declined, .unanswered, .unknown, .duplicate: .declined
            case .busy: .busy
            case .full, .tooManyLinks: .full
            case .notAContact, .closed, .otherMesh: .notAllowed
            }
    }
}
