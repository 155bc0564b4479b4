import LatticeAPI
import LatticeConcurrency
import LatticeCore

/// Records that fit one request to the node.
struct RecordChunk {
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
struct RecordDelivery {
    let node: any MeshNode & FeedNode
    let via: RecordVia
    let time: BridgeTime

    /// - Parameter note: called with whether the node has no time for them now.
    /// - Returns: an answer for each record, in their order.
    nonisolated(nonsending) func deliver(
        _ records: [[UInt8]], note: (_ isBusy: Bool) -> Void
    ) async throws -> [RecordAnswer] {
        var answers: [Int: RecordAnswer] = [:]
        var left = Array(records.enumerated())
        while !left.isEmpty, !Task.isCancelled {
            let reply: [RecordAnswer]
            do throws(RequestError) {
                reply = try await node.perform(RecordsPut(left.map(\.element), via: via)).answers
            } catch {
                guard error.code == .busy else { throw error }
                note(true)
                await time.sleep(.seconds(1))
                continue
            }
            var seconds = 0
            for (record, answer) in zip(left, reply) {
                if answer.code == .busy {
                    seconds = max(seconds, answer.seconds ?? 1)
                } else {
                    answers[record.offset] = answer
                }
            }
            left.removeAll { answers[$0.offset] != nil }
            note(!left.isEmpty)
            if !left.isEmpty { await time.sleep(.seconds(seconds)) }
        }
        try Task.checkCancellation()
        return records.indices.compactMap { answers[$0] }
    }
}

extension BridgeStatus.Taken {
    mutating func count(_ answer: RecordAnswer) {
        switch answer.outcome {
        case .added: added += 1
        case .known: known += 1
        case .expired: expired += 1
        case .refused: refused += 1
        }
    }
}
