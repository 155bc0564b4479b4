import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

/// People who speak through somebody's node with keys of their own.
struct VisitorTests {
    private let node = Identity(seed: SecretBytes(copying: Array(0..<32)))

    /// Computed with Python's `hashlib.blake2b(key=)` and RFC 8032 by hand.
    @Test func theSameAccountHasTheSameKeyEachTime() {
        let bob = node.visitor(of: Array("~bob".utf8))
        #expect(bob.peer.hex == "4c7f088c23d06cf33ab85d86a4c489137b8b8a38359c2f6edb98b438ab5741c2")
        #expect(node.visitor(of: Array("~bob".utf8)).peer == bob.peer)
    }

    @Test func anotherAccountOrNodeHasAnotherKey() {
        let other = Identity(seed: SecretBytes(copying: Array(1...32)))
        let peers = [
            node.peer, node.visitor(of: []).peer, node.visitor(of: [0]).peer, node.visitor(of: [0, 0]).peer,
            other.visitor(of: [0]).peer,
        ]
        #expect(Set(peers).count == peers.count)
    }

    private func residence(of visitor: Identity, at host: PeerID, _ body: [UInt8]) -> VerifiedRecord {
        visitor.sign(
            Record(
                kind: RecordKind(rawValue: 14), author: visitor.peer, created: HybridTime(rawValue: 1 << 16),
                lifetimeSeconds: ResidenceBody.lifetimeSeconds, topic: host.key.bytes, body: body))
    }

    @Test func theWordOfTheNodeNamesIt() throws {
        let bob = node.visitor(of: [1])
        let record = residence(of: bob, at: node.peer, node.vouch(for: bob.peer).body)
        #expect(try ResidenceBody.host(of: record) == node.peer)
    }

    @Test func aWordThatTheNodeDidNotGiveIsNone() {
        let (bob, eve) = (node.visitor(of: [1]), Identity.generate())
        let word = node.vouch(for: bob.peer).body
        let forged = [
            residence(of: eve, at: node.peer, word), residence(of: bob, at: eve.peer, word),
            residence(of: bob, at: node.peer, bob.vouch(for: bob.peer).body),
            residence(of: bob, at: node.peer, Array(word.dropLast())), residence(of: bob, at: node.peer, word + [0]),
        ]
        for record in forged { #expect(throws: (any Error).self) { try ResidenceBody.host(of: record) } }
    }
}
