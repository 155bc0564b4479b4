import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeStore
import LatticeWire
import Logging

// Neighbours get the records they ask for: read from the store as fast as they take them in, and no faster.
extension Node {
    /// What is supplied may wait on a link to this much: one batch of its writer, so that what people say meanwhile is behind it
    /// by a moment, and half of what a link may hold before others' lines are kept back from it.
    private static let waitingBytesMax = 256 << 10
    /// The next portion is read when so little waits: the writer is at work on the batch before it then.
    private static let waitingBytesMin = 128 << 10
    /// A neighbour that takes in nothing for so long has asked others meanwhile; what it asked for is forgotten.
    private static let patience: Duration = .seconds(20)

    func supply(_ ids: [RecordID], to id: LinkID) {
        guard let link = live[id], !link.isClosing else { return }
        guard wall != nil else { return sendLack(of: ids, to: link) }
        var queue = supplies[id] ?? SupplyQueue()
        let isAtWork = supplies[id] != nil
        var refused = queue.add(ids, at: Clocks.now)
        supplies[id] = queue
        if !isAtWork {
            if case .enqueued = supplyInput.yield(link) {
            } else {
                supplies[id] = nil
                refused = ids
            }
        }
        sendLack(of: refused, to: link)
    }

    /// One task for each link that something is supplied to.
    nonisolated func supply(over links: AsyncStream<Link>) async {
        await withDiscardingTaskGroup { group in
            for await link in links {
                group.addTask { await self.supplyAll(to: link) }
            }
        }
    }

    private nonisolated func supplyAll(to link: Link) async {
        while let ids = await nextSupply(for: link), let store = wall?.store {
            do {
                let records = try await store.supplies(ids, at: clock.now)
                let bytes = records.reduce(0) { $0 + $1.record.bytes.count }
                for (record, age) in records {
                    guard link.send(Frame.supply(Supply(ageSeconds: age, signed: record)).bytes) else { break }
                    metrics.sent(.supply)
                }
                if records.count < ids.count { await sendLack(of: ids, but: records.map(\.record), to: link) }
                await supplied(records.count, bytes: bytes, to: link)
            } catch {
                logger.debug("could not read the requested records", metadata: ["error": "\(error)"])
                sendLack(of: ids, to: link)
            }
            await waitForRoom(on: link)
            await waitForBudget(of: link)
        }
    }

    /// - Returns: `nil` when there is nothing more to do for this link.
    private func nextSupply(for link: Link) -> [RecordID]? {
        guard let queue = supplies[link.id], !queue.isEmpty, !link.isClosing else {
            supplies[link.id] = nil
            return nil
        }
        return supplies[link.id]?.next()
    }

    private func supplied(_ records: Int, bytes: Int, to link: Link) {
        supplies.sent(records, bytes: bytes, to: link.id, of: link.peer.peer, at: Clocks.now)
    }

    /// A neighbour that fetches more than any peer stores gets it at a limited rate.
    private nonisolated func waitForBudget(of link: Link) async {
        while !link.isClosing, let wait = await budgetWait(of: link) {
            do {
                try await Task.sleep(for: wait)
            } catch {
                return  // Cancelled: the node ends.
            }
        }
    }

    private func budgetWait(of link: Link) -> Duration? {
        let now = Clocks.now
        return supplies.waitsUntil(link.peer.peer, at: now).map { now.duration(to: $0) }
    }

    private nonisolated func waitForRoom(on link: Link) async {
        guard link.waitingBytes > Self.waitingBytesMax else { return }
        let end = Clocks.now.advanced(by: Self.patience)
        while link.waitingBytes > Self.waitingBytesMin, !link.isClosing {
            guard Clocks.now < end else { return await forgetSupplies(of: link.id) }
            await link.drained(below: Self.waitingBytesMin, atMost: Self.patience)
        }
    }

    private func forgetSupplies(of link: LinkID) {
        supplies[link] = SupplyQueue()
    }

    /// Of these, those that the store does not have.
    private nonisolated func sendLack(of ids: [RecordID], but records: [SignedRecord], to link: Link) async {
        let found = Set(records.map { RecordID(Digest.blake2b256($0.bytes)) })
        sendLack(of: ids.filter { !found.contains($0) }, to: link)
    }

    private nonisolated func sendLack(of ids: [RecordID], to link: Link) {
        for start in stride(from: 0, to: ids.count, by: RecordIDs.countMax) {
            let part = Array(ids[start..<min(start + RecordIDs.countMax, ids.count)])
            if link.send(Frame.lack(RecordIDs(part)).bytes) { metrics.sent(.lack) }
        }
    }
}
