import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire

// Residence records: one is published for each visitor.
extension Announcer {
    /// Renewed after half of the lifetime.
    private static let residenceRenewedAfter: Int64 = Int64(ResidenceBody.lifetimeSeconds) * 1_000 / 2

    /// Once for each visit.
    func vouch(for id: PeerID, on node: isolated Node) async {
        guard let persona = node.personas.visitor(id), !persona.isVouchedFor else { return }
        node.personas.change(id) { $0.isVouchedFor = true }
        await publishResidence(of: persona.identity, on: node)
    }

    private func publishResidence(of identity: Identity, on node: isolated Node) async {
        let (me, now) = (node.mesh.me, node.clock.now)
        do {
            if let date = try await node.archive?.store.people.residence(of: identity.peer, at: me, at: now),
                node.clock.now.milliseconds - date.milliseconds < Self.residenceRenewedAfter
            {
                return
            }
        } catch {
            node.notifier.reportOnce(error, for: node)
        }
        let word = node.configuration.identity.vouch(for: identity.peer)
        let (signed, _) = await node.publisher.signKept(
            .residence, by: identity, lifetime: ResidenceBody.lifetimeSeconds, topic: me.key.bytes,
            bodies: [word.body], for: node)
        for (record, _) in signed { node.submit(record) }
    }
}
