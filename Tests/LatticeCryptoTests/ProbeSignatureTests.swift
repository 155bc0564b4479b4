import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

struct ProbeSignatureTests {
    private let alice = Identity(seed: SecretBytes(copying: Array(0..<32)))
    private let bob = Identity(seed: SecretBytes(copying: Array(1..<33)))
    private let carol = Identity(seed: SecretBytes(copying: Array(2..<34)))

    private func probe(to target: Identity, by identities: [Identity], nonce: UInt64 = 7) throws -> Probe {
        let probe = Probe(
            direction: .there, nonce: nonce, from: alice.peer, to: target.peer, timeToLive: 32, path: [])
        return try identities.enumerated().reduce(probe) { $1.element.endorse($0, as: try PeerName("p\($1.offset)")) }
    }

    private func answer() throws -> Probe {
        var probe = try probe(to: carol, by: [alice, bob, carol])
        probe.direction = .back
        return probe
    }

    private func isTrue(_ probe: Probe) -> Bool {
        do {
            try PathVerifier.verify(probe)
            return true
        } catch {
            return false
        }
    }

    @Test func aPathThatWasTakenIsTrue() throws {
        #expect(isTrue(try probe(to: carol, by: [alice, bob])))
        #expect(isTrue(try answer()))
    }

    @Test func aStopSignsTheQuestionAndEveryStopBeforeIt() throws {
        let answer = try answer()
        let question = [0, 0, 0, 0, 0, 0, 0, 7] + alice.peer.key.bytes + carol.peer.key.bytes
        let first = alice.peer.key.bytes + [2] + Array("p0".utf8)
        let second = bob.peer.key.bytes + [2] + Array("p1".utf8)
        try SignatureVerifier.verify(
            answer.path[1].signature, by: bob.peer, context: Array("lattice trace v1".utf8),
            question + first + answer.path[0].signature + second)
    }

    @Test func nobodyCanBePutInAPathOrTakenOut() throws {
        let answer = try answer()
        let direct = try probe(to: carol, by: [alice, carol])
        var paths = [
            [], Array(answer.path.dropLast()), Array(answer.path.dropFirst()), [answer.path[0], answer.path[2]],
            [answer.path[0], direct.path[1], answer.path[1], answer.path[2]], answer.path + [answer.path[1]],
            [answer.path[1], answer.path[0], answer.path[2]],
        ]
        // A false claim is signed with another key.
        let claimed = Probe.Stop(
            peer: carol.peer, name: answer.path[2].name,
            signature: bob.sign(context: [], answer.signedBytes(of: 2)))
        paths.append(Array(answer.path.dropLast()) + [claimed])
        let renamed = Probe.Stop(
            peer: bob.peer, name: try PeerName("p7"), signature: answer.path[1].signature)
        paths.append([answer.path[0], renamed, answer.path[2]])
        for path in paths {
            var forged = answer
            forged.path = path
            #expect(!isTrue(forged), "\(path.map(\.name.text))")
        }
    }

    @Test func anAnswerToOneQuestionAnswersNoOther() throws {
        let answer = try answer()
        let later = Probe(
            direction: .back, nonce: 8, from: alice.peer, to: carol.peer, timeToLive: 32, path: answer.path)
        #expect(throws: PathFault.unsigned(stop: 0)) { try PathVerifier.verify(later) }
    }

    @Test func aPathLeadsFromItsOriginToItsTarget() throws {
        var short = try probe(to: carol, by: [alice, bob])
        short.direction = .back
        #expect(throws: PathFault.broken) { try PathVerifier.verify(short) }
        let foreign = try probe(to: carol, by: [bob])
        #expect(throws: PathFault.broken) { try PathVerifier.verify(foreign) }
        let twice = try probe(to: carol, by: [alice, bob, alice])
        #expect(throws: PathFault.broken) { try PathVerifier.verify(twice) }
    }
}
