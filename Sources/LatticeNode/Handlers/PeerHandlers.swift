import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

/// Requests about peers. A visitor sees the owner like any other peer.
enum PeerHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(ListPeers.self) { node, persona, _ throws(RequestError) in
            let others = await peersWithHosts(of: node)
            let all = persona.isOwner ? others : [owner(of: node)] + others.filter { $0.id != persona.id }
            let now = Clocks.now
            return .init(
                all.map { peer in
                    var peer = peer
                    peer.idle = peer.id.flatMap { node.notifier.spoken[$0] }?.duration(to: now)
                    return peer
                })
        }
        table.onPersona(ProbePeer.self) { node, persona, request throws(RequestError) in
            try await probe(try await node.peer(request.peer, for: persona), by: node)
        }
    }

    static func peers(of node: isolated Node) -> [PeerInfo] { node.mesh.peers().map(PeerInfo.init) }

    /// The owner, as visitors see it.
    static func owner(of node: isolated Node) -> PeerInfo {
        let owner = node.personas.owner
        return PeerInfo(
            id: owner.id, prefix: owner.id.prefix, name: owner.name.text, state: .notConnected, hops: 0, isHere: true,
            rooms: owner.publicRooms, away: owner.away)
    }

    /// All known peers, and through which node they speak.
    private static func peersWithHosts(of node: isolated Node) async -> [PeerInfo] {
        let all = peers(of: node)
        await lookUpHosts(of: all.filter(\.isHere).compactMap(\.id), on: node)
        return all.map { peer in
            guard let id = peer.id else { return peer }
            var peer = peer
            peer.host = node.personas.visitor(id) == nil ? node.personas.hosts[id] : node.mesh.me
            return peer
        }
    }

    /// Records from before this process began are in the store.
    private static func lookUpHosts(of peers: [PeerID], on node: isolated Node) async {
        let unknown = peers.filter { !node.personas.hosts.isKnown($0) && node.personas.visitor($0) == nil }
        guard !unknown.isEmpty, let archive = node.archive else { return }
        do {
            for signed in try await archive.store.people.residences(of: unknown, at: node.clock.now) {
                node.personas.hosts.heard(try node.arrivals.verifier.verify(signed))
            }
        } catch {
            node.logger.debug("could not read which node each visitor uses", metadata: ["error": "\(error)"])
        }
        for peer in unknown where !node.personas.hosts.isKnown(peer) { node.personas.hosts.saysNothing(peer) }
    }

    /// Whom to probe for a peer: a visitor answers no probe, their node does.
    private static func answerer(for peer: PeerID, on node: isolated Node) -> PeerID {
        node.personas.visitor(peer) == nil ? node.personas.hosts[peer] ?? peer : node.mesh.me
    }

    private static func probe(_ peer: PeerID, by node: isolated Node) async throws(RequestError) -> ProbeInfo {
        let (me, peer) = (node.mesh.me, answerer(for: peer, on: node))
        guard peer != me || !node.personas.hasVisitors else {
            return ProbeInfo(roundTrip: .zero, path: [ProbeInfo.Stop(id: me, name: node.personas.owner.name)])
        }
        let nonce = SecureRandom.word()
        let seconds = MeshLimit.probeTimeout.components.seconds
        switch await node.wait(for: .probed(nonce: nonce), until: nil, after: .probeWanted(peer, nonce: nonce)) {
        case .probed(.answered(let roundTrip, let path)):
            return ProbeInfo(roundTrip: roundTrip, path: path.map { ProbeInfo.Stop(id: $0.peer, name: $0.name) })
        case .probed(.noRoute):
            throw .noNeighbour
        case .probed(.timedOut), .happened, .ended:
            throw .noAnswer(seconds: seconds)
        case .probed(.forged):
            throw .untrusted(seconds: seconds)
        }
    }
}

extension PeerInfo {
    fileprivate init(_ view: PeerView) {
        self.init(
            id: view.peer, prefix: view.prefix, name: view.name, state: PeerState(view.state),
            hops: view.hops.map(Int.init), roundTrip: view.roundTrip, address: view.address, source: view.source,
            via: view.via, isHere: view.isHere, rooms: view.rooms,
            reason: view.reason.map(LinkEnding.init), away: view.away, info: view.info.pairs)
    }
}
