import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeWire

extension LiveBridge {
    private struct Outgoing {
        let item: LiveItem
        let bytes: [UInt8]
    }

    /// Messages between two confirmations.
    private static let publishMax = 128
    /// Half a second, and up to eight.
    private static let waits: (first: Duration, max: Duration) = (.milliseconds(500), .seconds(8))

    /// Reads the node's records without end. What has not been published yet waits here, up to the window of the feed.
    func readFeed() async throws {
        while !Task.isCancelled {
            do throws(RequestError) {
                let reply = try await node.perform(RecordsSubscribe(after: fed, notVia: .mqtt, crossing: true))
                flow.begin(reply.feed)
            } catch {
                guard error == .feed(fault: .positionGone) else { throw error }
                try beginAnew()
                continue
            }
            while let feed = flow.feed, let batch = try await nextBatch(of: feed) { flow.add(batch) }
        }
    }

    /// - Returns: `nil` once the feed is over.
    private func nextBatch(of feed: Int) async throws -> RecordBatch? {
        do throws(RequestError) {
            return try await node.nextRecords(of: feed)
        } catch {
            // Opened again, it says what has become of the store.
            guard !Task.isCancelled, [.feed(fault: .positionGone), .feed(fault: .unknown)].contains(error) else {
                throw error
            }
            return nil
        }
    }

    /// Publishes what was read, in its order: all that came while the broker confirmed what was before, at once.
    func publishFeed() async throws {
        while !Task.isCancelled {
            guard let (feed, batches) = flow.next(), let last = batches.last else {
                await flow.signal.wait()
                continue
            }
            let outgoing = batches.flatMap(\.records).compactMap { candidate($0) }
            // What came from the broker as well need not go there.
            let fresh = outgoing.filter { $0.item.compared.map { !items.contains($0) } ?? false }
            guard try await publish(fresh), flow.feed == feed else { continue }
            try keep(outgoing.map(\.item), fed: last.position)
            fed = last.position
            link.isFed = last.live && flow.isEmpty
            _ = try await node.perform(RecordsTaken(feed, last.position))
        }
    }

    private func candidate(_ entry: RecordBatch.Entry) -> Outgoing? {
        do {
            let record = try SignedRecord(decoding: entry.bytes[...]).record
            let item = LiveItem(entry.id, record, seq: entry.position.seq)
            guard let item, record.kind != .presence, isAlive(item) else { return nil }
            return Outgoing(item: item, bytes: entry.bytes)
        } catch {
            return nil  // A later version's record, which this one cannot name.
        }
    }

    /// Publishes records until the broker has each.
    ///
    /// - Returns: `false` if the task was cancelled.
    private func publish(_ records: [Outgoing]) async throws -> Bool {
        var left = records[...]
        var wait = Self.waits.first
        while !left.isEmpty {
            while !link.isUp, !Task.isCancelled { await link.feedSignal.wait() }
            guard !Task.isCancelled else { return false }
            let some = left.prefix(Self.publishMax)
            await pause(link.feedPace.delay(some.count, at: time.now()))
            let count = await publish(some.map { ($0.item.id, $0.bytes) })
            left = left.dropFirst(count)
            status.obstacleOut = count == some.count ? nil : .broker(.unreachable("it did not confirm a record"))
            guard count < some.count else {
                wait = Self.waits.first
                continue
            }
            status.published.repeated += some.count - count
            await time.sleep(wait)
            wait = min(wait * 2, Self.waits.max)
        }
        return true
    }

    private func pause(_ delay: Duration) async {
        if delay > .zero { await time.sleep(delay) }
    }

    /// - Returns: how many, from the first, the broker has.
    private func publish(_ records: [(id: RecordID, bytes: [UInt8])]) async -> Int {
        for (id, _) in records {
            echoes.insert(id)
            answerer.published(id.hash)
        }
        let confirmed = await broker.publish(records.map { wrapping.message(of: $0.bytes, id: $0.id, on: topics) })
        let count = confirmed.prefix { $0 }.count
        status.published.stored += count
        asker.published(count, at: time.now(), using: &random)
        return count
    }

    // MARK: - What other bridges want

    /// Publishes what others ask for, one question after the other.
    func answerWants() async throws {
        while !Task.isCancelled {
            guard link.isUp, let want = answerer.next(at: time.now()) else {
                await link.answerSignal.wait()
                continue
            }
            try await answer(want)
            answerer.end()
        }
    }

    private func answer(_ want: LiveAnswerer.Want) async throws {
        let places = try state.items(of: want.ids.map { RecordID($0) })
        var first = places.startIndex
        for index in places.indices {
            let next = index + 1
            // A reader of the store passes what lies between; over a long way it is quicker to begin anew.
            guard next == places.endIndex || places[next].seq - places[index].seq > Self.jumpMin else { continue }
            guard try await answer(places[first..<next]) else { return }
            first = next
        }
        send(.served(session: want.session, number: want.number), on: topics.answers(to: want.from))
    }

    private static let jumpMin: Int64 = 1_024

    /// - Returns: `false` if the broker is gone.
    private func answer(_ places: ArraySlice<LiveItem>) async throws -> Bool {
        guard let epoch = fed?.epoch, let begin = places.first, let end = places.last else { return true }
        let feed: Int
        do throws(RequestError) {
            let start = FeedPosition(epoch: epoch, seq: begin.seq - 1)
            feed = try await node.perform(RecordsSubscribe(after: start, crossing: true)).feed
        } catch {
            guard error == .feed(fault: .positionGone) else { throw error }
            return true  // The other feed learns it, too.
        }
        var missing = Dictionary(places.map { ($0.id, $0) }) { first, _ in first }
        var isThere = true
        var position = begin.seq - 1
        while position < end.seq, isThere, !Task.isCancelled {
            let batch = try await node.nextRecords(of: feed)
            position = batch.live ? end.seq : batch.position.seq
            for entry in batch.records { missing[entry.id] = nil }
            let wanted = batch.records.filter { entry in answerer.current?.ids.contains(entry.id.hash) ?? false }
            isThere = try await publishAnswers(wanted)
            if position < end.seq { _ = try await node.perform(RecordsTaken(feed, batch.position)) }
        }
        _ = try await node.perform(RecordsEnd(feed))
        guard isThere, !Task.isCancelled else { return false }
        try forget(Array(missing.values))
        return true
    }

    private func publishAnswers(_ entries: [RecordBatch.Entry]) async throws -> Bool {
        var left = entries[...]
        while !left.isEmpty {
            let some = left.prefix(Self.publishMax / 2)
            left = left.dropFirst(some.count)
            await pause(link.answerPace.delay(some.count, at: time.now()))
            // Others may have published some meanwhile.
            let wanted = some.filter { answerer.current?.ids.contains($0.id.hash) ?? false }.compactMap {
                candidate($0)
            }
            guard link.isUp, !Task.isCancelled,
                await publish(wanted.map { ($0.item.id, $0.bytes) }) == wanted.count
            else { return false }
        }
        return true
    }

    /// The node has these no more, or their authors do not let them cross now.
    private func forget(_ gone: [LiveItem]) throws {
        try state.remove(gone.map(\.id))
        for item in gone {
            if let compared = item.compared { items.remove(compared) }
            unwanted.insert(item.id.hash)
        }
    }
}
