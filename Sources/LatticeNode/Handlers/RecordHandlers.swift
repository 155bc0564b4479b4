import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire

/// Signed records, as they are stored, for programs that copy them over networks of their own.
enum RecordHandlers {
    /// When to bring again what was too much: by then the link's limit has space for several megabytes.
    private static let busySeconds = 1

    static func register(in table: inout HandlerTable) {
        table.onOwner(RecordsPut.self) { node, request throws(RequestError) in try await put(request, on: node) }
        table.onOwner(RecordsSubscribe.self) { node, request throws(RequestError) in
            try await node.sync.feeds.open(request, in: try store(of: node), on: node)
        }
        table.onOwner(RecordsTaken.self) { node, request throws(RequestError) in
            try node.sync.feeds.taken(request.feed, FeedMark(request.position))
            return Done()
        }
        table.onOwner(RecordsEnd.self) { node, request throws(RequestError) in
            node.sync.feeds.end(request.feed)
            return Done()
        }
        table.onOwner(ReadBridgeMesh.self) { node, _ throws(RequestError) in
            ReadBridgeMesh.Reply(mesh: node.configuration.mesh, key: node.configuration.meshKey?.bridgeKey())
        }
        table.onOwner(PiecesRead.self) { node, request throws(RequestError) in
            // Without a folder for files records cross all the same.
            guard let blobs = node.blobs else { return .init(.absent) }
            return try await PieceDesk(blobs: blobs).read(request, for: node)
        }
        table.onOwner(PiecesPut.self) { node, request throws(RequestError) in
            guard let blobs = node.blobs else { return .init(request.pieces.map { _ in .noSpace }) }
            return try await PieceDesk(blobs: blobs).put(request, for: node)
        }
        table.onOwner(RecordsHave.self) { node, request throws(RequestError) in
            try await here(request.ids, in: try store(of: node))
        }
    }

    private static func here(_ ids: [RecordID], in store: Store) async throws(RequestError) -> RecordsHave.Reply {
        do {
            let places = try await store.feed.places(of: ids).places
            return RecordsHave.Reply(
                have: ids.filter { places[$0]?.isErased == false }, gone: ids.filter { places[$0]?.isErased == true })
        } catch {
            throw .store(fault: StoreFault(error))
        }
    }

    private static func store(of node: isolated Node) throws(RequestError) -> Store {
        guard let store = node.archive?.store else { throw .store(fault: .missing) }
        return store
    }

    private static func put(_ request: RecordsPut, on node: isolated Node) async throws(RequestError)
        -> RecordsPut.Reply
    {
        let store = try store(of: node)
        guard !node.hasStopped else { throw .stopped(why: .stopping) }
        let supply = node.ingest.supply
        guard let put = supply.begin() else { throw .feed(fault: .tooManyPuts(max: RecordSupply.putsMax)) }
        let judged: [PutRecord]
        do {
            judged = try await PutRecord.judged(request.records, in: store, with: node.arrivals.verifier)
        } catch {
            supply.abandon(put)
            throw .store(fault: StoreFault(error))
        }
        let at = node.clock.now
        var events: [MeshEvent] = []
        let early = judged.map { one in
            answer(to: one, at: at, &events) { supply.expect($0, via: RecordCarrier(request.via), for: put) }
        }
        node.handle(events)
        guard let outcomes = await supply.outcomes(of: put, on: node) else { throw .stopped(why: .stopping) }
        let (places, top): ([RecordID: FeedReader.Place], FeedMark)
        do {
            (places, top) = try await store.feed.places(of: outcomes.keys.sorted())
        } catch {
            throw .store(fault: StoreFault(error))
        }
        let answers = zip(judged, early).map { one, early in
            if let early { return early }
            guard case .verified(let record) = one, let outcome = outcomes[record.id] else {
                preconditionFailure("each record that was not answered has an outcome")
            }
            let place = places[record.id]
            return answer(record, outcome, at: place.map { FeedPosition(epoch: top.epoch, seq: $0.seq) })
        }
        return RecordsPut.Reply(answers, position: FeedPosition(top))
    }

    /// - Parameters:
    ///   - events: gets those with which the mesh judges the record like a neighbour's.
    ///   - expect: whether the mesh has to judge this record.
    /// - Returns: `nil` if the answer comes with its outcome.
    private static func answer(
        to put: PutRecord, at now: WallTime, _ events: inout [MeshEvent], _ expect: (RecordID) -> Bool
    ) -> RecordAnswer? {
        switch put {
        case .refused(let id, let code): return .refused(id, code)
        case .known(let id, let mark): return .known(id, at: FeedPosition(mark))
        case .verified(let record) where record.kind == .presence: return .refused(record.id, .unwanted)
        case .verified(let record):
            let age = RecordAge(of: record, at: now)
            guard age != .over else { return .expired(record.id) }
            if expect(record.id) { events.append(.supplied(record, SuppliedAge(of: record, age, at: now))) }
            return nil
        }
    }

    /// - Parameter position: `nil` if it is not here, or not any more.
    private static func answer(
        _ record: VerifiedRecord, _ outcome: RecordSupply.Outcome, at position: FeedPosition?
    ) -> RecordAnswer {
        let id = record.id
        return switch outcome {
        case .failed: .busy(id, seconds: busySeconds)
        case .stored(.added): position.map { .added(id, at: $0) } ?? leftAgain(record)
        case .stored(.known), .stored(.erased): position.map { .known(id, at: $0) } ?? .expired(id)
        case .stored(.superseded), .stored(.expired), .stored(.expiredByAge): .expired(id)
        case .stored(.ignored): .refused(id, .unwanted)
        case .stored(.blocked): .refused(id, .blocked)
        case .stored(.evicted): .refused(id, .quotaFull)
        case .stored(.refused): .refused(id, .form)
        }
    }

    /// A record that was added and is not here any more: its author has replaced it, perhaps in the same request, or it made
    /// space for newer ones.
    private static func leftAgain(_ record: VerifiedRecord) -> RecordAnswer {
        record.kind.isReplaceable ? .expired(record.id) : .refused(record.id, .quotaFull)
    }
}

extension SuppliedAge {
    /// One day for which a record can be urgent, and what clocks may differ by.
    private static let urgentMilliseconds: Int64 = 86_400_000 + RecordAge.skewMilliseconds

    init(of record: VerifiedRecord, _ age: RecordAge, at now: WallTime) {
        let isOld = record.created.wallTime.milliseconds < now.milliseconds - Self.urgentMilliseconds
        self = age == .live ? .live : isOld ? .old : .late
    }
}
