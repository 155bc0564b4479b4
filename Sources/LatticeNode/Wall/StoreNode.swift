import LatticeAPI
import LatticeCore
import LatticeStore

/// A node that has a store and no network: what one command needs.
struct StoreNode: MeshNode {
    let wall: Wall
    let file: StoreFile
    let clock: NodeClock
    let desk: KnownDesk

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, in: self)
    }

    /// Who is meant; a whole id needs no search.
    func peer(_ reference: PeerReference) async throws(RequestError) -> PeerID {
        if let id = reference.id { return id }
        return try await perform(FindPerson(reference)).id
    }

    /// Whoever was met has a name before they write anything.
    func named(_ messages: [PrivateMessage]) -> [PrivateMessage] {
        guard messages.contains(where: { $0.peerName == nil }) else { return messages }
        do {
            let known = try desk.book.read().known
            return messages.map { $0.named(known[$0.peer]?.name) }
        } catch {
            return messages  // Who is who is told by whatever asks for it.
        }
    }

    /// - Parameter blocks: records of a blocked peer are removed.
    func known<Value: Sendable>(
        blocks: Bool,
        _ work: @Sendable (KnownDesk, WallTime) async throws(RequestError) -> KnownDesk.Outcome<Value>
    ) async throws(RequestError) -> Value {
        let now = await time()
        let (value, known) = try await work(desk, now)
        wall.store.setBlocked(known.blocked)
        if blocks {
            do {
                while try await wall.store.removeBlocked(at: now) > 0 {}
            } catch {
                throw RequestError(error)
            }
        }
        return value
    }

    /// Of a machine that does not know the time, what its store knows of it.
    func time() async -> WallTime {
        if clock.source != .machine {
            do {
                _ = try await clock.learn(from: wall.store)
            } catch {
                return clock.now  // What is asked of the store next says what is wrong with it.
            }
        }
        return clock.now
    }

    func events() async -> NodeEvents {
        .over
    }

    /// What is derived is made anew; if something is wrong with the file all the same, it is left for a new one.
    func rebuild() async throws(RequestError) -> StoreRebuild {
        do {
            let report = try await wall.rebuild(at: clock.now)
            if try await wall.check().faults.isEmpty { return report }
        } catch {
            guard error.code == .damaged else { throw error }
        }
        do {
            try wall.store.close()
        } catch {
            throw RequestError(error)
        }
        return try await file.salvage()
    }
}

/// A store so damaged that it does not open: it can be checked and mended.
struct DamagedStoreNode: MeshNode {
    let file: StoreFile
    let damage: RequestError
    let desk: KnownDesk

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, in: self)
    }

    func events() async -> NodeEvents {
        .over
    }
}

/// The file of a store, while no store has it open.
struct StoreFile: Sendable {
    let path: String
    let owner: PeerID
    let directory: DataDirectory
    let clock: NodeClock

    /// Saves what verifies into a new file.
    ///
    /// - Throws: `RequestError`, also where another process has it open.
    func salvage() async throws(RequestError) -> StoreRebuild {
        do {
            try directory.claim()
        } catch {
            throw RequestError(.busy, error.description)
        }
        do {
            let report = try await Store.salvage(
                path: path, owner: owner, at: clock.now, verify: Wall.verified)
            return StoreRebuild(
                records: report.kept, damagedPath: report.damagedPath, lost: report.lost,
                isLossKnown: report.isLossKnown)
        } catch {
            throw RequestError(error)
        }
    }
}
