import Foundation
import GRDB
import LatticeCore
import LatticeSalvage
import LatticeStore
import LatticeWire
import Testing

/// Disks that are full, cannot be written to, or went bad.
@Suite(.serialized) struct TroubleTests {
    private let anna: Author
    private let bert: Author

    init() throws {
        anna = try Author(1)
        bert = try Author(2)
    }

    private func posts(_ range: Range<Int>) -> [VerifiedRecord] {
        range.map { bert.post("\($0) " + String(repeating: "word ", count: 200)) }
    }

    // MARK: Full

    /// What fits on a real, small disk; only root may mount one.
    @Test(.enabled(if: SmallDisk.canBeMounted)) func whenTheDiskIsFullReadingGoesOn() async throws {
        let disk = try SmallDisk(kilobytes: 1_024)
        defer { disk.unmount() }
        let store = try Store(path: disk.path("lattice.sqlite"), owner: anna.peer)
        var kept = 0
        var fault: StoreError?
        while fault == nil {
            do {
                _ = try await store.insert(posts(kept..<kept + 10), at: Morning.arrival)
                kept += 10
            } catch {
                fault = error
            }
        }
        #expect(fault == .diskFull(path: store.path))
        #expect(kept > 0)
        #expect(try await store.upkeep.stats(at: Morning.arrival).records == kept)
        try store.close()
        // The next process still reads.
        let next = try Store(path: store.path, owner: anna.peer)
        #expect(try await next.upkeep.stats(at: Morning.arrival).records == kept)
    }

    // MARK: Read only

    @Test(.enabled(if: SmallDisk.canBeMounted)) func whatCannotBeWrittenToIsRead() async throws {
        let disk = try SmallDisk(kilobytes: 4_096)
        defer { disk.unmount() }
        let store = try Store(path: disk.path("lattice.sqlite"), owner: anna.peer)
        _ = try await store.insert(posts(0..<20), at: Morning.arrival)
        try store.close()
        try disk.makeReadOnly()
        let read = try Store(path: store.path, owner: anna.peer)
        #expect(read.isReadOnly)
        #expect(try await read.upkeep.stats(at: Morning.arrival).records == 20)
        #expect(try await read.upkeep.check(verify: verified).faults == [])
        await #expect(throws: StoreError.readOnly(path: store.path)) {
            try await read.insert([bert.post("more")], at: Morning.arrival)
        }
        // And where there is none, none is made.
        #expect(throws: StoreError.self) { try Store(path: disk.path("other.sqlite"), owner: anna.peer) }
        try read.close()
    }

    // MARK: Damaged

    /// Overwrites pages of the file with rubbish, all but the first.
    private func damage(_ path: String, pages: Int, _ dice: inout SeededGenerator) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let count = bytes.count / 4_096
        for _ in 0..<pages {
            let start = Int.random(in: 1..<count, using: &dice) * 4_096
            for offset in 0..<4_096 { bytes[start + offset] = .random(in: 0...255, using: &dice) }
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test(arguments: 0..<6) func ofADamagedFileWhatVerifiesIsSaved(seed: UInt64) async throws {
        var dice = SeededGenerator(seed: seed)
        let folder = try Folder()
        let store = try folder.store(of: anna)
        for start in stride(from: 0, to: 300, by: 100) {
            _ = try await store.insert(posts(start..<start + 100), at: Morning.arrival)
        }
        try await store.set("here", "40.7,-74")
        try store.close()
        try damage(folder.path, pages: 4, &dice)
        let report = try await Salvage.run(path: folder.path, owner: anna.peer, at: Morning.arrival, verify: verified)
        let saved = try folder.store(of: anna)
        #expect(try await saved.upkeep.check(verify: verified).faults == [])
        #expect(try await saved.upkeep.stats(at: Morning.arrival).records == report.kept)
        #expect(FileManager.default.fileExists(atPath: report.damagedPath))
        // A bad page of rows costs a few; one above them more.
        if seed == 0 { #expect(report.kept > 200) }
    }

    @Test func ofRubbishNothingIsSavedAndAStoreIsThereAgain() async throws {
        let folder = try Folder()
        try Data(repeating: 65, count: 10_000).write(to: URL(fileURLWithPath: folder.path))
        let report = try await Salvage.run(path: folder.path, owner: anna.peer, at: Morning.arrival, verify: verified)
        #expect(report.kept == 0 && report.damagedPath == folder.path + ".damaged-1")
        #expect(try await folder.store(of: anna).insert([bert.post("on")], at: Morning.arrival) == [.added])
    }

    @Test func aSoundFileIsSavedWhole() async throws {
        let folder = try Folder()
        var story = try Story(seed: 5)
        let store = try folder.store(of: story.authors[0])
        _ = try await store.insert(story.shuffled(), at: Morning.arrival)
        let waiting = try Author(1).post("waits")
        let (own, _) = try await store.write(at: Morning.arrival, waits: true) { _ in waiting }
        let before = try dump(folder.path)
        try store.close()
        _ = try await Salvage.run(
            path: folder.path, owner: story.authors[0].peer, at: Morning.arrival, verify: verified)
        let saved = try folder.store(of: story.authors[0])
        // What was taken back is not in the file any more; that it was, is.
        let gone = difference(before, try dump(folder.path)).filter { $0.hasPrefix("- record") }
        #expect(gone.allSatisfy { $0.hasSuffix("\"\"") || $0.contains("|11|") })
        #expect(try await saved.outbox.waiting(limit: 10, after: nil).map(\.record) == [own.signed])
        #expect(try await saved.upkeep.check(verify: verified).faults == [])
    }
}
