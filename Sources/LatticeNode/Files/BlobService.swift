import DequeModule
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

/// Fetches blobs from neighbours and gives them to neighbours: carries out what `BlobExchange` wants, with the files of the
/// store.
final class BlobService {
    /// A piece that came, and waits for the disk.
    private struct Arrived {
        let name: BlobName
        let piece: BlobPiece
        let link: LinkID
    }

    /// How long what passes by is kept.
    private static let passingSeconds: Int64 = 7 * 86_400
    static let quota = BlobQuota(passingBytes: 512 << 20)
    private static let cleaningInterval: Duration = .seconds(60)

    let files: BlobFiles
    let store: Store
    /// The blobs that are here, for people and for neighbours.
    var reader: BlobReader { BlobReader(files: files, store: store) }
    private let clock: NodeClock
    let logger: Logger
    private var exchange: BlobExchange
    private var arrived: Deque<Arrived> = []
    private var isWriting = false
    private var cleanedAt = Clocks.now
    /// Open links that the exchange knows.
    private var links: Set<LinkID> = []
    /// What is being fetched for a person.
    var downloads = Downloads()
    var uploads = Uploads()
    var offers = FileOffers()
    let visitorDays: VisitorDays
    private(set) var given = GivenPieces()
    let photos: PhotoDesk
    let maps: MapShelf
    let fetches: PhotoFetches

    init(
        _ files: BlobFiles, _ store: Store, _ clock: NodeClock, _ logger: Logger, photos: PhotoDesk,
        fetches: PhotoFetches
    ) {
        (self.files, self.store, self.clock, self.logger) = (files, store, clock, logger)
        (self.photos, self.fetches) = (photos, fetches)
        maps = MapShelf(beside: store.path)
        visitorDays = VisitorDays(store, logger)
        exchange = BlobExchange(seed: SecureRandom.word())
    }

    /// - Returns: `nil` if nothing is stored here, or another process has the files.
    static func of(_ configuration: NodeConfiguration, _ clock: NodeClock, _ logger: Logger) -> BlobService? {
        guard let store = configuration.archive?.store, !configuration.isBrief else { return nil }
        do {
            return BlobService(
                try BlobFiles(beside: store.path), store, clock, logger, photos: PhotoDesk(configuration.photos.render),
                fetches: PhotoFetches(store, clock, logger, isUnasked: configuration.photos.fetchesUnasked))
        } catch {
            logger.warning("files cannot be shared or fetched", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// When `passed` is wanted; `nil` if nothing waits.
    private(set) var deadline: Instant?

    // MARK: - Links and frames

    /// Links were connected, or are no longer.
    func linksChanged(for node: isolated Node) {
        let open = node.ask { $0.register.connectedLinks }.filter {
            node.links[$0.link]?.peer.exchangesBlobs ?? false
        }
        for link in links.subtracting(open.map(\.link)) {
            links.remove(link)
            handle(.linkClosed(link), for: node)
        }
        for (link, peer) in open where links.insert(link).inserted { handle(.linkOpened(link, peer), for: node) }
        askToKeep(for: node)
    }

    func received(_ frame: Frame, on link: LinkID, for node: isolated Node) {
        if !links.contains(link) { linksChanged(for: node) }
        guard case .piece(let piece) = frame else { return handle(.received(frame, on: link), for: node) }
        let event = BlobExchange.Event.pieceCame(ask: piece.ask, number: piece.number, on: link)
        for effect in step(event, at: Clocks.now) {
            if case .check(let name, let number, let link) = effect {
                arrived.append(Arrived(name: name, piece: BlobPiece(number, piece.octets), link: link))
            } else {
                carryOut(effect, for: node)
            }
        }
        writeNext(for: node)
        node.setAlarm(at: Clocks.now)
    }

    func hasRoom(_ link: LinkID, for node: isolated Node) { handle(.room(link), for: node) }

    /// Called when `deadline` may have passed.
    func passed(at now: Instant, for node: isolated Node) {
        guard let deadline, deadline <= now else { return }
        for effect in step(.tick, at: now) { carryOut(effect, for: node) }
    }

    func handle(_ event: BlobExchange.Event, for node: isolated Node) {
        let now = Clocks.now
        for effect in step(event, at: now) { carryOut(effect, for: node) }
        node.setAlarm(at: now)
    }

    private func step(_ event: BlobExchange.Event, at now: Instant) -> [BlobExchange.Effect] {
        defer { deadline = exchange.nextDeadline }
        return exchange.handle(event, at: now)
    }

    private func carryOut(_ effect: BlobExchange.Effect, for node: isolated Node) {
        switch effect {
        case .send(let frame, let link): LinkTable.send(frame.bytes, frame.type, to: link, for: node)
        case .look(let name, let ask, let link):
            work(for: node) { service, node in
                let found = await service.found(name)
                service.handle(.looked(name, ask: ask, on: link, found), for: node)
            }
        case .give(let name, let ask, let numbers, let link):
            work(for: node) { service, node in await service.give(numbers, of: name, ask, to: link, for: node) }
        case .begin(let name):
            work(for: node) { service, node in
                let have = await service.beginPassing(name)
                service.handle(.began(name, have), for: node)
            }
        case .dropped(let name):
            work(for: node) { service, _ in await service.dropPassing(name) }
        case .check: preconditionFailure("only a piece that came is checked")
        case .recheck(let name, let number):
            work(for: node) { service, node in await service.recheck(number, of: name, for: node) }
        case .progress(let name, let count):
            downloads.progressed(name, count)
            fetches.progressed(name, for: node)
        case .completed(let name):
            work(for: node) { service, node in await service.complete(name, for: node) }
        case .nobodyHas(let name):
            noHolder(of: name, for: node)
            fetches.nobodyHas(name, for: node)
        case .offered(let name, let link): offered(name, over: link, for: node)
        }
    }

    /// Runs on the node, and ends when the node does.
    func work(
        for node: isolated Node, _ body: @escaping (BlobService, isolated Node) async -> Void
    ) {
        Task { await body(self, node) }
    }

    // MARK: - Pieces

    /// Writes what came, a few pieces at a time; the disk has its own thread.
    private func writeNext(for node: isolated Node) {
        guard !isWriting, let first = arrived.first else { return }
        let batch = Array(arrived.prefix(BlobFiles.batchMax).prefix { $0.name == first.name })
        arrived.removeFirst(batch.count)
        isWriting = true
        work(for: node) { service, node in
            let verdicts = await service.write(batch.map(\.piece), of: first.name)
            service.isWriting = false
            for (one, verdict) in zip(batch, verdicts) {
                service.handle(
                    .checked(one.name, number: one.piece.number, from: one.link, verdict), for: node)
            }
            service.writeNext(for: node)
        }
    }

    private nonisolated(nonsending) func write(
        _ pieces: [BlobPiece], of name: BlobName
    ) async -> [BlobExchange.Verdict] {
        do throws(BlobFault) {
            do throws(BlobFault) {
                return try await verdicts(on: pieces, of: name)
            } catch .notHere {
                // The files are gone, or complete: the person may have shared the same file meanwhile.
                if try await files.begin(name).isComplete { return pieces.map { _ in .kept } }
                return try await verdicts(on: pieces, of: name)
            }
        } catch {
            logger.warning("pieces of a file were not stored", metadata: ["error": "\(error)"])
            return pieces.map { _ in .notStored }
        }
    }

    private nonisolated(nonsending) func verdicts(
        on pieces: [BlobPiece], of name: BlobName
    ) async throws(BlobFault) -> [BlobExchange.Verdict] {
        try await files.write(pieces, of: name).map { verdict in
            switch verdict {
            case .kept: .kept
            case .wrong: .wrong
            case .noParent: .again
            case .notStored: .notStored
            }
        }
    }

    private nonisolated(nonsending) func found(_ name: BlobName) async -> BlobExchange.Found {
        do {
            guard let blob = try await store.blobs.find(name), !blob.isUnused, blob.isShared else { return .nothing }
            if blob.isComplete { return .all }
            let pieces = try await files.begin(name)
            return pieces.isEmpty ? .nothing : .some(pieces)
        } catch {
            return .nothing
        }
    }

    private func give(
        _ numbers: [Int], of name: BlobName, _ ask: UInt32, to link: LinkID, for node: isolated Node
    ) async {
        let pieces: [BlobPiece]
        do {
            pieces = try await reader.pieces(numbers, of: name)
        } catch {
            logger.warning("pieces of a file were not read", metadata: ["error": "\(error)"])
            pieces = []
        }
        var sent: Set<Int> = []
        for piece in pieces {
            let frame = Frame.piece(PieceFrame(ask: ask, number: piece.number, octets: piece.bytes))
            guard node.links[link]?.sendBulk(frame.bytes) ?? false else { break }
            node.meter.metrics.sent(.piece)
            sent.insert(piece.number)
        }
        if let peer = node.links[link]?.peer.peer { given.gave(sent.count, of: name, to: peer) }
        let missing = numbers.filter { !sent.contains($0) }
        handle(.gave(name, ask: ask, count: sent.count, missing: missing, to: link), for: node)
    }

    private func recheck(_ number: Int, of name: BlobName, for node: isolated Node) async {
        do {
            guard case .damaged(let piece) = try await files.verifyPiece(number, of: name) else { return }
            logger.warning("a file is damaged on disk, and is fetched again", metadata: ["piece": "\(piece)"])
            try await store.blobs.markPartial(name, heldBytes: try await files.heldBytes(of: name))
            let have = try await files.reopen(name, without: [piece])
            handle(.wanted(name, have: have, from: nil), for: node)
        } catch {
            logger.warning("a file was not checked", metadata: ["error": "\(error)"])
        }
    }

    // MARK: - Beginning and ending

    /// - Returns: the pieces that are here; `nil` if there is no room.
    nonisolated(nonsending) func beginPassing(_ name: BlobName) async -> PieceSet? {
        let now = clock.now
        let until = WallTime(milliseconds: now.milliseconds + Self.passingSeconds * 1_000)
        do {
            // A draft, or what else is not for others, does not become theirs by being asked for.
            let row = try await store.blobs.find(name)
            if let row, !row.isShared { return nil }
            _ = try await store.blobs.add(name, .passing, use: .passing(until: until), at: now)
            let more = name.size - (row?.heldBytes ?? 0)
            if let leaving = try await store.blobs.leaving(for: name, bytes: more, within: Self.quota) {
                _ = try await store.blobs.evict(leaving) { [files] in files.setAside($0) }
                let have = try await files.begin(name)
                // All of it counts from now on.
                if row.map({ $0.heldBytes == 0 && !$0.isComplete }) ?? true {
                    try await store.blobs.markPartial(name, heldBytes: name.size)
                }
                return have
            }
        } catch {
            logger.warning("a file that passes by is not kept", metadata: ["error": "\(error)"])
        }
        await dropPassing(name)
        return nil
    }

    private nonisolated(nonsending) func dropPassing(_ name: BlobName) async {
        do {
            try await store.blobs.remove(.passing(until: clock.now), of: name)
            // A record may name it all the same.
            guard let row = try await store.blobs.find(name), !row.isUnused, !row.isComplete else { return }
            try await store.blobs.markPartial(name, heldBytes: try await files.heldBytes(of: name))
        } catch {
            logger.warning("a file that passed by is still kept", metadata: ["error": "\(error)"])
        }
    }

    private func complete(_ name: BlobName, for node: isolated Node) async {
        do {
            try await files.finish(name)
            try await store.blobs.markComplete(name)
            try await files.forgetMap(of: name)
        } catch {
            logger.warning("a file was not finished", metadata: ["error": "\(error)"])
        }
        fetches.ended(name, for: node)
        // Its author may wait for that.
        if downloads[name] != nil { node.mail.wake() }
        await save(name, for: node)
    }

    /// Finds out what a start has, and goes on with what a person asked for.
    func recover(for node: isolated Node) async {
        await recoverPieces(for: node)
        await resumeDownloads(for: node)
    }

    private func recoverPieces(for node: isolated Node) async {
        do {
            let pending = try await store.blobs.pending()
            for (blob, remains) in zip(pending, try await files.recover(pending.map(\.name))) {
                switch remains {
                case .complete:
                    try await store.blobs.markComplete(blob.name)
                    try await files.forgetMap(of: blob.name)
                    node.mail.wake()
                case .part(let heldBytes): try await store.blobs.markPartial(blob.name, heldBytes: heldBytes)
                case .nothing: break
                }
                guard remains != .complete, blob.blobClass == .own, blob.isShared, !blob.isUnused else { continue }
                handle(.wanted(blob.name, have: try await files.begin(blob.name), from: nil), for: node)
            }
        } catch {
            logger.warning("files of earlier starts were not looked at", metadata: ["error": "\(error)"])
        }
    }

    /// Called once a second. Removes what has no use any more, once a minute.
    nonisolated(nonsending) func look() async {
        let now = Clocks.now
        uploads.removeIdle(at: now)
        photos.removeOld(at: now)
        guard cleanedAt.duration(to: now) >= Self.cleaningInterval else { return }
        cleanedAt = now
        do {
            _ = try await store.blobs.removeUses(until: clock.now)
            var isDone = false
            while !isDone {
                let unused = try await store.blobs.unused(limit: 64)
                let removed = try await store.blobs.removeUnused(unused) { [files] in files.setAside($0) }
                isDone = removed.isEmpty
            }
        } catch {
            logger.warning("files without a use were not removed", metadata: ["error": "\(error)"])
        }
    }

    /// Waits until everything is on the disk, and gives the files free.
    nonisolated(nonsending) func close() async { await files.close() }

    func end(_ name: BlobName, for node: isolated Node) { handle(.unwanted(name), for: node) }
}
