import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire
import Logging

// Once a second: what other processes did to the store, what is over, what the clocks say.
extension Node {
    private static let lookInterval: Duration = .seconds(1)
    /// However little happens, the store is tidied up this often.
    private static let maintenanceInterval: Duration = .seconds(600)
    /// Portions that are removed in one look: the rest in the next, so that others write between them.
    private static let expirePortionsMax = 8

    func lookAround() async {
        var changes: Int?
        while !Task.isCancelled {
            lookAtClock()
            lookAtSleep()
            await lookAfterPeople()
            announceDay()
            measure()
            if let wall {
                changes = await lookAfter(wall, after: changes)
                await maintain(wall)
                await noteComparisons(in: wall)
            }
            do {
                let due = try await Self.pause(Self.lookInterval)
                metrics.lagged(by: due.duration(to: Clocks.now))
            } catch {
                return  // Cancelled: the node ends.
            }
        }
    }

    /// Gives the mesh what waits in the store: what was written before, and what another process of this person writes.
    ///
    /// - Returns: what is to be handed in the next time.
    private func lookAfter(_ wall: Wall, after changes: Int?) async -> Int? {
        do {
            let now = try await wall.store.changeCount()
            if now != changes {
                hasWritten = true
                followInput.yield()
            }
            lookAfterMail(isNews: now != changes || !residents.keysDue(at: Clocks.now).isEmpty)
            if now != changes, changes != nil {
                // What another process took away or brought, it tells nobody.
                if try await !tellOwn(on: wall) { tell(.changed(.many)) }
            }
            if now != changes || isBehind { try await handOver(from: wall) }
            return now
        } catch {
            if !Task.isCancelled { tellOnce(error) }
            return changes
        }
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
                logger.debug("what is to hold on was not said again", metadata: ["error": "\(error)"])
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
                    followInput.yield()
                }
                isDue = removed == Store.expirePortion
            }
            nextExpiry = try await wall.store.nextExpiry()
        } catch {
            logger.debug("the store was not tidied up", metadata: ["error": "\(error)"])
        }
    }
}
