package import LatticeCore
package import LatticeCrypto
package import LatticeWire

/// Who this start of the program is in every handshake: an X25519 static key of its own, signed once by the identity; and
/// the key of its mesh, if that is closed.
package final class SessionIdentity: Sendable {
    package let peer: PeerID
    let staticKey: AgreementKey
    package let meshKey: MeshKey?
    private let signature: [UInt8]

    /// - Parameter meshKey: of a closed mesh; without one only open meshes are spoken with.
    package init(identity: Identity, meshKey: MeshKey? = nil) {
        self.meshKey = meshKey
        peer = identity.peer
        staticKey = .generate(isGuarded: true)
        signature = identity.sign(context: Introduction.signatureContext, staticKey.publicKey.bytes)
    }

    /// Only tests give a key; and only they sign for another key than their own, or not at all.
    package init(peer: PeerID, staticKey: AgreementKey, signature: [UInt8], meshKey: MeshKey? = nil) {
        self.meshKey = meshKey
        self.peer = peer
        self.staticKey = staticKey
        self.signature = signature
    }

    /// Where the secret of the static key is.
    package var memory: SecretBytes.Memory { staticKey.memory }

    package func introduction(
        name: PeerName, instance: UInt64, clock: WallTime, port: UInt16, capabilities: UInt64 = 0
    ) -> Introduction {
        Introduction(
            peer: peer, signature: signature, instance: instance, clock: clock, port: port, capabilities: capabilities,
            name: name
        )
    }
}
