import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeMesh
import LatticeWire

extension LiveBridge {
    private struct Incoming {
        var chunk = RecordChunk()
        var items: [(id: RecordID, record: Record)] = []
    }

    /// Reads what the broker delivers, without end. While the node has no time, nothing is read.
    func listen() async throws {
        while !Task.isCancelled {
            var incoming = Incoming()
            for event in try await broker.next() {
                switch event {
                case .connected(let hasSession): connected(hasSession: hasSession)
                case .disconnected(let why): disconnected(why)
                case .overflowed: asker.wish(at: time.now())
                case .message(let message): try await take(message, &incoming)
                }
            }
            try await put(&incoming)
        }
    }

    private func take(_ message: LiveMessage, _ incoming: inout Incoming) async throws {
        switch topics.place(of: message.topic) {
        case .records: try await takeRecord(message, &incoming)
        case .greetings, .questions, .answers:
            // An answer may say that all has been published, so that has to be looked at before.
            try await put(&incoming)
            if !takeNote(message) { status.taken.refused += 1 }
        case nil: status.taken.refused += 1
        }
    }

    private func takeRecord(_ message: LiveMessage, _ incoming: inout Incoming) async throws {
        guard let (bytes, id) = wrapping.record(in: message, on: topics) else {
            status.taken.refused += 1
            return
        }
        let record: Record
        do {
            record = try SignedRecord(decoding: bytes[...]).record
        } catch {
            status.taken.refused += 1
            return
        }
        answerer.published(id.hash)
        guard !echoes.contains(id), !unwanted.contains(id.hash), !isHere(id, record) else {
            status.taken.known += 1
            asker.arrived(id.hash, at: time.now())
            return
        }
        if !incoming.chunk.hasSpace(for: bytes.count) { try await put(&incoming) }
        incoming.chunk.add(bytes)
        incoming.items.append((id, record))
    }

    func isHere(_ id: RecordID, _ record: Record) -> Bool {
        ReconciliationItem(timestamp: record.created.rawValue, id: id.hash).map { items.contains($0) } ?? false
    }

    private func put(_ incoming: inout Incoming) async throws {
        guard !incoming.items.isEmpty else { return }
        let (records, brought) = (incoming.chunk.records, incoming.items)
        incoming = Incoming()
        let answers = try await RecordDelivery(node: node, via: .mqtt, time: time).deliver(records) { isBusy in
            if isBusy {
                status.obstacleIn = .nodeBusy
            } else if status.obstacleIn == .nodeBusy {
                status.obstacleIn = nil
            }
        }
        var kept: [LiveItem] = []
        for ((id, record), answer) in zip(brought, answers) {
            status.taken.count(answer)
            if let item = LiveItem(id, record, seq: answer.position?.seq), isAlive(item) {
                kept.append(item)
            } else if ![.signature, .form, .tooLarge].contains(answer.code) {
                unwanted.insert(id.hash)
            }
            asker.arrived(id.hash, at: time.now())
        }
        try keep(kept)
        var sink: [LiveAsker.Sending] = []
        asker.advance(at: time.now(), &sink)
        send(sink)
    }

    func isAlive(_ item: LiveItem) -> Bool {
        item.ends.milliseconds - time.wallTime().milliseconds > Self.lifeMin.nanoseconds / 1_000_000
    }

    /// - Returns: `false` if it is nothing that a bridge of this mesh says there, or says now.
    private func takeNote(_ message: LiveMessage) -> Bool {
        guard let note = wrapping.note(in: message) else { return false }
        let now = time.now()
        var sink: [LiveAsker.Sending] = []
        switch (topics.place(of: message.topic), note.content) {
        case (.greetings, .here), (.questions, .lacking):
            asker.heard(note, summary: LiveSummary(items), at: now, using: &random)
        case (.questions, .compare(let question)):
            let answer = answerer.compare(question, from: note.from, items, from: floor, at: now)
            guard let answer else { return false }
            send(answer, on: topics.answers(to: note.from))
        case (.questions, .want(let session, let number, let ids)):
            guard answerer.want(ids, session, number, from: note.from, at: now, using: &random) else { return false }
            if answerer.isDue(at: now) { link.answerSignal.raise() }
        case (.answers, .compared), (.answers, .served):
            guard asker.answered(note, items, without: unwanted, at: now, &sink) else { return false }
        default: return false
        }
        send(sink)
        return true
    }
}

extension LiveItem {
    /// - Returns: `nil` without a place in the store.
    init?(_ id: RecordID, _ record: Record, seq: Int64?) {
        guard let seq else { return nil }
        let end = record.created.wallTime.milliseconds + Int64(record.lifetimeSeconds) * 1_000
        self.init(id, created: record.created, ends: WallTime(milliseconds: end), seq: seq)
    }
}
