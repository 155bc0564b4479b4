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
                try await take(try await broker.next(span, after: sequence), after: sequence, of: span)
                roundSignal.raise()
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
        var chunk = RecordChunk()
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
                chunk = RecordChunk()
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

    /// Gives records to the node until it has answered about each.
    ///
    /// - Returns: what it had, beyond the position of the feed.
    private func put(_ records: [[UInt8]]) async throws -> [BridgeState.Skipped] {
        let delivery = RecordDelivery(node: node, via: via, time: time)
        let answers = try await delivery.deliver(records) { isBusy in
            if isBusy {
                status.obstacleIn = .nodeBusy
            } else if status.obstacleIn == .nodeBusy {
                status.obstacleIn = nil
            }
        }
        for answer in answers { status.taken.count(answer) }
        return answers.compactMap { beyondFeed($0) }
    }

    private func beyondFeed(_ answer: RecordAnswer) -> BridgeState.Skipped? {
        guard answer.outcome == .known, let id = answer.id, let position = answer.position else { return nil }
        guard let fed, fed.epoch == position.epoch else { return BridgeState.Skipped(id, seq: position.seq) }
        return position.seq > fed.seq ? BridgeState.Skipped(id, seq: position.seq) : nil
    }
}
