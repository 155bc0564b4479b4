import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire

/// A stranger that completes the handshake and then sends what it likes. It never reads.
final class AttackGuest {
    private let socket: AttackSocket
    private var sealer: Sealer

    private init(_ socket: AttackSocket, _ sealer: consuming Sealer) {
        self.socket = socket
        self.sealer = sealer
    }

    private static func handshake() throws -> Handshake {
        let session = SessionIdentity(identity: .generate())
        let introduction = session.introduction(
            name: try PeerName("stranger"), instance: 1, clock: WallTime(milliseconds: 0), port: 0)
        return Handshake(role: .initiator, me: session, introduction: introduction)
    }

    static func firstMessage() throws -> [UInt8] {
        var handshake = try handshake()
        return handshake.begin() ?? []
    }

    /// - Returns: `nil` if it is rejected.
    static func entering(_ socket: AttackSocket) throws -> AttackGuest? {
        var handshake = try handshake()
        guard let first = handshake.begin(), socket.send(first), let second = socket.message(),
            let third = try handshake.receive(second[...]), socket.send(third)
        else { return nil }
        return handshake.finish().deconstruct { sealer, _ in AttackGuest(socket, sealer) }
    }

    func say(_ frames: [Frame]) -> Bool {
        socket.send(sealer.seal(frames.map(\.bytes)))
    }
}
