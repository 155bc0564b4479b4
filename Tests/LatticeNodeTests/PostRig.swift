import Glibc
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// A person with an archive of their own, in a folder that is gone at the end.
final class Person {
    let archive: Archive
    let store: Store
    let identity: Identity
    private let folder: String
    /// What of the outbox others were given.
    private var given: Int64?

    init(_ name: String, textClustersMax: Int? = nil) throws {
        var template = Array("/tmp/lattice-posts-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        folder = String(cString: made)
        identity = Identity.generate()
        store = try Store(path: "\(folder)/lattice.sqlite", owner: identity.peer)
        archive = Archive(store: store, identity: identity, name: try PeerName(name), textClustersMax: textClustersMax)
    }

    deinit {
        for suffix in ["", "-wal", "-shm"] { unlink("\(folder)/lattice.sqlite\(suffix)") }
        rmdir(folder)
    }

    /// Everything written since the last time comes to these.
    func tell(_ others: Person..., at now: WallTime = Person.now) async throws {
        let waiting = try await store.outbox.waiting(limit: 10_000, after: given)
        given = waiting.last?.seq ?? given
        let records = try waiting.map { try RecordVerifier.verify($0.record) }
        for other in others { _ = try await other.store.insert(records, at: now) }
    }

    static let now = WallTime(milliseconds: 1_800_000_000_000)

    func ask<R: Request>(_ request: R, at now: WallTime = Person.now) async throws -> R.Reply {
        try await archive.perform(request, at: now)
    }

    func detail(_ id: RecordID, from: Coordinate? = nil, at now: WallTime = Person.now) async throws -> ItemDetail {
        try await ask(ShowItem(ItemReference(id.hex), from: from), at: now)
    }

    struct Unexpected: Error {}
}

extension ItemInfo {
    var reference: ItemReference { ItemReference(self.id.hex) }
}

extension Coordinate {
    static func at(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    static func park() throws -> Coordinate { try at(40.7128, -74.006) }
}
