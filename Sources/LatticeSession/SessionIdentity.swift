package import LatticeCore
package import LatticeCrypto
package import LatticeWire

/// The identity of one run of the program in every handshake: its own X25519 static key, signed once by the identity,
/// and the mesh key if the mesh is closed.
package final class SessionIdentity: Sendable {
    package let peer: PeerID
    let staticKey: AgreementKey
    package let meshKey: MeshKey?
    private let signature: [UInt8]

    /// - Parameter meshKey: the key of a closed mesh; without one it speaks only with open meshes.
    package init(identity: Identity, meshKey: MeshKey? = nil) {
        self.meshKey = meshKey
        peer = identity.peer
        staticKey = .generate(isGuarded: true)
        signature = identity.sign(context: Introduction.signatureContext, staticKey.publicKey.bytes)
    }

    /// Only for tests, which may pass another key, or a wrong signature.
    package init(peer: PeerID, staticKey: AgreementKey, signature: [UInt8], meshKey: MeshKey? = nil) {
        self.meshKey = meshKey
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
