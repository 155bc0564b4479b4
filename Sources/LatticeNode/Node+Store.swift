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
    /// Signs what is said here, dated behind all that was said and heard, and stores it before it is sent. A store that takes
    /// nothing makes nobody mute: `unkept` tells people why it did, and `fault` what is wrong with it, where something is.
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
        // Signed inside the transaction: another process of this persona may be writing, too.
        let draft = Draft(author: identity.peer, at: now, notBefore: date, waits: false, make: sign)
        switch await publish([draft], in: store) {
        case .success(let published):
            return (published[0].record, published[0].outcome == .added ? nil : RequestError.noRoom.description, nil)
        case .failure(let error):
            tellOnce(error)
            return (sign(date), error.description, error)
        }
    }

    /// Stores drafts in one commit, which others may share.
    private func publish(_ drafts: [Draft], in store: Store) async -> Result<[Published], StoreError> {
        let ticket = publisher.ticket()
        guard store.submit(drafts: drafts, ticket: ticket) else {
            return .failure(.busy(path: store.path))
        }
        return await withCheckedContinuation { publisher.wait(for: ticket, $0) }
    }

    // MARK: - Going out

    /// What a persona wrote goes out.
    func wrote(_ id: PeerID) async {
        hasWritten = true
        reconciliation?.storeChanged()
        do {
            try await handOver(of: id)
        } catch {
            if !Task.isCancelled { tellOnce(error) }
        }
        // It may be for somebody here.
        if personas.hasVisitors { mail.wake() }
    }

    /// Own records go to the mesh in the order in which they were written, a portion at a time, and none twice.
    func handOver(of id: PeerID) async throws(StoreError) {
        guard let persona = personas[id], let store = persona.wall?.store else { return }
        let waiting = try await store.waiting(limit: Outbox.handedOverMax, after: persona.lastHandedOver)
        var given: [VerifiedRecord] = []
        var isBehind = false
        // While the store was asked, others may have handed over the same.
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
        // What the owner wrote was delivered to fronts when it was stored.
        if !persona.isOwner, let wall { await tellWritten(given, on: wall) }
    }

    /// - Returns: whether the mesh has it.
    private func give(_ record: VerifiedRecord) -> Bool {
        if record.kind == .sealed { noteFresh(record.id) }
        // A visitor who came again goes on with what it left.
        guard !outbox.contains(record.id) else { return true }
        guard !outbox.isFull(for: record.author) else { return false }
        // A neighbour that gave us a record of ours has it: it went out before this process began.
        let isOut = mesh.broadcast.hasSeen(record.id)
        guard isOut || submit(record) != nil else { return false }
        outbox.handedOver(record)
        if record.kind.showsWaiting { outbox.isShown(record.id, by: record.author) }
        if isOut { confirmed([record.id]) }
        return true
    }

    /// Tries again what the mesh had no room for.
    func handOverRest() async throws(StoreError) {
        for id in personas.all where personas[id]?.isBehind == true {
            try await handOver(of: id)
            guard personas[id]?.isBehind != true else { return }
        }
    }

    /// A neighbour has these.
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
                // They go out once more the next time, and everybody knows them for old.
                if !Task.isCancelled { tellOnce(error) }
            }
            outbox.forget(ids)
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
                if mesh.register.neighbourCount > 0 { handle(.flushWanted) }
                try await Task.sleep(for: Self.handOverInterval)
            }
        } catch {
            return false
        }
    }

    // MARK: - Posts

    /// What follows a request that may have written.
    func wrote<Reply>(_ reply: Reply, by persona: Persona) async {
        if let report = reply as? ImportReport, report.added > 0 { tell(.changed(.many)) }
        do {
            if persona.isOwner, let wall { try await tellOwn(on: wall) }
        } catch {
            tellOnce(error)
        }
        await wrote(persona.id)
        // A front that shows it sees at once that it is out.
        if let item = reply as? ItemInfo, item.isWaiting { handle(.flushWanted) }
    }
}

extension RequestError {
    static let noStore = RequestError(.storeFailed, "this node has no store: it could not be opened")
    static let noRoom = RequestError(.diskFull, "the storage quota is used up")
}
