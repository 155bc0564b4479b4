import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore

// What personas write on request, and what follows.
extension Publisher {
    private static let lookInterval: Duration = .milliseconds(50)

    /// Where this persona's requests on the store are carried out.
    func desk(of persona: Persona, for node: isolated Node) throws(RequestError) -> PersonaDesk {
        desk(of: try persona.storedArchive(), for: node)
    }

    func desk(of archive: Archive, for node: isolated Node) -> PersonaDesk {
        PersonaDesk(archive) { drafts throws(StoreError) in
            try await Publisher.publish(drafts, in: archive.store, for: node)
        }
    }

    private static func publish(
        _ drafts: [Draft], in store: Store, for node: isolated Node
    ) async throws(StoreError) -> [Published] {
        try await node.publisher.publish(drafts, in: store, for: node)
    }

    /// After a persona wrote.
    func wrote(_ id: PeerID, for node: isolated Node) async {
        node.maintenance?.wrote()
        node.sync.storeChanged()
        do {
            try await handOver(of: id, for: node)
        } catch {
            if !Task.isCancelled { node.notifier.reportOnce(error, for: node) }
        }
        // It may be for a persona here.
        if node.personas.hasVisitors { node.mail.wake() }
    }

    /// After a request that may have written.
    func wrote<Reply>(_ reply: Reply, by persona: Persona, for node: isolated Node) async {
        if let report = reply as? ImportReport, report.added > 0 { node.notifier.tell(.changed(.many), for: node) }
        // It may be the card of another person now.
        if reply is MeshCardStatus { node.notifier.tell(.changed(.many), for: node) }
        if reply is Here || reply is PersonInfo { node.personas.newsScopeChanged(of: persona) }
        await wrote(persona.id, for: node)
        // A front that shows the item sees at once when it is sent.
        let items = (reply as? PublishDrafts.Reply)?.items ?? (reply as? ItemInfo).map { [$0] } ?? []
        if items.contains(where: \.isWaiting) { node.handle(.flushWanted) }
    }

    /// Sends what was written to any neighbour.
    ///
    /// - Returns: whether the condition held in time.
    func send(until end: Instant, _ isDone: @Sendable () async -> Bool, for node: isolated Node) async -> Bool {
        while await !isDone() {
            guard Clocks.now < end else { return false }
            if node.mesh.register.neighbourCount > 0 { node.handle(.flushWanted) }
            do {
                try await Task.sleep(for: Self.lookInterval)
            } catch {
                return false
            }
        }
        return true
    }
}
