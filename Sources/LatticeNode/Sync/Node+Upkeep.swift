import LatticeCore
import LatticeLink

// Once a second.
extension Node {
    private static let lookInterval: Duration = .seconds(1)

    func lookAround() async {
        while !Task.isCancelled {
            clock.look(for: self)
            LocalNetwork.look(for: self)
            await Contacts.look(for: self)
            Meter.measure(self)
            ingest.look(for: self)
            await maintenance?.pass(for: self)
            sync.reconciliation?.look()
            await blobs?.look()
            await blobs?.fetches.look(for: self)
            do {
                let due = Clocks.now.advanced(by: Self.lookInterval)
                try await loop.executor.sleep(for: Self.lookInterval)
                // This lateness is shared by everything on the loop.
                meter.metrics.lagged(by: due.duration(to: Clocks.now))
            } catch {
                return  // Cancelled: the node is stopping.
            }
        }
    }
}
