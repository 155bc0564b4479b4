import LatticeAPI
import LatticeCore
import LatticeStore
import Logging

/// How many bytes visitors shared and fetched on the current day. What counted before a restart counts still.
final class VisitorDays {
    private let table: VisitorDayTable
    private let logger: Logger
    private var files = VisitorFiles()

    init(_ store: Store, _ logger: Logger) {
        (table, self.logger) = (store.visitorDays, logger)
    }

    /// - Throws: as `VisitorFiles.take`; `store` if it cannot be stored. Then nothing is counted.
    nonisolated(nonsending) func take(
        _ count: Int64, of visitor: PeerID, at now: WallTime
    ) async throws(RequestError) {
        do {
            // Read in one step with what follows: another request of the visitor may come meanwhile.
            if !files.knows(visitor, at: now) {
                files.learn(try table.bytes(of: visitor, on: VisitorFiles.day(of: now)), of: visitor)
            }
        } catch {
            throw RequestError(error)
        }
        try files.take(count, of: visitor, at: now)
        do {
            try await table.add(count, of: visitor, on: VisitorFiles.day(of: now))
        } catch {
            files.giveBack(count, of: visitor, at: now)
            throw RequestError(error)
        }
    }

    /// What was taken was not used.
    ///
    /// - Parameter date: when it was taken.
    nonisolated(nonsending) func giveBack(_ count: Int64, of visitor: PeerID, takenAt date: WallTime) async {
        guard count > 0 else { return }
        files.giveBack(count, of: visitor, at: date)
        do {
            try await table.add(-count, of: visitor, on: VisitorFiles.day(of: date))
        } catch {
            // It counts until the day ends.
            logger.debug("a visitor's bytes were not given back", metadata: ["error": "\(error)"])
        }
    }
}
