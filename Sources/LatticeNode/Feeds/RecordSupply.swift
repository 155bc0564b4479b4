import LatticeCore
import LatticeStore
import LatticeWire

/// Records that programs of the owner brought from other networks, until each has its answer.
final class RecordSupply {
    /// Requests that wait for the store: with more, something is wrong with the disk or with the program.
    static let putsMax = 4

    /// What became of a record.
    enum Outcome {
        case stored(InsertOutcome)
        /// It was too much at once, or the store does not work: it can be brought again.
        case failed
    }

    private struct Waiting {
        let via: RecordCarrier
        /// Requests that brought it: two may bring the same one.
        var puts: [Int]
    }

    private struct Put {
        var outcomes: [RecordID: Outcome] = [:]
        var missing = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private var records: [RecordID: Waiting] = [:]
    private var puts: [Int: Put] = [:]
    private var lastPut = 0
    private var isOver = false

    /// - Returns: the number of a new request; `nil` if there are too many.
    func begin() -> Int? {
        guard puts.count < Self.putsMax else { return nil }
        lastPut += 1
        puts[lastPut] = Put()
        return lastPut
    }

    /// The request waits for the outcome of this record.
    ///
    /// - Returns: whether nobody has brought it yet, so that it has to be judged.
    func expect(_ id: RecordID, via: RecordCarrier, for put: Int) -> Bool {
        puts[put]?.missing += 1
        if let others = records[id]?.puts {
            // The same record twice in one request has one outcome.
            if others.contains(put) { puts[put]?.missing -= 1 } else { records[id]?.puts.append(put) }
            return false
        }
        records[id] = Waiting(via: via, puts: [put])
        return true
    }

    /// How this record came.
    func via(of id: RecordID) -> RecordCarrier {
        records.isEmpty ? .mesh : records[id]?.via ?? .mesh
    }

    func settled(_ id: RecordID, _ outcome: Outcome) {
        guard !records.isEmpty, let waiting = records.removeValue(forKey: id) else { return }
        for put in waiting.puts {
            puts[put]?.outcomes[id] = outcome
            puts[put]?.missing -= 1
            if puts[put]?.missing == 0 { puts[put]?.waiter.take()?.resume() }
        }
    }

    /// Waits until each record that the request brought has an outcome, and ends it.
    ///
    /// - Returns: `nil` if the node stops.
    func outcomes(of put: Int, on node: isolated Node) async -> [RecordID: Outcome]? {
        await withCheckedContinuation { waiter in
            if isOver || puts[put]?.missing == 0 { waiter.resume() } else { puts[put]?.waiter = waiter }
        }
        let ended = puts.removeValue(forKey: put)
        return ended?.missing == 0 ? ended?.outcomes : nil
    }

    /// A request that did not get as far as `outcomes`.
    func abandon(_ put: Int) {
        puts[put] = nil
    }

    /// The node stops: nothing is answered any more.
    func finish() {
        isOver = true
        records = [:]
        for put in puts.keys.sorted() { puts[put]?.waiter.take()?.resume() }
    }
}
