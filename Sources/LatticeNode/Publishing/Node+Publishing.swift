import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore

// What personas write.
extension Node {
    /// Where this persona's requests on the store are carried out.
    func desk(of persona: Persona) throws(RequestError) -> PersonaDesk {
        let wall = try persona.storedWall()
        return desk(of: wall)
    }

    func desk(of wall: Wall) -> PersonaDesk {
        PersonaDesk(wall) { drafts throws(StoreError) in try await self.publish(drafts, in: wall.store) }
    }

    private func publish(_ drafts: [Draft], in store: Store) async throws(StoreError) -> [Published] {
        try await publisher.publish(drafts, in: store, for: self)
    }

    /// After a persona wrote.
    func wrote(_ id: PeerID) async {
        maintenance?.wrote()
        reconciliation?.storeChanged()
        do {
            try await publisher.handOver(of: id, for: self)
        } catch {
            if !Task.isCancelled { tellOnce(error) }
        }
        // It may be for a persona here.
        if personas.hasVisitors { mail.wake() }
    }

    /// After a request that may have written.
    func wrote<Reply>(_ reply: Reply, by persona: Persona) async {
        if let report = reply as? ImportReport, report.added > 0 { tell(.changed(.many)) }
        await wrote(persona.id)
        // A front that shows the item sees at once when it is sent.
        if let item = reply as? ItemInfo, item.isWaiting { handle(.flushWanted) }
    }
}
