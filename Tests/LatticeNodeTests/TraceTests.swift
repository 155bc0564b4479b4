import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode
import LatticeWire
import Logging
import Testing

/// Whether a node shows a path depends on who signed it, not on who brings it.
@Suite(.timeLimit(.minutes(10))) struct TraceTests {
    private let far = Identity.generate()

    @Test func aPathThatEverybodySignedIsShown() async throws {
        let (far, name) = (far, try PeerName("far"))
        let path = try await trace { far.endorse($0, as: name) }
        #expect(path.count == 3)
        #expect(path.last == ProbeInfo.Stop(id: far.peer, name: name))
    }

    @Test func aPathThatSomebodyElseSignedForItsTargetIsNot() async throws {
        let (far, name, liar) = (far, try PeerName("far"), Identity.generate())
        let error = await #expect(throws: RequestError.self) {
            try await trace { question in
                let signature = liar.sign(context: [], question.signedBytes(appending: far.peer, name: name))
                var answer = question
                answer.path.append(Probe.Stop(peer: far.peer, name: name, signature: signature))
                return answer
            }
        }
        #expect(error?.code == .untrusted)
    }

    /// The path to `far` that a node shows when its only neighbour answers so.
    private func trace(_ answer: @escaping @Sendable (Probe) -> Probe) async throws -> [ProbeInfo.Stop] {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let mesh = try MeshName("traced")
        var configuration = NodeConfiguration(
            identity: .generate(), name: try PeerName("near"), rooms: [], mesh: mesh)
        configuration.discovery = .off
        let node = try await Node(configuration, logger: logger)
        let relay = try await Relay(mesh: mesh, logger: logger, answer: answer)
        let address = PeerAddress(host: "127.0.0.1", port: await node.me.port)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await node.run() }
            group.addTask { await relay.run(with: address) }
            defer { group.cancelAll() }
            try await connected(node, to: relay.identity.peer)
            let info = try await node.perform(ProbePeer(PeerReference(far.peer)))
            return info.path
        }
    }

    private func connected(_ node: Node, to peer: PeerID) async throws {
        try await eventually("a link comes up") {
            let peers = try await node.perform(ListPeers()).peers
            return peers.contains { $0.id == peer && $0.state == .connected }
        }
    }
}
