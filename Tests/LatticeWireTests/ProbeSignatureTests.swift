import LatticeCore
import LatticeWire
import Testing

struct ProbeSignatureTests {
    private let blank = [UInt8](repeating: 9, count: 64)

    @Test func theFirstStopSignsTheProbeAndItself() throws {
        let probe = try Samples.probe()
        let expected =
            Array("lattice trace v1".utf8)
            + (try Samples.bytes(
                "0000000000000001" + Samples.authorHex + Samples.thirtyTwo("02") + Samples.authorHex + "03626f62"))
        #expect(probe.signedBytes(of: 0) == expected)
    }

    @Test func aStopSignsAllThatStoodThereBeforeIt() throws {
        var probe = try Samples.probe()
        let (peer, name) = (try Samples.peer(3), try PeerName("carol"))
        let signed = probe.signedBytes(appending: peer, name: name)
        #expect(
            try signed == probe.signedBytes(of: 0) + Samples.bytes(Samples.stopSignatureHex) + peer.key.bytes + [5]
                + Array("carol".utf8))
        let first = probe.signedBytes(of: 0)
        probe.path.append(Probe.Stop(peer: peer, name: name, signature: blank))
        #expect(probe.signedBytes(of: 1) == signed)
        #expect(probe.signedBytes(of: 0) == first)
    }

    @Test func whatRelaysChangeIsNotSigned() throws {
        var probe = try Samples.probe()
        let signed = probe.signedBytes(of: 0)
        probe.direction = .back
        probe.timeToLive = 1
        #expect(probe.signedBytes(of: 0) == signed)
    }

    @Test func anotherProbeIsAnotherSignature() throws {
        let probe = try Samples.probe()
        let (one, two) = (probe.from, probe.to)
        for (nonce, from, to) in [(2, one, two), (1, two, two), (1, one, one)] as [(UInt64, PeerID, PeerID)] {
            let other = Probe(direction: .there, nonce: nonce, from: from, to: to, timeToLive: 32, path: probe.path)
            #expect(other.signedBytes(of: 0) != probe.signedBytes(of: 0))
        }
    }
}
