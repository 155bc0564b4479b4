import LatticeCore
import LatticeSession
import LatticeWire
import Synchronization

/// What a handshake says about us: read by every connection, changed by `/nick`.
final class PublicFace: Sendable {
    private let session: SessionIdentity
    private let instance: UInt64
    private let port: UInt16
    private let capabilities: UInt64
    private let name: Mutex<PeerName>
    private let clock: NodeClock

    init(
        session: SessionIdentity, instance: UInt64, port: UInt16, capabilities: UInt64, name: PeerName, clock: NodeClock
    ) {
        self.capabilities = capabilities
        self.clock = clock
        self.session = session
        self.instance = instance
        self.port = port
        self.name = Mutex(name)
    }

    func rename(_ name: PeerName) {
        self.name.withLock { $0 = name }
    }

    func introduction() -> Introduction {
        session.introduction(
            name: name.withLock { $0 }, instance: instance, clock: clock.told, port: port,
            capabilities: capabilities)
    }
}
