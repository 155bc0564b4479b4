import LatticeCore
import LatticeWire
import Synchronization

// Seals of datagrams, with the keys of the stream of messages between the two programs.
extension StreamExchange {
    /// - Parameter work: called with each peer to which datagrams can be sealed from now on, on the thread that caused it.
    func onKeyed(_ work: @escaping @Sendable (PeerID) -> Void) {
        state.withLock { $0.onKeyed = work }
    }

    /// - Returns: `nil` if no stream of messages is open.
    func sealDatagram(_ payload: [UInt8], to peer: PeerID) -> (sequence: UInt64, octets: [UInt8])? {
        let cipher = state.withLock { $0.table.cipherToSeal(for: peer) }
        return cipher?.sealDatagram(payload, authenticating: DatagramFrame.authenticated(from: me, to: peer))
    }

    /// - Returns: `nil` if no key of this peer opens it, or it came before.
    func openDatagram(_ frame: DatagramFrame, from peer: PeerID) -> [UInt8]? {
        let ciphers = state.withLock { $0.table.ciphersToOpen(from: peer) }
        let data = DatagramFrame.authenticated(from: peer, to: me)
        for cipher in ciphers {
            if let payload = cipher.openDatagram(frame, authenticating: data) { return payload }
        }
        return nil
    }
}
