import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Files whose bytes changed on the disk: what is asked of them gets an answer or an error, and the program goes on.
@Suite struct DamageTests {
    private static let now = Person.now

    /// Two people's posts, comments, likes, follows and events in one file.
    private func fill(_ path: String, _ identity: Identity) async throws {
        let store = try Store(path: path, owner: identity.peer)
        let wall = Wall(store: store, identity: identity, name: try PeerName("alice"))
        let bob = try Person("bob")
        _ = try await wall.perform(.setHere(try .park()), at: Self.now)
        for number in 0..<40 {
            let post = NewPost(
                text: "water \(number) at the gate", at: try .at(40.7128, -74.006 + Double(number) / 1e4))
            guard case .item(let item) = try await wall.perform(.post(post), at: Self.now) else { continue }
            let waiting = try await store.waiting(limit: 1_000, after: nil)
            _ = try await bob.store.insert(
                try waiting.map { try RecordVerifier.verify($0.record) }, at: Self.now)
            _ = try await bob.ask(.setHere(try .park()))
            _ = try await bob.ask(.like(item.reference, true))
            _ = try await bob.ask(.comment(on: item.reference, text: "cold \(number)"))
        }
        var draft = EventDraft(name: "Campfire", at: try .park(), starts: Self.now)
        draft.address = "Field 3"
        for _ in 0..<10 { _ = try await bob.ask(.createEvent(draft)) }
        _ = try await bob.ask(.follow(PeerReference(identity.peer.hex), true))
        let theirs = try await bob.store.waiting(limit: 1_000, after: nil)
        _ = try await store.insert(try theirs.map { try RecordVerifier.verify($0.record) }, at: Self.now)
        _ = try await wall.perform(.follow(PeerReference("bob"), true), at: Self.now)
        try store.close()
    }

    @Test func aDamagedFileStopsNobody() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-damage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let identity = Identity(seed: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
        let whole = folder.appending(path: "whole.sqlite")
        try await fill(whole.path, identity)
        let bytes = try Data(contentsOf: whole)
        for seed in 0..<30 as Range<UInt64> {
            let path = folder.appending(path: "\(seed).sqlite").path
            try damaged(bytes, seed).write(to: URL(fileURLWithPath: path))
            try await use(path, identity)
            _ = try await Store.salvage(path: path, owner: identity.peer, at: Person.now, verify: Wall.verified)
            let saved = try Store(path: path, owner: identity.peer)
            #expect(try await saved.check(verify: Wall.verified).faults == [], "seed \(seed)")
        }
    }

    /// A few bytes anywhere but in the header: bits turned, or other bytes.
    private func damaged(_ bytes: Data, _ seed: UInt64) -> Data {
        var dice = SeededGenerator(seed: seed)
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...200, using: &dice) {
            let index = Int.random(in: 100..<bytes.count, using: &dice)
            let bit: UInt8 = 1 << UInt8.random(in: 0..<8, using: &dice)
            bytes[index] = seed.isMultiple(of: 2) ? bytes[index] ^ bit : .random(in: 0...255, using: &dice)
        }
        return bytes
    }

    /// Asks for everything; what is told in answer does not matter, but that something is.
    private func use(_ path: String, _ identity: Identity) async throws {
        guard let store = try? Store(path: path, owner: identity.peer) else { return }
        let wall = Wall(store: store, identity: identity, name: try PeerName("alice"))
        func ask(_ request: WallRequest) async -> WallAnswer? { try? await wall.perform(request, at: Self.now) }
        let park = try Coordinate.park()
        for request in requests(around: park) {
            guard case .page(let page) = await ask(request) else { continue }
            for item in page.items {
                _ = await ask(.show(item.reference, from: park))
                _ = await ask(item.isMine ? .edit(item.reference, text: "e") : .like(item.reference, true))
                _ = await ask(item.isMine ? .delete(item.reference) : .comment(on: item.reference, text: "e"))
            }
        }
        _ = await ask(.storeCheck)
        _ = try? await store.expire(at: WallTime(milliseconds: Self.now.milliseconds + 90 * 86_400_000))
        _ = await ask(.storeRebuild)
        try? store.close()
    }

    private func requests(around park: Coordinate) -> [WallRequest] {
        let page = PageRequest(limit: 100)
        return [
            .near(NearQuery(.posts, centre: park, page: page)), .near(NearQuery(.events, centre: park, page: page)),
            .timeline(page), .activity(page), .people, .profile(nil), .profile(PeerReference("bob")),
            .search(SearchQuery(words: "water", page: page)),
            .search(SearchQuery(words: "cold", near: park, page: page)), .storeStats,
            .post(NewPost(text: "x", at: park)), .here,
        ]
    }
}
