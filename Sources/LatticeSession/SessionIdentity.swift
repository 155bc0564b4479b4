package import LatticeCore
package import LatticeCrypto
package import LatticeWire

/// Who this start of the program is in every handshake: an X25519 static key of its own, signed once by the identity.
package final class SessionIdentity: Sendable {
    package let peer: PeerID
    let staticKey: AgreementKey
    private let signature: [UInt8]

    package init(identity: Identity) {
        peer = identity.peer
        staticKey = .generate()
        signature = identity.sign(context: Introduction.signatureContext, staticKey.publicKey.bytes)
    }

    /// Only tests give a key; and only they sign for another key than their own, or not at all.
    package init(peer: PeerID, staticKey: AgreementKey, signature: [UInt8]) {
        self.peer = peer
        self.staticKey = staticKey
        self.signature = signature
    }

    package func introduction(
        name: PeerName, instance: UInt64, clock: WallTime, port: UInt16, capabilities: UInt64 = 0
    ) -> Introduction {
        Introduction(
            peer: peer, signature: signature, instance: instance, clock: clock, port: port, capabilities: capabilities,
            name: name
        )
    }
}
