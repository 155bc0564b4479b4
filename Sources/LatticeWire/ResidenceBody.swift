package import LatticeCore

/// The body of a `residence` record: the consent of the node in the topic that the author is its persona.
///
/// `body := signature:64`, Ed25519 by the key in the topic over `signatureContext` ‖ the author's key. Without it
/// anybody could claim to be a persona of any node.
package struct ResidenceBody: Hashable, Sendable {
    package static let signatureContext = Array("lattice residence v1".utf8)
    /// A year, like a profile; renewed by then if the persona is still in use.
    package static let lifetimeSeconds: UInt32 = 31_536_000

    package let signature: [UInt8]

    package init(signature: [UInt8]) {
        precondition(signature.count == Record.signatureBytes, "Ed25519 signatures have 64 bytes")
        self.signature = signature
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        guard body.count >= Record.signatureBytes else { throw .truncated(field: "residence") }
        guard body.count == Record.signatureBytes else {
            throw .trailing(field: "residence", bytes: body.count - Record.signatureBytes)
        }
        self.init(signature: body)
    }

    /// The node in a topic.
    package static func host(naming topic: [UInt8]) throws(WireError) -> PeerID {
        guard let key = Bytes32(topic) else { throw .outOfRange(field: "residence topic") }
        return PeerID(key)
    }

    package var body: [UInt8] { signature }
}
