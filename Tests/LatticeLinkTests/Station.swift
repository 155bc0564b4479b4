import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeSession
import LatticeWire
import Logging
import NIOPosix
import Synchronization
import Testing

/// A peer that listens on a port of its own.
final class Station: Sendable {
    static let quiet: Logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }()

    let links: Links
    let turn: LoopTurn
    let owner: Owner
    let session: SessionIdentity
    private let lastDial = Atomic<UInt64>(0)

    var peer: PeerID { session.peer }
    var address: PeerAddress { PeerAddress(host: "127.0.0.1", port: links.port) }

    init(_ name: String, _ limits: LinkLimits = LinkLimits(), interface: String? = nil) async throws {
        let session = SessionIdentity(identity: .generate())
        let turn = LoopTurn(MultiThreadedEventLoopGroup.singleton.next())
        let links = try await Links.listening(
            port: 0, interface: interface, session: session, limits: limits, turn: turn, logger: Self.quiet)
        let name = try PeerName(name)
        owner = Owner {
            session.introduction(name: name, instance: 1, clock: WallTime(milliseconds: 0), port: links.port)
        }
        (self.links, self.turn, self.session) = (links, turn, session)
    }

    @discardableResult
    func dial(_ address: PeerAddress) -> DialID {
        let dial = DialID(rawValue: lastDial.add(1, ordering: .relaxed).newValue)
        links.dial(dial, address)
        return dial
    }

    /// Dials, and waits for our end of the link.
    func link(with other: Station) async throws -> Link {
        let dial = dial(other.address)
        try await until("a link opens") {
            if let end = owner.failure(dial) { throw end }
            return owner.opened.contains { $0.dial == dial }
        }
        return try #require(owner.opened.first { $0.dial == dial })
    }

    /// Dials until there is room there, as a mesh would.
    func persistentLink(with other: Station) async throws -> Link {
        var tries = 0
        while true {
            do {
                return try await link(with: other)
            } catch let failure as DialEnd {
                tries += 1
                try #require(tries < 1_000, "\(failure)")
            }
        }
    }

    /// The other end of a link of ours.
    func end(of link: Link, at other: Station) async throws -> Link {
        let mine = owner.opened.filter { $0.peer.peer == other.peer }.firstIndex { $0 === link }
        let place = try #require(mine)
        try await until("the other end opens") {
            other.owner.opened.filter { $0.peer.peer == peer }.count > place
        }
        return other.owner.opened.filter { $0.peer.peer == peer }[place]
    }
}

/// Runs stations while `body` looks at them.
func serving(_ stations: Station..., body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for station in stations {
            group.addTask { await station.links.run(owner: station.owner) }
        }
        defer {
            for station in stations { station.owner.release() }
            group.cancelAll()
        }
        try await body()
    }
}

/// Waits until something holds: for as long as it takes where all tests share two processors.
func until(_ what: Comment, _ holds: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now.advanced(by: .seconds(600))
    while try await !holds() {
        try #require(ContinuousClock.now < deadline, what)
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// Lines that differ by their number; the signatures are invalid, because links do not check them.
func line(_ number: Int, bytes: Int = 8) -> Frame {
    let body = (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } + [UInt8](repeating: 0, count: bytes - 8)
    let record = Record(
        kind: .chat, author: PeerID(.zero), created: HybridTime(rawValue: UInt64(number)), lifetimeSeconds: 60,
        topic: [], body: body)
    let signed = SignedRecord(record, signature: [UInt8](repeating: 0, count: Record.signatureBytes))
    return .record(RecordFrame(timeToLive: 1, hops: 1, signed: signed))
}

extension Link {
    /// Sends as fast as the queue takes.
    func sendAll(_ frames: [Frame]) async -> Bool {
        for frame in frames {
            while !send(frame.bytes) {
                if isClosing { return false }
                await drained(below: 0, atMost: .seconds(1))
            }
        }
        return true
    }
}
