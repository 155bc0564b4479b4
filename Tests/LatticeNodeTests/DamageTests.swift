import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeSalvage
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
        let archive = Archive(store: store, identity: identity, name: try PeerName("alice"))
        let bob = try Person("bob")
        _ = try await archive.perform(SetHere(try .park()), at: Self.now)
        for number in 0..<40 {
            let post = NewPost(
                text: "water \(number) at the gate", at: try .at(40.7128, -74.006 + Double(number) / 1e4))
            let item = try await archive.perform(post, at: Self.now)
            let waiting = try await store.outbox.waiting(limit: 1_000, after: nil)
            _ = try await bob.store.insert(
                try waiting.map { try RecordVerifier.verify($0.record) }, at: Self.now)
            _ = try await bob.ask(SetHere(try .park()))
            _ = try await bob.ask(LikeItem(item.reference, true))
            _ = try await bob.ask(NewComment(on: item.reference, text: "cold \(number)"))
        }
        var draft = EventDraft(name: "Campfire", at: try .park(), starts: Self.now)
        draft.address = "Field 3"
        for _ in 0..<10 { _ = try await bob.ask(CreateEvent(draft)) }
        _ = try await bob.ask(FollowPerson(PeerReference(identity.peer.hex), true))
        let theirs = try await bob.store.outbox.waiting(limit: 1_000, after: nil)
        _ = try await store.insert(try theirs.map { try RecordVerifier.verify($0.record) }, at: Self.now)
        _ = try await archive.perform(FollowPerson(PeerReference("bob"), true), at: Self.now)
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
            _ = try await Salvage.run(path: path, owner: identity.peer, at: Person.now, verify: Archive.verified)
            let saved = try Store(path: path, owner: identity.peer)
            #expect(try await saved.upkeep.check(verify: Archive.verified).faults == [], "seed \(seed)")
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

    /// Sends every request; any answer will do.
    private func use(_ path: String, _ identity: Identity) async throws {
        guard let store = try? Store(path: path, owner: identity.peer) else { return }
        let archive = Archive(store: store, identity: identity, name: try PeerName("alice"))
        func ask<R: Request>(_ request: R) async -> R.Reply? { try? await archive.perform(request, at: Self.now) }
        let park = try Coordinate.park()
        for request in requests(around: park) {
            guard let page = await ask(request) as? ItemPage else { continue }
            for item in page.items {
                _ = await ask(ShowItem(item.reference, from: park))
                if item.isMine {
                    _ = await ask(EditItem(item.reference, text: "e"))
                    _ = await ask(DeleteItem(item.reference))
                } else {
                    _ = await ask(LikeItem(item.reference, true))
                    _ = await ask(NewComment(on: item.reference, text: "e"))
                }
            }
        }
        _ = await ask(CheckStore())
        _ = try? await store.upkeep.expire(at: WallTime(milliseconds: Self.now.milliseconds + 90 * 86_400_000))
        _ = await ask(RebuildStore())
        try? store.close()
    }

    private func requests(around park: Coordinate) -> [any Request] {
        let page = PageRequest(limit: 100)
        return [
            NearQuery(.posts, centre: park, page: page), NearQuery(.events, centre: park, page: page),
            ListTimeline(page), ListEvents(page), ListNotifications(page), ListUrgent(), DismissUrgent(),
            ListProfiles(), ShowProfile(),
            ShowProfile(PeerReference("bob")),
            SearchQuery(words: "water", page: page), SearchQuery(words: "cold", near: park, page: page),
            ShowStoreStats(), NewPost(text: "x", at: park), ShowHere(),
        ]
    }
}
