import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

/// Fetches photos of others: those that somebody looks at, and others before anybody asks, within a budget.
final class PhotoFetches {
    /// Somebody looks at it.
    private struct Asked {
        var until: Instant
        /// All neighbours were asked, and nobody has it; they are asked again.
        var isNowhere = false
    }

    /// Photos that are looked at, and come.
    private static let askedMax = 64
    /// How long one is fetched that somebody looked at.
    private static let askedFor: Duration = .seconds(300)
    private static let portion = 64
    /// All photos are considered again: a neighbour may have come who has one that was given up.
    private static let againInterval: Duration = .seconds(600)

    private let store: Store
    private let clock: NodeClock
    private let logger: Logger
    private let isUnasked: Bool
    private var budget: FetchBudget
    private var asked: [BlobName: Asked] = [:]
    /// The number of the last photo that was considered.
    private var lastNumber: Int64 = 0
    private var hasNews = true
    private var begunAt = Clocks.now

    init(
        _ store: Store, _ clock: NodeClock, _ logger: Logger, isUnasked: Bool, _ budget: FetchBudget = FetchBudget()
    ) {
        (self.store, self.clock, self.logger, self.isUnasked, self.budget) = (store, clock, logger, isUnasked, budget)
    }

    func storeChanged() { hasNews = true }

    func progressed(_ name: BlobName, for node: isolated Node) {
        budget.progressed(name)
        asked[name]?.isNowhere = false
        node.waits.resolve(.blob(name))
    }

    func nobodyHas(_ name: BlobName, for node: isolated Node) {
        guard asked[name] != nil else { return }
        asked[name]?.isNowhere = true
        node.waits.resolve(.blob(name))
    }

    /// It is here, or will not come.
    func ended(_ name: BlobName, for node: isolated Node) {
        budget.ended(name)
        asked[name] = nil
        node.waits.resolve(.blob(name))
    }

    // MARK: - For somebody who looks

    /// The bytes of a photo, which is fetched if it is not here.
    func bytes(
        of named: NamedPhoto, in blobs: BlobService, for node: isolated Node
    ) async throws(RequestError) -> [UInt8] {
        let name = named.photo.blob
        guard name.size <= BodyPhoto.bytesMax else {
            throw .badPicture(problem: .tooLarge(bytesMax: Int(BodyPhoto.bytesMax)))
        }
        if try await !isHere(name) {
            let until = Clocks.now.advanced(by: Self.askedFor)
            if asked[name] != nil {
                asked[name]?.until = until
            } else {
                guard asked.count < Self.askedMax else { throw .photoNotHere }
                asked[name] = Asked(until: until)
                let isContact = await isContact(named.author, for: node)
                guard
                    await begin(
                        name, named.record, by: named.author, isContact ? .contacts : .strangers, in: blobs, for: node)
                else { throw .photoNotHere }
            }
            try await waitFor(name, node: node)
        }
        return try await blobs.reader.bytes(of: name, from: 0, length: Int(name.size))
    }

    private func waitFor(_ name: BlobName, node: isolated Node) async throws(RequestError) {
        while try await !isHere(name) {
            guard let asked = asked[name], !asked.isNowhere else {
                // It may have come between the look and here.
                guard try await isHere(name) else { throw .photoNotHere }
                return
            }
            let outcome = await node.wait(for: .blob(name), until: Clocks.now.advanced(by: ReadPhoto.patience))
            if outcome == .happened { continue }
            guard try await isHere(name) else { throw .photoNotHere }
        }
    }

    private nonisolated(nonsending) func isHere(_ name: BlobName) async throws(RequestError) -> Bool {
        do throws(StoreError) {
            return try await store.blobs.find(name)?.isComplete ?? false
        } catch {
            throw RequestError(error)
        }
    }

    func isContact(_ author: PeerID, for node: isolated Node) async -> Bool {
        if node.personas.owner.contactMarks.verified.contains(author) { return true }
        do {
            return try store.snapshot { try $0.followed() }.contains(author)
        } catch {
            return false  // A stranger's photo has the smaller quota.
        }
    }

    // MARK: - Before anybody asks

    /// Called once a second.
    func look(for node: isolated Node) async {
        let now = Clocks.now
        guard let blobs = node.blobs else { return }
        await giveUp(at: now, in: blobs, for: node)
        if begunAt.duration(to: now) >= Self.againInterval { (begunAt, lastNumber, hasNews) = (now, 0, true) }
        guard isUnasked, hasNews, !budget.isFull, node.mesh.register.neighbourCount > 0 else { return }
        hasNews = false
        do {
            let missing = try await store.photos.missing(
                after: lastNumber, bytesMax: BodyPhoto.bytesMax, limit: Self.portion)
            guard !missing.isEmpty else { return }
            hasNews = true
            let viewer = try await node.publisher.desk(of: node.personas.owner, for: node).reader.viewer()
            for photo in missing where !budget.isFull {
                if try await isSeen(photo, by: viewer, for: node) { await consider(photo, in: blobs, for: node) }
                lastNumber = photo.number
            }
        } catch {
            logger.warning("photos are not looked for", metadata: ["error": "\(error)"])
        }
    }

    /// Whether the owner sees the record that names the photo.
    private func isSeen(
        _ photo: MissingPhoto, by viewer: Viewer, for node: isolated Node
    ) async throws(StoreError) -> Bool {
        guard !node.personas.owner.contactMarks.unheard.contains(photo.author) else { return false }
        guard photo.kind != .profile else { return true }
        guard let item = try await store.items.item(photo.record, at: clock.now) else { return false }
        return viewer.state(of: item) == .shown
    }

    private func consider(_ photo: MissingPhoto, in blobs: BlobService, for node: isolated Node) async {
        guard asked[photo.blob] == nil, blobs.downloads[photo.blob] == nil else { return }
        let isContact =
            photo.blobClass == .contacts || node.personas.owner.contactMarks.verified.contains(photo.author)
        guard budget.begin(photo.blob, by: photo.author, isContact: isContact, at: Clocks.now) else { return }
        _ = await begin(
            photo.blob, photo.record, by: photo.author, isContact ? .contacts : .strangers, in: blobs, for: node)
    }

    /// Makes room for a photo, and fetches it.
    ///
    /// - Returns: `false` if there is no room; then it has ended.
    private func begin(
        _ name: BlobName, _ record: RecordID, by author: PeerID, _ blobClass: BlobClass, in blobs: BlobService,
        for node: isolated Node
    ) async -> Bool {
        do {
            let row = try await store.blobs.add(
                name, blobClass, author: author, use: .record(record), at: clock.now)
            if let row, let leaving = try await leaving(for: row) {
                _ = try await store.blobs.evict(leaving) { [files = blobs.files] in files.setAside($0) }
                let have = try await blobs.files.begin(name)
                // It may have become complete meanwhile.
                try await store.blobs.hold(name, heldBytes: name.size)
                let link = node.ask { $0.register.connectedLinks }.first { $0.peer == author }?.link
                blobs.handle(.wanted(name, have: have, from: link), for: node)
                return true
            }
        } catch {
            logger.warning("a photo is not fetched", metadata: ["error": "\(error)"])
        }
        ended(name, for: node)
        return false
    }

    private nonisolated(nonsending) func leaving(for row: StoredBlob) async throws(StoreError) -> [BlobName]? {
        try await store.blobs.leaving(
            for: row.name, bytes: row.name.size - row.heldBytes, within: BlobService.quota)
    }

    private func giveUp(at now: Instant, in blobs: BlobService, for node: isolated Node) async {
        let late = asked.filter { $0.value.until <= now }.keys.sorted() + budget.givenUp(at: now)
        for name in late {
            ended(name, for: node)
            // A person may want it as a file.
            guard blobs.downloads[name] == nil else { continue }
            blobs.end(name, for: node)
            do {
                guard try await !isHere(name) else { continue }
                try await store.blobs.hold(name, heldBytes: try await blobs.files.heldBytes(of: name))
            } catch {
                logger.warning("a photo that did not come still counts", metadata: ["error": "\(error)"])
            }
        }
    }
}
