import LatticeAPI
import LatticeCore
import LatticeSalvage
import LatticeStore

/// A node with a store and no network, for a single command.
struct StoreNode: MeshNode {
    let archive: Archive
    let file: StoreFile
    let clock: NodeClock
    let desk: KnownDesk

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, in: self)
    }

    /// Resolves a reference; a full id needs no search.
    func peer(_ reference: PeerReference) async throws(RequestError) -> PeerID {
        if let id = reference.id { return id }
        return try await perform(FindPerson(reference)).id
    }

    func contactMarks() throws(RequestError) -> ContactMarks {
        let known = try desk.book.read()
        return ContactMarks(known.all, muted: known.muted(in: desk.mesh))
    }

    /// A known peer has a name before it writes anything.
    func named(_ messages: [PrivateMessage]) -> [PrivateMessage] {
        guard messages.contains(where: { $0.peerName == nil }) else { return messages }
        do {
            let known = try desk.book.read()
            return messages.map { $0.named(known[$0.peer]?.name) }
        } catch {
            return messages  // Requests about people report the error.
        }
    }

    /// - Parameter blocks: removes records of a blocked peer.
    func known<Value: Sendable>(
        blocks: Bool,
        _ work: @Sendable (KnownDesk, WallTime) async throws(RequestError) -> KnownDesk.Outcome<Value>
    ) async throws(RequestError) -> Value {
        let now = await time()
        let (value, known) = try await work(desk, now)
        archive.store.setBlocked(known.blocked)
        if blocks {
            do {
                while try await archive.store.upkeep.removeBlocked(at: now) > 0 {}
            } catch {
                throw RequestError(error)
            }
        }
        return value
    }

    /// On a machine that does not know the time, the newest date in the store.
    func time() async -> WallTime {
        if clock.source != .machine {
            do {
                _ = try await clock.learn(from: archive.store)
            } catch {
                return clock.now  // The next request to the store reports the error.
            }
        }
        return clock.now
    }

    func events() async -> NodeEvents {
        .over
    }

    /// Rebuilds derived tables; if the file is still damaged, it is left for a new one.
    func rebuild() async throws(RequestError) -> StoreRebuild {
        do {
            let report = try await archive.rebuild(at: clock.now)
            if try await archive.check().faults.isEmpty { return report }
        } catch {
            guard error.code == .damaged else { throw error }
        }
        do {
            try archive.store.close()
        } catch {
            throw RequestError(error)
        }
        return try await file.salvage()
    }
}

/// A store too damaged to open: it can be checked and repaired.
struct DamagedStoreNode: MeshNode {
    let file: StoreFile
    /// What SQLite says.
    let reason: String
    let desk: KnownDesk

    var damage: RequestError { .store(fault: .damaged(path: file.path, reason: reason)) }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, in: self)
    }

    func events() async -> NodeEvents {
        .over
    }
}

/// The file of a store that no process here has open.
struct StoreFile: Sendable {
    let path: String
    let owner: PeerID
    let directory: DataDirectory
    let clock: NodeClock

    /// Saves all records that verify into a new file.
    ///
    /// - Throws: `RequestError`, also if another process has it open.
    func salvage() async throws(RequestError) -> StoreRebuild {
        do {
            try directory.claim()
        } catch {
            throw RequestError(error)
        }
        do {
            let report = try await Salvage.run(
                path: path, owner: owner, at: clock.now, verify: Archive.verified)
            return StoreRebuild(
                records: report.kept, damagedPath: report.damagedPath, lost: report.lost,
                isLossKnown: report.isLossKnown)
        } catch {
            throw RequestError(error)
        }
    }
}
