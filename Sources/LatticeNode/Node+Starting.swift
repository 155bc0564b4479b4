import LatticeCore
import LatticeStore
import Logging

// What a node finds out before it serves.
extension Node {
    static func newestDate(in wall: Wall?, for clock: NodeClock) async -> HybridTime {
        guard let wall else { return HybridTime(rawValue: 0) }
        do {
            return try await clock.learn(from: wall.store)
        } catch {
            return HybridTime(rawValue: 0)  // Writers to the store get the error.
        }
    }

    static func maintenance(of wall: Wall?, _ clock: NodeClock, _ logger: Logger) async -> Maintenance? {
        guard let wall else { return nil }
        do {
            return Maintenance(wall, clock, logger, after: try await wall.store.outbox.newest())
        } catch {
            return Maintenance(wall, clock, logger, after: nil)  // Its passes report the error.
        }
    }
}
