import Foundation
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

/// Inserts records, compared with C that inserts the same.
struct BenchFill {
    let files: BenchFiles
    let posts: Int
    let source: BenchPosts

    private static let batch = 1_000
    private static let followed = 200
    private static let deeds = 2_000
    /// Half of the removed posts expire, half are deleted.
    private static let goneEach = 5_000

    /// Inserts the same posts into both files, into the store's by C for speed; then reactions to the owner's posts.
    func fill() async throws {
        try files.writeIdentity()
        let store = try files.store()
        let bare = try files.bare()
        let same = try Baseline(store: files.storePath)
        let portion = 50_000
        for first in stride(from: 0, to: posts, by: portion) {
            let batches = batches(first..<min(first + portion, posts))
            _ = try bare.insert(batches, intoStore: false, seen: source.written)
            _ = try same.insert(batches, intoStore: true, seen: source.written)
        }
        let owner = BenchPosts.owner
        var deeds: [VerifiedRecord] = []
        for (number, author) in source.identities.prefix(Self.followed).enumerated() {
            deeds.append(
                source.statement(
                    .follow, by: owner, about: author.peer.key, body: Statement(holds: true).body, at: number))
        }
        let own = (0..<Self.deeds).map { source.record($0, of: posts, by: owner) }
        for (number, post) in own.enumerated() {
            let author = source.identities[number % source.identities.count]
            let comment = CommentBody(name: source.names[0], text: "what \(number)").body
            deeds.append(source.statement(.comment, by: author, about: post.id.hash, body: comment, at: number))
            deeds.append(
                source.statement(
                    .like, by: author, about: post.id.hash, body: Statement(holds: true).body, at: number))
        }
        _ = try bare.insert([own], intoStore: false, seen: source.written)
        _ = try await store.insert(own + deeds, at: source.written)
    }

    /// Deletes some posts; others expire by themselves.
    func takeAway(from store: Store, and bare: Baseline) async throws {
        if files.areGone { return }
        let numbers = (0..<Self.goneEach).map { $0 * 100 + 2 }.filter { $0 < posts }
        let outcomes = try await store.insert(
            numbers.map { source.deletion(of: $0, count: posts) }, at: BenchPosts.filled)
        try bare.forget(numbers.map { Int64($0 + 1) })
        try report(["bench": "store-deletions", "added": outcomes.count { $0 == .added }, "of": numbers.count])
        files.noteGone()
    }

    /// Inserts posts into two fresh stores in turns: ours, and C that writes the same rows.
    func insert() async throws {
        let count = min(posts, 100_000)
        let portion = 10_000
        let fresh = BenchFiles(folder: files.folder.appending(path: "insert"))
        try FileManager.default.createDirectory(at: fresh.folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: fresh.folder) } }
        let store = try fresh.store()
        let otherPath = fresh.folder.appending(path: "other.sqlite").path
        _ = try Store(path: otherPath, owner: BenchPosts.owner.peer)
        let same = try Baseline(store: otherPath)
        var (ours, theirs) = (0.0, 0.0)
        for first in stride(from: 0, to: count, by: portion) {
            let batches = batches(first..<min(first + portion, count))
            for batch in batches {
                let start = seconds()
                _ = try await store.insert(batch, at: BenchPosts.filled)
                ours += seconds() - start
                theirs += try same.insert([batch], intoStore: true)
            }
        }
        try report([
            "bench": "store-insert", "posts": count, "per_s": rounded(Double(count) / ours),
            "c_per_s": rounded(Double(count) / theirs), "percent_of_c": rounded(theirs / ours * 100),
        ])
    }

    /// Verifies on all cores, in turns with libsodium's call alone.
    func verify() throws {
        let records = batches(0..<min(posts, 20_000))
        var (ours, theirs) = (0.0, 0.0)
        for _ in 0..<3 {
            var start = seconds()
            let right = concurrently(records.count) { index in
                records[index].count { isVerified($0.signed) }
            }
            ours += seconds() - start
            let laidOut = records.map(SignedRows.init)
            start = seconds()
            let same = concurrently(laidOut.count) { laidOut[$0].verified() }
            theirs += seconds() - start
            guard right == same else { throw BenchError("libsodium and we do not agree") }
        }
        let count = Double(records.count * Self.batch * 3)
        try report([
            "bench": "store-verify", "per_s": rounded(count / ours), "libsodium_per_s": rounded(count / theirs),
            "percent_of_libsodium": rounded(theirs / ours * 100),
        ])
    }

    private func isVerified(_ signed: SignedRecord) -> Bool {
        do throws(CryptoError) {
            _ = try RecordVerifier.verify(signed)
            return true
        } catch {
            return false
        }
    }

    private func batches(_ numbers: Range<Int>) -> [[VerifiedRecord]] {
        let records = source.records(numbers, of: posts, expiring: Self.goneEach)
        return stride(from: 0, to: records.count, by: Self.batch).map {
            Array(records[$0..<min($0 + Self.batch, records.count)])
        }
    }
}
