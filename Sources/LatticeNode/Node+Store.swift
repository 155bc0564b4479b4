import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Stores what this person writes, and sends what waits in the store.
extension Node {
    private static let handOverInterval: Duration = .milliseconds(20)
    private static let calmLooks = 40
    /// Signs a record, dated after everything written and heard, and stores it before it is sent. A store that fails does not
    /// stop it: `unkept` explains why it was not stored, and `fault` what is wrong with the store, if anything.
    func signKept(
        _ kind: RecordKind, by identity: Identity, lifetime: UInt32, topic: [UInt8], body: [UInt8]
    ) async -> (VerifiedRecord, unkept: String?, fault: StoreError?) {
        let now = clock.now
        let date = publisher.nextDate(at: now)
        let sign: @Sendable (HybridTime) -> VerifiedRecord = { created in
            identity.sign(
                Record(
                    kind: kind, author: identity.peer, created: created, lifetimeSeconds: lifetime, topic: topic,
                    body: body))
        }
        guard let store = wall?.store else { return (sign(date), RequestError.noStore.description, nil) }
        // Signed inside the transaction, as another process of this persona may be writing too.
        let draft = Draft(author: identity.peer, at: now, notBefore: date, waits: false, make: sign)
        switch await publish([draft], in: store) {
        case .success(let published):
            return (published[0].record, published[0].outcome == .added ? nil : RequestError.noRoom.description, nil)
        case .failure(let error):
            tellOnce(error)
            return (sign(date), error.description, error)
        }
    }

    /// Stores drafts in one commit, which may include others' writes.
    private func publish(_ drafts: [Draft], in store: Store) async -> Result<[Published], StoreError> {
        let ticket = publisher.ticket()
        guard store.submit(drafts: drafts, ticket: ticket) else {
            return .failure(.busy(path: store.path))
        }
        return await withCheckedContinuation { publisher.wait(for: ticket, $0) }
    }

    // MARK: - Going out

    /// Sends what a persona wrote.
    func wrote(_ id: PeerID) async {
        hasWritten = true
        reconciliation?.storeChanged()
        do {
            try await handOver(of: id)
        } catch {
            if !Task.isCancelled { tellOnce(error) }
        }
        // It may be for a persona here.
        if personas.hasVisitors { mail.wake() }
    }

    /// Gives own records to the mesh in the order they were written, a portion at a time, none twice.
    func handOver(of id: PeerID) async throws(StoreError) {
        guard let persona = personas[id], let store = persona.wall?.store else { return }
        let waiting = try await store.waiting(limit: Outbox.handedOverMax, after: persona.lastHandedOver)
        var given: [VerifiedRecord] = []
        var isBehind = false
        // Others may have handed over the same records during the query.
        for (seq, signed) in waiting where seq > personas[id]?.lastHandedOver ?? .min {
            do {
                let record = try verifier.verify(signed)
                isBehind = !give(record)
                if isBehind { break }
                given.append(record)
            } catch {
                logger.error("a stored record of this node has no valid signature", metadata: ["seq": "\(seq)"])
            }
            personas.change(id) { $0.lastHandedOver = seq }
        }
        isBehind = isBehind || waiting.count == Outbox.handedOverMax
        personas.change(id) { $0.isBehind = isBehind }
        // The owner's records were delivered to fronts when they were stored.
        if !persona.isOwner, let wall { await tellWritten(given, on: wall) }
    }

    /// - Returns: whether the mesh has it.
    private func give(_ record: VerifiedRecord) -> Bool {
        if record.kind == .sealed { noteFresh(record.id) }
        // A returning visitor continues with the outbox it left.
        guard !outbox.contains(record.id) else { return true }
        guard !outbox.isFull(for: record.author) else { return false }
        // If a neighbour sent us our own record, it went out before this process began.
        let isOut = mesh.broadcast.hasSeen(record.id)
        guard isOut || submit(record) != nil else { return false }
        outbox.handedOver(record)
        if record.kind.showsWaiting { outbox.isShown(record.id, by: record.author) }
        if isOut { confirmed([record.id]) }
        return true
    }

    /// Retries what the mesh had no space for.
    func handOverRest() async throws(StoreError) {
        for id in personas.all where personas[id]?.isBehind == true {
            try await handOver(of: id)
            guard personas[id]?.isBehind != true else { return }
        }
    }

    /// A neighbour confirmed these.
    func confirmed(_ ids: [RecordID]) {
        tellSent(outbox.confirmed(by: ids))
        confirmInput.yield()
    }

    func rememberConfirmations() async {
        guard let wall else { return }
        for await _ in confirmSignals {
            let ids = outbox.takeConfirmed()
            guard !ids.isEmpty else { continue }
            do {
                tellRelayed(try await wall.store.confirmed(ids))
                tellSent(ids)
            } catch {
                // They are sent again next time, and every peer recognises them as old.
                if !Task.isCancelled { tellOnce(error) }
            }
            outbox.forget(ids)
        }
    }

    /// Waits until a neighbour has everything that waits in the store.
    ///
    /// - Returns: whether one has.
    package func handOverAll(atMost limit: Duration) async -> Bool {
        guard let wall else { return true }
        let end = Clocks.now.advanced(by: limit)
        // Looks in a calm state before giving up: the keys of a private message's recipient may still arrive.
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
                if mesh.register.neighbourCount > 0 { handle(.flushWanted) }
                try await Task.sleep(for: Self.handOverInterval)
            }
        } catch {
            return false
        }
    }

    // MARK: - Posts

    /// Follow-up for a request that may have written.
    func wrote<Reply>(_ reply: Reply, by persona: Persona) async {
        if let report = reply as? ImportReport, report.added > 0 { tell(.changed(.many)) }
        do {
            if persona.isOwner, let wall { try await tellOwn(on: wall) }
        } catch {
            tellOnce(error)
        }
        await wrote(persona.id)
        // A front that shows the item sees at once when it is sent.
        if let item = reply as? ItemInfo, item.isWaiting { handle(.flushWanted) }
    }
}

extension RequestError {
    static let noStore = RequestError(.storeFailed, "this node has no store: it could not be opened")
    static let noRoom = RequestError(.diskFull, "the storage quota is used up")
}
