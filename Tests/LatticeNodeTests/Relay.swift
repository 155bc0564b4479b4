import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeSession
import LatticeWire
import Logging
import NIOPosix

/// A neighbour that joins a mesh over a real link and answers every probe itself, signing as it likes.
final class Relay: LinkOwner {
    let identity = Identity.generate()
    private let session: SessionIdentity
    private let links: Links
    private let name: PeerName
    private let mesh: MeshName
    private let answer: @Sendable (Probe) -> Probe

    /// - Parameter answer: takes a question that the relay has signed.
    init(mesh: MeshName, logger: Logger, answer: @escaping @Sendable (Probe) -> Probe) async throws {
        name = try PeerName("relay")
        session = SessionIdentity(identity: identity)
        links = try await Links.listening(
            port: 0, interface: nil, session: session, turn: LoopTurn(MultiThreadedEventLoopGroup.singleton.next()),
            logger: logger)
        self.mesh = mesh
        self.answer = answer
    }

    func run(with address: PeerAddress) async {
        links.dial(DialID(rawValue: 1), address)
        await links.run(owner: self)
    }

    func introduction() -> Introduction {
        session.introduction(name: name, instance: 1, clock: WallTime(milliseconds: 0), port: links.port)
    }

    func linkOpened(_ link: Link) {
        _ = link.send(Frame.invitation(Invitation(mesh: mesh, context: [])).bytes)
    }

    func linkReceived(_ link: Link, _ frames: [Frame]) -> Reception {
        for frame in frames {
            guard case .probe(let question) = frame else { continue }
            var probe = answer(identity.endorse(question, as: name))
            probe.direction = .back
            _ = link.send(Frame.probe(probe).bytes)
        }
        return .taken
    }

    func linkClosed(_ link: Link, _ closure: LinkClosure) {}

    func dialFailed(_ dial: DialID, _ end: DialEnd) {}
}
