import LatticeCore
import LatticeLink

// Once a second.
extension Node {
    private static let lookInterval: Duration = .seconds(1)

    func lookAround() async {
        while !Task.isCancelled {
            lookAtClock()
            lookAtSleep()
            await lookAfterPeople()
            announceDay()
            measure()
            ingest.look(for: self)
            await maintenance?.pass(for: self)
            reconciliation?.look()
            do {
                let due = Clocks.now.advanced(by: Self.lookInterval)
                try await executor.sleep(for: Self.lookInterval)
                // This lateness is shared by everything on the loop.
                metrics.lagged(by: due.duration(to: Clocks.now))
            } catch {
                return  // Cancelled: the node is stopping.
            }
        }
    }
}
