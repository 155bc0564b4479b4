import LatticeAPI
import LatticeConcurrency
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
        do {
            // Signed inside the transaction, as another process of this persona may be writing too.
            let draft = Draft(author: identity.peer, at: now, waits: false, make: sign)
            let published = try await publish([draft], in: store)[0]
            return (published.record, published.outcome == .added ? nil : RequestError.noRoom.description, nil)
        } catch {
            tellOnce(error)
            return (sign(date), error.description, error)
        }
    }

    /// Where this persona's requests on the store are carried out.
    func desk(of persona: Persona) throws(RequestError) -> PersonaDesk {
        let wall = try persona.storedWall()
        return desk(of: wall)
    }

    func desk(of wall: Wall) -> PersonaDesk {
        PersonaDesk(wall) { drafts throws(StoreError) in try await self.publish(drafts, in: wall.store) }
    }

    /// Stores drafts in one commit, which may include others' writes.
    private func publish(_ drafts: [Draft], in store: Store) async throws(StoreError) -> [Published] {
        let (drafts, ticket) = publisher.take(drafts, at: clock.now)
        guard store.submit(drafts: drafts, ticket: ticket) else { throw .busy(path: store.path) }
        return try await withCheckedContinuation { publisher.wait(for: ticket, $0) }.get()
    }

    // MARK: - Going out

    /// A commit put these of our personas into the outbox.
    func entered(_ written: [Published]) {
        for one in written where personas[one.record.author] != nil {
            let record = one.record
            if publisher.goesOut(record), !give(record) { publisher.fellBehind(record.author) }
            if let number = one.number, record.author == personas.owner.id { maintenance?.entered(number) }
        }
        tellWritten(written.map(\.record))
    }

    /// After a persona wrote.
    func wrote(_ id: PeerID) async {
        maintenance?.wrote()
        reconciliation?.storeChanged()
        do {
            try await handOver(of: id)
        } catch {
            if !Task.isCancelled { tellOnce(error) }
        }
        // It may be for a persona here.
        if personas.hasVisitors { mail.wake() }
    }

    /// Gives the mesh what the store has for it, in the order it was written, a portion at a time.
    func handOver(of id: PeerID) async throws(StoreError) {
        guard let store = personas[id]?.wall?.store else { return }
        while let start = publisher.beginReading(id) {
            var isAll = false
            defer { publisher.endReading(id, isAll: isAll) }
            let waiting = try await store.waiting(limit: Outbox.handedOverMax, after: start)
            guard give(waiting, of: id) else { return }
            isAll = waiting.count < Outbox.handedOverMax
        }
    }

    /// - Returns: whether the mesh has all of them.
    private func give(_ waiting: [(seq: Int64, record: SignedRecord)], of id: PeerID) -> Bool {
        for (seq, signed) in waiting {
            do {
                guard give(try verifier.verify(signed)) else { return false }
            } catch {
                logger.error("a stored record of this node has no valid signature", metadata: ["seq": "\(seq)"])
            }
            publisher.gave(seq, of: id)
        }
        return true
    }

    /// - Returns: whether the mesh has it.
    private func give(_ record: VerifiedRecord) -> Bool {
        if record.kind == .sealed { noteFresh(record.id) }
        // Its commit or an earlier visit may have brought it.
        guard !publisher.outbox.contains(record.id) else { return true }
        guard !publisher.outbox.isFull(for: record.author) else { return false }
        // If a neighbour sent us our own record, it went out before this process began.
        let isOut = mesh.broadcast.hasSeen(record.id)
        guard isOut || submit(record) != nil else { return false }
        publisher.outbox.handedOver(record)
        if record.kind.showsWaiting { publisher.outbox.isShown(record.id, by: record.author) }
        if isOut { confirmed([record.id]) }
        return true
    }

    /// Retries what the mesh had no space for.
    func handOverRest() async throws(StoreError) {
        for id in personas.all where publisher.isBehind(id) {
            try await handOver(of: id)
            guard !publisher.isBehind(id) else { return }
        }
    }

    /// A neighbour confirmed these.
    func confirmed(_ ids: [RecordID]) {
        tellSent(publisher.outbox.confirmed(by: ids))
        confirmation.raise()
    }

    func rememberConfirmations() async {
        guard let wall else { return }
        while !Task.isCancelled {
            await confirmation.wait()
            let ids = publisher.outbox.takeConfirmed()
            guard !ids.isEmpty else { continue }
            do {
                tellRelayed(try await wall.store.confirmed(ids))
                tellSent(ids)
            } catch {
                // They are sent again next time, and every peer recognises them as old.
                if !Task.isCancelled { tellOnce(error) }
            }
            publisher.outbox.forget(ids)
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
        await wrote(persona.id)
        // A front that shows the item sees at once when it is sent.
        if let item = reply as? ItemInfo, item.isWaiting { handle(.flushWanted) }
    }
}

extension RequestError {
    static let noStore = RequestError(.storeFailed, "this node has no store: it could not be opened")
    static let noRoom = RequestError(.diskFull, "the storage quota is used up")
}
