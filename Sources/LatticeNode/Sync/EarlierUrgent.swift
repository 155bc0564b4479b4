import LatticeCore
import LatticeMesh
import LatticeStore
import Logging

extension Urgency {
    /// Earlier records are not counted.
    static func dayBefore(_ now: WallTime) -> WallTime {
        WallTime(milliseconds: now.milliseconds - MeshLimit.urgentFor.nanoseconds / 1_000_000)
    }
}

extension Urgency.Counted {
    /// What was urgent in the last day, so that a restart does not reset the limit of anybody.
    static func found(in store: Store?, at now: WallTime, logger: Logger) async -> [Urgency.Counted] {
        guard let store else { return [] }
        do {
            let earlier = try await store.urgent.recent(since: Urgency.dayBefore(now))
            let instant = Clocks.now
            return earlier.map { one in
                // A clock that was set back must not make it last longer.
                let ago = Duration.milliseconds(max(0, now.milliseconds - one.seen.milliseconds))
                return Urgency.Counted(
                    one.id, by: one.author, one.isFetched ? .fetched : .relayed,
                    at: instant.advanced(by: .zero - ago))
            }
        } catch {
            // Authors may have three more today.
            logger.debug("could not read what was urgent", metadata: ["error": "\(error)"])
            return []
        }
    }
}
