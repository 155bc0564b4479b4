import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeStore
import LatticeWire
import Logging

// Once a second: other processes' writes to the store, expiry, and the clocks.
extension Node {
    private static let lookInterval: Duration = .seconds(1)
    /// Even if its files look unchanged, the store is queried this often for others' writes.
    private static let askInterval: Duration = .seconds(10)
    /// Maintenance runs at least this often.
    private static let maintenanceInterval: Duration = .seconds(600)
    /// Portions that expire in one look: the rest follows in the next, so that others can write in between.
    private static let expirePortionsMax = 8

    func lookAround() async {
        var look: StoreLook?
        while !Task.isCancelled {
            lookAtClock()
            lookAtSleep()
            await lookAfterPeople()
            announceDay()
            measure()
            ingest.look(at: Clocks.now)
            storeWhatCame()
            if let wall {
                look = await lookAfter(wall, after: look)
                await maintain(wall)
                await noteComparisons(in: wall)
                reconciliation?.look()
            }
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

    /// The state of the store at the last query.
    private struct StoreLook {
        let changes: Int
        let files: [FileMark?]
        let at: Instant
    }

    /// Gives the mesh what waits in the store, including new records of another process of this person.
    ///
    /// - Returns: the argument for the next call.
    private func lookAfter(_ wall: Wall, after last: StoreLook?) async -> StoreLook? {
        do {
            let newest = ownTold.newest
            let look = try await self.look(at: wall, after: last)
            let isNews = look.changes != last?.changes
            if isNews {
                hasWritten = true
                reconciliation?.storeChanged()
            }
            mail.look(isNews: isNews, at: Clocks.now)
            if isNews, last != nil {
                // Another process does not report what it removed or added.
                if try await !tellOwn(on: wall) { tell(.changed(.many)) }
                publisher.fellBehind(personas.owner.id)
            } else {
                ownTold.settle(upTo: newest)
            }
            try await handOverRest()
            return look
        } catch {
            if !Task.isCancelled { tellOnce(error) }
            return last
        }
    }

    /// A query wakes another thread, which an idle node should avoid: file marks are read on this one.
    private func look(at wall: Wall, after last: StoreLook?) async throws(StoreError) -> StoreLook {
        let now = Clocks.now
        // Before the query, so that a write during it is seen next time.
        let files = wall.store.fileMarks
        if let last, last.files == files, last.at.duration(to: now) < Self.askInterval { return last }
        return StoreLook(changes: try await wall.store.changeCount(), files: files, at: now)
    }

    private func maintain(_ wall: Wall) async {
        if hasWritten {
            hasWritten = false
            isExpiryUnknown = true
            mustLookAtKeeping = true
        }
        let now = Clocks.now
        let isRegular = maintainedAt.map { $0.duration(to: now) >= Self.maintenanceInterval } ?? true
        // Before the catalogue is read, retention is not announced.
        if mustLookAtKeeping, keepingTold != nil {
            mustLookAtKeeping = false
            await tellKeeping(of: wall)
        }
        let isDue = nextExpiry.map { $0 <= clock.now } ?? false
        guard isRegular || isExpiryUnknown || isDue, mayExpire else { return }
        if isRegular {
            maintainedAt = now
            // A date in it may have moved with time.
            mustLookAtKeeping = true
            do {
                // First, as records might expire if the clock jumped.
                try await desk(of: wall).renew(at: clock.now)
            } catch {
                logger.debug("could not renew records that are about to expire", metadata: ["error": "\(error)"])
            }
        }
        await expire(in: wall, isRegular: isRegular)
    }

    private func expire(in wall: Wall, isRegular: Bool) async {
        do {
            isExpiryUnknown = false
            nextExpiry = try await wall.store.nextExpiry()
            var isDue = isRegular || nextExpiry.map { $0 <= clock.now } ?? false
            for _ in 0..<Self.expirePortionsMax where isDue {
                let removed = try await wall.store.expire(at: clock.now)
                if removed > 0 {
                    mustLookAtKeeping = true
                    reconciliation?.storeChanged()
                }
                isDue = removed == Store.expirePortion
            }
            nextExpiry = try await wall.store.nextExpiry()
        } catch {
            logger.debug("could not clean up the store", metadata: ["error": "\(error)"])
        }
    }
}
