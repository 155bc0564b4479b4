import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire

// Residence records: one is published for each visitor.
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
            if let date = try await wall?.store.people.residence(of: identity.peer, at: mesh.me, at: clock.now),
                clock.now.milliseconds - date.milliseconds < Self.residenceRenewedAfter
            {
                return
            }
        } catch {
            tellOnce(error)
        }
        let word = configuration.identity.vouch(for: identity.peer)
        let (signed, _) = await publisher.signKept(
            .residence, by: identity, lifetime: ResidenceBody.lifetimeSeconds, topic: mesh.me.key.bytes,
            bodies: [word.body], for: self)
        for (record, _) in signed { submit(record) }
    }
}
