import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Residence records: one is published for each visitor, and those of others are looked up.
extension Node {
    /// Renewed after half of the lifetime.
    private static let residenceRenewedAfter: Int64 = Int64(ResidenceBody.lifetimeSeconds) * 1_000 / 2

    /// Once for each visit.
    func vouch(for id: PeerID) async {
        guard let persona = personas.visitor(id), !persona.isVouchedFor else { return }
        personas.change(id) { $0.isVouchedFor = true }
        await publishResidence(of: persona.identity)
    }

    private func publishResidence(of identity: Identity) async {
        do {
            if let date = try await wall?.store.residence(of: identity.peer, at: mesh.me, at: clock.now),
                clock.now.milliseconds - date.milliseconds < Self.residenceRenewedAfter
            {
                return
            }
        } catch {
            tellOnce(error)
        }
        let word = configuration.identity.vouch(for: identity.peer)
        let (record, _, _) = await publisher.signKept(
            .residence, by: identity, lifetime: ResidenceBody.lifetimeSeconds, topic: mesh.me.key.bytes,
            body: word.body, for: self)
        submit(record)
    }

    /// All known peers, and through which node they speak.
    func peersWithHosts() async -> [PeerInfo] {
        let all = peers()
        await lookUpHosts(of: all.filter(\.isHere).compactMap(\.id))
        return all.map { withHost($0) }
    }

    func withHost(_ peer: PeerInfo) -> PeerInfo {
        guard let id = peer.id else { return peer }
        var peer = peer
        peer.host = personas.visitor(id) == nil ? hosts[id] : mesh.me
        return peer
    }

    /// Records from before this process began are in the store.
    private func lookUpHosts(of peers: [PeerID]) async {
        let unknown = peers.filter { !hosts.isKnown($0) && personas.visitor($0) == nil }
        guard !unknown.isEmpty, let wall else { return }
        do {
            for signed in try await wall.store.residences(of: unknown, at: clock.now) {
                hosts.heard(try verifier.verify(signed))
            }
        } catch {
            logger.debug("could not read which node each resident uses", metadata: ["error": "\(error)"])
        }
        for peer in unknown where !hosts.isKnown(peer) { hosts.saysNothing(peer) }
    }

    /// Whom to probe for a peer: a visitor answers no probe, their node does.
    func probed(for peer: PeerID) -> PeerID {
        personas.visitor(peer) == nil ? hosts[peer] ?? peer : mesh.me
    }
}
