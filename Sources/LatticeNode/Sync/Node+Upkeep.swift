import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeStore
import LatticeWire
import Logging

// Once a second: what other processes did to the store, what is over, what the clocks say.
extension Node {
    private static let lookInterval: Duration = .seconds(1)
    /// However much its files look as they did, the store is asked this often whether somebody else has written.
    private static let askInterval: Duration = .seconds(10)
    /// However little happens, the store is tidied up this often.
    private static let maintenanceInterval: Duration = .seconds(600)
    /// Portions that are removed in one look: the rest in the next, so that others write between them.
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
                // As late as this comes everything comes here.
                metrics.lagged(by: due.duration(to: Clocks.now))
            } catch {
                return  // Cancelled: the node ends.
            }
        }
    }

    /// What was seen of the store when it was asked last.
    private struct StoreLook {
        let changes: Int
        let files: [FileMark?]
        let at: Instant
    }

    /// Gives the mesh what waits in the store: what was written before, and what another process of this person writes.
    ///
    /// - Returns: what is to be handed in the next time.
    private func lookAfter(_ wall: Wall, after last: StoreLook?) async -> StoreLook? {
        do {
            let look = try await self.look(at: wall, after: last)
            let isNews = look.changes != last?.changes
            if isNews {
                hasWritten = true
                reconciliation?.storeChanged()
            }
            mail.look(isNews: isNews, at: Clocks.now)
            if isNews, last != nil {
                // What another process took away or brought, it tells nobody.
                if try await !tellOwn(on: wall) { tell(.changed(.many)) }
            }
            if isNews { try await handOver(of: personas.owner.id) }
            try await handOverRest()
            return look
        } catch {
            if !Task.isCancelled { tellOnce(error) }
            return last
        }
    }

    /// To ask the store wakes another thread, which a node that idles can do without: its files tell on this one.
    private func look(at wall: Wall, after last: StoreLook?) async throws(StoreError) -> StoreLook {
        let now = Clocks.now
        // Before it is asked: what is written meanwhile is seen the next time.
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
        // Before the catalogue is read nobody is told anything.
        if mustLookAtKeeping, keepingTold != nil {
            mustLookAtKeeping = false
            await tellKeeping(of: wall)
        }
        let isDue = nextExpiry.map { $0 <= clock.now } ?? false
        guard isRegular || isExpiryUnknown || isDue, mayExpire else { return }
        if isRegular {
            maintainedAt = now
            // A date in it may have moved on by itself.
            mustLookAtKeeping = true
            do {
                // Before it goes, should the clock have leapt.
                try await wall.renew(at: clock.now)
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
