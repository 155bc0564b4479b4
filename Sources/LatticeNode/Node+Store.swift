import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// What is heard is kept, and what waits in the store goes out.
extension Node {
    /// How often it is looked whether another process wrote to the store.
    private static let lookInterval: Duration = .seconds(1)
    private static let looksBetweenExpiries = 600
    private static let handOverInterval: Duration = .milliseconds(20)
    /// Own records of the store given to the mesh at a time; its own outbox holds a thousand.
    private static let handedOverMax = 256
    private static let retryDelayMin: Duration = .seconds(1)
    private static let retryDelayMax: Duration = .seconds(30)

    // MARK: - Keeping

    func keep(_ record: VerifiedRecord) {
        guard wall != nil, record.kind != .presence else { return }
        if !keeping.add(record) { logger.debug("no room to keep a record") }
        keepInput.yield()
    }

    /// Own lines are stored before they are sent. A store that takes nothing makes nobody mute.
    func keepOwn(_ record: VerifiedRecord) async {
        guard let wall else { return }
        do {
            _ = try await wall.store.insert([record], at: Clocks.wall)
        } catch {
            tellOnce(error)
        }
    }

    /// What has come and was not written yet, before the node ends.
    func keepTheRest() async {
        guard let wall else { return }
        do {
            while !keeping.isEmpty { _ = try await wall.store.insert(keeping.take(), at: Clocks.wall) }
        } catch {
            logger.error("what came last could not be kept", metadata: ["error": "\(error)"])
        }
    }

    /// Writes what was heard, as much at once as has come meanwhile.
    func keepWhatIsHeard() async {
        guard let wall else { return }
        var delay = Self.retryDelayMin
        for await _ in keepSignals {
            while !keeping.isEmpty {
                let batch = keeping.take()
                do {
                    let outcomes = try await wall.store.insert(batch, at: Clocks.wall)
                    if keeping.wasFull { tellOfLoss() }
                    hasToldOfStore = false
                    delay = Self.retryDelayMin
                    await announce(zip(batch, outcomes).filter { $1 == .added }.map(\.0), on: wall)
                } catch {
                    keeping.putBack(batch)
                    if Task.isCancelled { return }
                    tellOnce(error)
                    do {
                        try await Task.sleep(for: delay)
                    } catch {
                        return  // Cancelled: the node ends.
                    }
                    delay = min(delay * 2, Self.retryDelayMax)
                }
            }
        }
    }

    /// What others left near where one is, is told at once.
    private func announce(_ records: [VerifiedRecord], on wall: Wall) async {
        for record in records where record.author != mesh.me && (record.kind == .post || record.kind == .event) {
            do {
                if let item = try await wall.news(record.id, at: Clocks.wall) { tell(.posted(item)) }
            } catch {
                logger.debug("a new post could not be read", metadata: ["error": "\(error)"])
            }
        }
    }

    private func tellOnce(_ error: StoreError) {
        guard !hasToldOfStore else { return }
        hasToldOfStore = true
        tell(.notice(Notice(.problem, code: RequestError(error).code.rawValue, error.description)))
    }

    private func tellOfLoss() {
        let lost = keeping.takeLost()
        tell(.notice(Notice(.problem, code: "notKept", "\(lost) records that came could not be kept")))
    }

    // MARK: - Going out

    /// Gives the mesh what waits in the store: what was written before, and what another process of this person writes.
    func lookAfterStore() async {
        guard let wall else { return }
        var changes: Int?
        var looks = 0
        var hasMoreToTidy = false
        while !Task.isCancelled {
            if hasMoreToTidy || looks % Self.looksBetweenExpiries == 0 { hasMoreToTidy = await maintain(wall) }
            looks += 1
            do {
                let now = try await wall.store.changeCount()
                if now != changes || isBehind { try await handOver(from: wall) }
                changes = now
            } catch {
                if !Task.isCancelled { tellOnce(error) }
            }
            do {
                try await Task.sleep(for: Self.lookInterval)
            } catch {
                return  // Cancelled: the node ends.
            }
        }
    }

    /// - Returns: whether more has expired than was removed at once.
    private func maintain(_ wall: Wall) async -> Bool {
        do {
            // Before it goes, should the clock have leapt.
            try await wall.renew(at: Clocks.wall)
        } catch {
            logger.debug("what is to hold on was not said again", metadata: ["error": "\(error)"])
        }
        do {
            return try await wall.store.expire(at: Clocks.wall) == Store.expirePortion
        } catch {
            logger.debug("the store was not tidied up", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Own records go to the mesh in the order in which they were written, a portion at a time, and none twice.
    func handOver(from wall: Wall) async throws(StoreError) {
        let waiting = try await wall.store.waiting(limit: Self.handedOverMax, after: lastHandedOver)
        isBehind = false
        for (seq, signed) in waiting where seq > lastHandedOver ?? .min {
            guard handedOver.count < Self.handedOverMax else { return isBehind = true }
            do {
                let record = try verifier.verify(signed)
                // Whoever gave us a record of ours has it: it went out before this process began.
                let isOut = mesh.hasSeen(record.id)
                guard isOut || submit(record) != nil else { return isBehind = true }
                handedOver.insert(record.id)
                if isOut { confirmed([record.id]) }
            } catch {
                logger.error("an own record in the store is not signed", metadata: ["seq": "\(seq)"])
            }
            lastHandedOver = seq
        }
        isBehind = waiting.count == Self.handedOverMax
    }

    /// A neighbour has these.
    func confirmed(_ ids: [RecordID]) {
        confirmations += ids.filter(handedOver.contains)
        confirmInput.yield()
    }

    func rememberConfirmations() async {
        guard let wall else { return }
        for await _ in confirmSignals {
            let ids = confirmations
            confirmations = []
            guard !ids.isEmpty else { continue }
            do {
                try await wall.store.confirmed(ids)
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
        do {
            while try await !wall.store.waiting(limit: 1, after: nil).isEmpty {
                guard Clocks.now < end else { return false }
                if mesh.connectedCount > 0 { handle(.flushWanted) }
                try await Task.sleep(for: Self.handOverInterval)
            }
            return true
        } catch {
            return false
        }
    }

    // MARK: - The wall

    func perform(_ request: WallRequest) async throws(RequestError) -> WallAnswer {
        guard let wall else {
            throw RequestError(.storeFailed, "this node keeps nothing: its store could not be opened")
        }
        let answer = try await wall.perform(request, at: Clocks.wall)
        do {
            try await handOver(from: wall)
        } catch {
            tellOnce(error)
        }
        return answer
    }
}
