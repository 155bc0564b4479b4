import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeCrypto
import LatticeWire

extension Bridge {
    /// A record that expires sooner is not published.
    private static let lifeMin: Int64 = 60_000

    private struct Outgoing {
        let id: RecordID
        let parcel: BridgeParcel
    }

    /// Publishes the node's records without end, in the order of its store.
    func feedOut() async throws {
        while !Task.isCancelled {
            await gateOpens()
            let beginning = beginnings
            do throws(RequestError) {
                openFeed = try await node.perform(RecordsSubscribe(after: fed, notVia: via, crossing: true)).feed
            } catch {
                guard error == .feed(fault: .positionGone) else { throw error }
                try await beginAnew()
                continue
            }
            if beginning != beginnings, let feed = openFeed { _ = try await node.perform(RecordsEnd(feed)) }
            while let feed = openFeed, beginning == beginnings, !Task.isCancelled {
                try await follow(feed, beginning)
            }
            openFeed = nil
        }
    }

    /// - Parameter beginning: once it is over, the feed is, too.
    private func follow(_ feed: Int, _ beginning: Int) async throws {
        let batch: RecordBatch
        do throws(RequestError) {
            batch = try await node.nextRecords(of: feed)
        } catch {
            guard beginning == beginnings else { return }
            guard error == .feed(fault: .positionGone) else { throw error }
            return try await beginAnew()
        }
        let crossed = try await cross(batch.records)
        guard beginning == beginnings, !Task.isCancelled else { return }
        guard crossed == .all else { return try await readAgain(feed, after: crossed) }
        // Also those that the broker had before: the bridge may have been killed when it had just published one.
        let blobs = batch.records.compactMap { blob(namedBy: $0) }
        if !blobs.isEmpty {
            try state.awaits(blobs, at: time.wallTime())
            status.isEachBlobTried = false
            blobSignal.raise()
        }
        try state.fed(batch.position)
        (outWait, passed) = (Wait.first, [])
        (fed, status.isLive) = (batch.position, batch.live)
        _ = try await node.perform(RecordsTaken(feed, batch.position))
    }

    private func gateOpens() async {
        while !gate.isOpen(at: time.now()), !Task.isCancelled { await gateSignal.wait() }
    }

    private enum Crossed {
        /// The broker has each.
        case all
        /// Some must be published again, later.
        case some
        /// What others have published must be read first.
        case none
    }

    private func cross(_ records: [RecordBatch.Entry]) async throws -> Crossed {
        guard gate.isOpen(at: time.now()) else { return .none }
        var outgoing = records.compactMap { parcel(of: $0) }
        let skipped = try state.skipped(of: outgoing.map(\.id))
        outgoing.removeAll { skipped.contains($0.id) || passed.contains($0.id) }
        guard !outgoing.isEmpty else {
            status.obstacleOut = nil
            return .all
        }
        let last = outgoing.last?.id
        noteClock { $0.sends(last, at: time.wallTime()) }
        let outcomes = await broker.publish(outgoing.map(\.parcel))
        noteClock { $0.answered(last, outcomes.last, at: time.wallTime()) }
        let left = zip(outgoing, outcomes).filter { !isThere($0.id, $1) }
        status.published.repeated += left.count
        if left.isEmpty { status.obstacleOut = nil }
        if left.count < outgoing.count { outWait = Wait.first }
        return left.isEmpty ? .all : .some
    }

    /// Waits, and ends the feed. What was read is read anew then: its author may have deleted it meanwhile, or let it cross no
    /// more.
    private func readAgain(_ feed: Int, after crossed: Crossed) async throws {
        status.isLive = false
        if crossed == .some {
            await time.sleep(status.obstacleOut == .full ? Wait.full : outWait)
            outWait = min(outWait * 2, Wait.max)
        }
        // Until then the node counts what waits for this feed.
        await gateOpens()
        openFeed = nil
        _ = try await node.perform(RecordsEnd(feed))
    }

    private func isThere(_ id: RecordID, _ outcome: PublishOutcome) -> Bool {
        switch outcome {
        case .stored:
            status.published.stored += 1
            echoes.insert(id)
            passed.insert(id)
            return true
        case .known:
            status.published.known += 1
            passed.insert(id)
            return true
        case .full: status.obstacleOut = .full
        case .failed(let reason): status.obstacleOut = .broker(.unreachable(reason))
        }
        return false
    }

    private func parcel(of entry: RecordBatch.Entry) -> Outgoing? {
        do {
            let record = try SignedRecord(decoding: entry.bytes[...])
            let end = record.record.created.wallTime.milliseconds + Int64(record.record.lifetimeSeconds) * 1_000
            guard record.record.kind != .presence, end - time.wallTime().milliseconds >= Self.lifeMin else {
                return nil
            }
            return Outgoing(id: entry.id, parcel: wrapping.parcel(of: record, id: entry.id))
        } catch {
            return nil  // A later version's record, which this one cannot name.
        }
    }

    /// - Returns: `nil` if the record names nothing, or something that is too large.
    private func blob(namedBy entry: RecordBatch.Entry) -> (name: BlobName, record: RecordID)? {
        do {
            guard let name = try SignedRecord(decoding: entry.bytes[...]).record.namedBlob, name.size > 0,
                name.size <= blobBytesMax
            else { return nil }
            return (name, entry.id)
        } catch {
            return nil  // As above.
        }
    }
}
