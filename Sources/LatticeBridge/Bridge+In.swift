import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeCrypto

extension Bridge {
    /// Reads one stream of the broker without end, from where this bridge had stopped.
    func readIn(_ span: BridgeSpan) async throws {
        var wait = Wait.first
        while !Task.isCancelled {
            do {
                if gate.isStale(span, at: time.now()) { try await meet(span) }
                let sequence = try state.sequence(of: span)
                let round = (readingRounds[span]?.begun ?? 0) + 1
                readingRounds[span, default: (0, 0)].begun = round
                let page = try await broker.next(span, after: sequence)
                try await take(page, after: sequence, of: span)
                if page.remaining == 0 { ended(round, of: span) }
                wait = Wait.first
            } catch let fault as BrokerFault {
                gate.lost(span)
                guard case .unreachable = fault else { throw fault }
                status.obstacleIn = .broker(fault)
                await time.sleep(wait)
                wait = min(wait * 2, Wait.max)
            }
        }
    }

    private func ended(_ round: Int, of span: BridgeSpan) {
        readingRounds[span]?.ended = round
        roundSignal.raise()
    }

    func noteClock(_ note: (inout BrokerClock) -> Void) {
        note(&clock)
        status.clockAhead = clock.ahead
    }

    private func meet(_ span: BridgeSpan) async throws {
        let stand = try await broker.stand(of: span)
        let (sequence, isNew) = try state.met(span, stand)
        if isNew { try await beginAnew() }
        gate.met(span, last: stand.last, read: sequence, at: time.now())
        gateSignal.raise()
    }

    private func take(_ page: BrokerPage, after sequence: UInt64, of span: BridgeSpan) async throws {
        status.obstacleIn = nil
        let beginning = beginnings
        var skipped: [BridgeState.Skipped] = []
        var chunk = Chunk()
        for message in page.messages {
            guard let bytes = wrapping.opened(message) else {
                status.taken.refused += 1
                continue
            }
            let id = RecordID(Digest.blake2b256(bytes))
            noteClock { $0.came(id, storedAt: message.storedAt) }
            guard !echoes.contains(id) else {
                status.taken.known += 1
                continue
            }
            if !chunk.hasSpace(for: bytes.count) {
                skipped += try await put(chunk.records)
                chunk = Chunk()
            }
            chunk.add(bytes)
        }
        if !chunk.records.isEmpty { skipped += try await put(chunk.records) }
        guard beginning == beginnings else { return }
        guard try state.took(span, after: sequence, upTo: page.passed, skipped: skipped) else { return }
        status.behind[span] = page.remaining
        gate.reached(span, page.passed, at: time.now())
        gateSignal.raise()
    }

    /// What fits one request.
    private struct Chunk {
        private(set) var records: [[UInt8]] = []
        private var bytes = 0

        func hasSpace(for more: Int) -> Bool {
            records.count < RecordsPut.countMax && bytes + more <= RecordsPut.bytesMax
        }

        mutating func add(_ record: [UInt8]) {
            records.append(record)
            bytes += record.count
        }
    }

    /// Gives records to the node until it has answered about each.
    ///
    /// - Returns: what it had, beyond the position of the feed.
    private func put(_ records: [[UInt8]]) async throws -> [BridgeState.Skipped] {
        var records = records
        var skipped: [BridgeState.Skipped] = []
        while !records.isEmpty, !Task.isCancelled {
            let answers: [RecordAnswer]
            do throws(RequestError) {
                answers = try await node.perform(RecordsPut(records, via: via)).answers
            } catch {
                guard error.code == .busy else { throw error }
                status.obstacleIn = .nodeBusy
                await time.sleep(.seconds(1))
                continue
            }
            var (again, seconds): ([[UInt8]], Int) = ([], 0)
            for (record, answer) in zip(records, answers) {
                if answer.code == .busy {
                    again.append(record)
                    seconds = max(seconds, answer.seconds ?? 1)
                } else {
                    count(answer)
                    if let known = beyondFeed(answer) { skipped.append(known) }
                }
            }
            records = again
            if !again.isEmpty {
                status.obstacleIn = .nodeBusy
                await time.sleep(.seconds(seconds))
            } else if status.obstacleIn == .nodeBusy {
                status.obstacleIn = nil
            }
        }
        try Task.checkCancellation()
        return skipped
    }

    private func count(_ answer: RecordAnswer) {
        switch answer.outcome {
        case .added: status.taken.added += 1
        case .known: status.taken.known += 1
        case .expired: status.taken.expired += 1
        case .refused: status.taken.refused += 1
        }
    }

    private func beyondFeed(_ answer: RecordAnswer) -> BridgeState.Skipped? {
        guard answer.outcome == .known, let id = answer.id, let position = answer.position else { return nil }
        guard let fed, fed.epoch == position.epoch else { return BridgeState.Skipped(id, seq: position.seq) }
        return position.seq > fed.seq ? BridgeState.Skipped(id, seq: position.seq) : nil
    }
}
