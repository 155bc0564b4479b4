import Foundation
import LatticeCore
import LatticeStore
import LatticeWire
import Testing

/// Files of earlier versions open, and hold what they held.
///
/// A kept file is made once, by the version it is of, and never again:
/// `LATTICE_KEPT_FILE=v2 swift test --filter aKeptFileIsMade` writes `Fixtures/v2.sqlite`, and its row is added to `versions`.
@Suite struct KeptFileTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures")
    /// How many records each holds.
    private static let versions = [("v1", 103)]

    @Test(arguments: versions) func aFileOfAnEarlierVersionOpens(version: String, records: Int) async throws {
        let folder = try Folder()
        let kept = Self.fixtures.appending(path: "\(version).sqlite")
        try FileManager.default.copyItem(at: kept, to: URL(fileURLWithPath: folder.path))
        let store = try folder.store(of: Author(1))
        #expect(try await store.stats(at: Morning.arrival).records == records)
        #expect(try await store.check(verify: verified).faults == [])
        let before = try dump(folder.path)
        #expect(try await store.rebuild(at: Morning.arrival) == records)
        #expect(difference(before, try dump(folder.path)) == [])
        #expect(try await store.setting("here") == "40.7,-74")
        #expect(try await store.waiting(limit: 10, after: nil).count == 1)
        #expect(try await store.insert([Author(2).post("and on")], at: Morning.arrival) == [.added])
    }

    private static let made = ProcessInfo.processInfo.environment["LATTICE_KEPT_FILE"]

    @Test(.enabled(if: made != nil)) func aKeptFileIsMade() async throws {
        let folder = try Folder()
        let story = try Story(seed: 1)
        let store = try folder.store(of: story.authors[0])
        _ = try await store.insert(story.records, at: Morning.arrival)
        try await store.set("here", "40.7,-74")
        let own = story.authors[0].post("waits")
        _ = try await store.write(at: Morning.arrival, waits: true) { _ in own }
        _ = try await store.vacuum()
        try store.close()
        let name = try #require(Self.made)
        try FileManager.default.createDirectory(at: Self.fixtures, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: folder.path), to: Self.fixtures.appending(path: "\(name).sqlite"))
    }
}
