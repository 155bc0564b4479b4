import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeWire
import OrderedCollections

/// A key to one peer, and the number of the next datagram under it. No number is used twice.
struct OutgoingDatagramKey: ~Copyable, Sendable {
    private let key: SecretBytes
    private var next: UInt64 = 0
    private let authenticated: [UInt8]

    init(_ key: consuming SecretBytes, from me: PeerID, to peer: PeerID) {
        self.key = key
        authenticated = DatagramFrame.authenticated(from: me, to: peer)
    }

    mutating func seal(_ payload: [UInt8]) -> (sequence: UInt64, octets: [UInt8]) {
        defer { next += 1 }
        var octets = payload
        octets.reserveCapacity(payload.count + DatagramFrame.tagBytes)
        AuthenticatedCipher.seal(key: key, nonce: next, authenticating: authenticated, in: &octets, from: 0)
        return (next, octets)
    }
}

/// A key that one peer has, and which of its numbers have come.
final class IncomingDatagramKey {
    private let key: SecretBytes
    private var window = DatagramWindow()

    init(_ key: consuming SecretBytes) {
        self.key = key
    }

    /// - Returns: `nil` if this key does not open it, or it came before.
    func open(_ frame: DatagramFrame, authenticated: [UInt8]) -> [UInt8]? {
        do {
            let payload = try AuthenticatedCipher.open(
                key: key, nonce: frame.sequence, authenticating: authenticated, frame.octets[...])
            // Only what its peer has sealed moves the window.
            return window.take(frame.sequence) ? payload : nil
        } catch {
            return nil  // Another key's, or a relay's invention.
        }
    }
}
