import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeSession
import LatticeWire
import Logging
import NIOPosix
import Synchronization
import Testing

/// A neighbour that joins a mesh over a real link and says what a test has it say.
final class Stranger: LinkOwner {
    let identity = Identity.generate()
    private let session: SessionIdentity
    private let links: Links
    private let name: PeerName
    private let mesh: MeshName
    private let clock: WallTime
    private let invites: Bool
    private let isDeaf: Bool
    private let link = Mutex<Link?>(nil)
    private let heard = Mutex<[Frame]>([])
    private let end = Mutex<LinkClosure?>(nil)
    private let target = Mutex<PeerAddress?>(nil)

    /// - Parameters:
    ///   - clock: what its handshake says.
    ///   - invites: whether it says what it wants once it is linked.
    ///   - isDeaf: whether it reads nothing more once it was let in.
    ///   - session: whom its handshake shows; itself, if nobody else.
    init(
        mesh: MeshName, clock: WallTime, named name: String = "stranger", invites: Bool = true, isDeaf: Bool = false,
        session: SessionIdentity? = nil
    ) async throws {
        self.name = try PeerName(name)
        self.invites = invites
        self.isDeaf = isDeaf
        self.session = session ?? SessionIdentity(identity: identity)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        links = try await Links.listening(
            port: 0, interface: nil, session: self.session,
            turn: LoopTurn(MultiThreadedEventLoopGroup.singleton.next()),
            logger: logger
        )
        self.mesh = mesh
        self.clock = clock
    }

    /// Dials this address, and after that does nothing by itself.
    ///
    /// - Parameter again: whether it dials again where no link comes about: on a busy machine a handshake can take too long.
    func dial<Value: Sendable>(
        _ address: PeerAddress, again: Bool = true, _ work: () async throws -> Value
    ) async throws -> Value {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await self.links.run(owner: self) }
            defer { group.cancelAll() }
            if again { target.withLock { $0 = address } }
            links.dial(DialID(rawValue: 1), address)
            return try await work()
        }
    }

    /// A neighbour of the peer at this address until the work is done.
    func visit<Value: Sendable>(_ address: PeerAddress, _ work: () async throws -> Value) async throws -> Value {
        try await dial(address) {
            try await eventually("a link") { self.frames.contains { if case .accept = $0 { true } else { false } } }
            return try await work()
        }
    }

    func say(_ frame: Frame) {
        say(bytes: frame.bytes)
    }

    /// A frame as it goes, which need not be one.
    func say(bytes: [UInt8]) {
        _ = link.withLock { $0?.send(bytes) }
    }

    /// More than waits at a time, as fast as it is taken.
    func pour(_ frames: [Frame]) async {
        for frame in frames {
            guard let link = link.withLock({ $0 }), !link.isClosing else { return }
            await link.drained(below: 1 << 20)
            say(frame)
        }
    }

    var isLinked: Bool { link.withLock { $0 != nil } }

    /// Every frame it received.
    var frames: [Frame] { heard.withLock { $0 } }
    var closure: LinkClosure? { end.withLock { $0 } }

    func introduction() -> Introduction {
        session.introduction(name: name, instance: 1, clock: clock, port: links.port)
    }

    func linkOpened(_ link: Link) {
        self.link.withLock { $0 = link }
        if invites { say(.invitation(Invitation(mesh: mesh, context: []))) }
    }

    func linkReceived(_ link: Link, _ frames: [Frame]) -> Reception {
        heard.withLock { $0 += frames }
        for case .ping(let nonce) in frames { say(.pong(nonce: nonce)) }
        let isIn = frames.contains { if case .accept = $0 { true } else { false } }
        return isDeaf && isIn ? .later : .taken
    }

    func linkClosed(_ link: Link, _ closure: LinkClosure) {
        end.withLock { $0 = closure }
    }

    func dialFailed(_ dial: DialID, _ end: DialEnd) {
        if let address = target.withLock({ $0 }) { links.dial(dial, address) }
    }
}
