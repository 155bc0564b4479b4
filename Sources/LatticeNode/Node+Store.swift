import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// What this person says is kept, and what waits in the store goes out.
extension Node {
    private static let handOverInterval: Duration = .milliseconds(20)
    private static let calmLooks = 40
    /// Own records of the store given to the mesh at a time; its own outbox holds a thousand.
    static let handedOverMax = 256

    /// Signs what is said here, dated behind all that was said and heard, and stores it before it is sent. A store that takes
    /// nothing makes nobody mute: `unkept` tells people why it did, and `fault` what is wrong with it, where something is.
    func signKept(
        _ kind: RecordKind, by identity: Identity, lifetime: UInt32, topic: [UInt8], body: [UInt8]
    ) async -> (VerifiedRecord, unkept: String?, fault: StoreError?) {
        let now = clock.now
        let date = dates.next(at: now)
        let sign: @Sendable (HybridTime) -> VerifiedRecord = { created in
            identity.sign(
                Record(
                    kind: kind, author: identity.peer, created: created, lifetimeSeconds: lifetime, topic: topic,
                    body: body))
        }
        guard let wall else { return (sign(date), RequestError.noStore.description, nil) }
        do {
            // Inside the transaction: another process of this person may be writing, too.
            let (record, outcome) = try await wall.store.of(identity.peer).write(at: now, waits: false) {
                sign(max($0, date))
            }
            dates.made(record.created)
            hasWritten = true
            followInput.yield()
            return (record, outcome == .added ? nil : RequestError.noRoom.description, nil)
        } catch {
            tellOnce(error)
            return (sign(date), error.description, error)
        }
    }

    // MARK: - Going out

    /// Own records go to the mesh in the order in which they were written, a portion at a time, and none twice.
    func handOver(from wall: Wall) async throws(StoreError) {
        let waiting = try await wall.store.waiting(limit: Self.handedOverMax, after: lastHandedOver)
        isBehind = false
        for (seq, signed) in waiting where seq > lastHandedOver ?? .min {
            guard handedOver.count < Self.handedOverMax else { return isBehind = true }
            do {
                let record = try verifier.verify(signed)
                if record.kind == .sealed { noteFresh(record.id) }
                // Whoever gave us a record of ours has it: it went out before this process began.
                let isOut = mesh.hasSeen(record.id)
                guard isOut || submit(record) != nil else { return isBehind = true }
                handedOver.insert(record.id)
                if record.kind.showsWaiting { noteUnsent(record.id) }
                if isOut { confirmed([record.id]) }
            } catch {
                logger.error("a stored record of the owner has no valid signature", metadata: ["seq": "\(seq)"])
            }
            lastHandedOver = seq
        }
        isBehind = waiting.count == Self.handedOverMax
    }

    /// A neighbour has these.
    func confirmed(_ ids: [RecordID]) {
        confirmations += ids.filter(handedOver.contains)
        // Lines, which are in no outbox of the store.
        tellSent(ids.filter { !handedOver.contains($0) })
        confirmInput.yield()
    }

    func rememberConfirmations() async {
        guard let wall else { return }
        for await _ in confirmSignals {
            let ids = confirmations
            confirmations = []
            guard !ids.isEmpty else { continue }
            do {
                tellRelayed(try await wall.store.confirmed(ids))
                tellSent(ids)
            } catch {
                // They go out once more the next time, and everybody knows them for old.
                if !Task.isCancelled { tellOnce(error) }
            }
            handedOver.subtract(ids)
        }
    }

    /// Waits until a neighbour has all that waits in the store.
    ///
    /// - Returns: whether one has.
    package func handOverAll(atMost limit: Duration) async -> Bool {
        guard let wall else { return true }
        let end = Clocks.now.advanced(by: limit)
        // So long nobody may have anything new: the keys of whom a letter is for may come yet.
        var looksLeft = Self.calmLooks
        do {
            while true {
                let isUnsealed = try await !wall.store.unsealedLetters(at: clock.now, limit: 1).isEmpty
                if try await wall.store.waiting(limit: 1, after: nil).isEmpty {
                    let state = syncState()
                    if !isUnsealed || looksLeft == 0 { return !isUnsealed }
                    looksLeft = state.hasCompany && state.isCalm ? looksLeft - 1 : Self.calmLooks
                }
                guard Clocks.now < end else { return false }
                if mesh.connectedCount > 0 { handle(.flushWanted) }
                try await Task.sleep(for: Self.handOverInterval)
            }
        } catch {
            return false
        }
    }

    // MARK: - The wall

    func perform(_ request: WallRequest) async throws(RequestError) -> WallAnswer {
        guard let wall else { throw .noStore }
        let answer = try await wall.perform(request, at: clock.now)
        guard request.mayWrite else { return answer }
        hasWritten = true
        followInput.yield()
        if case .imported(let report) = answer, report.added > 0 { tell(.changed(.many)) }
        do {
            try await tellOwn(on: wall)
            try await handOver(from: wall)
        } catch {
            tellOnce(error)
        }
        // Whoever looks at it sees at once that it is out.
        if case .item(let item) = answer, item.isWaiting { handle(.flushWanted) }
        return answer
    }
}

extension WallRequest {
    /// Whether something may have to be sent, or told, afterwards.
    fileprivate var mayWrite: Bool {
        switch self {
        case .near, .show, .timeline, .activity, .profile, .people, .search, .here, .storeStats, .storeCheck, .keepRule,
            .exportBundle:
            false
        case .post, .comment, .like, .delete, .edit, .follow, .setProfile, .createEvent, .editEvent, .attend, .setHere,
            .storeRebuild, .storeVacuum, .setKeepRule, .importBundle:
            true
        }
    }
}

extension RequestError {
    static let noStore = RequestError(.storeFailed, "this node has no store: it could not be opened")
    static let noRoom = RequestError(.diskFull, "the storage quota is used up")
}
