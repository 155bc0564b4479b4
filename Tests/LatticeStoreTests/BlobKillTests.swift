import Foundation
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// What a start finds after a kill at each step, and after a restart of the machine.
@Suite struct BlobKillTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func move(_ path: String, _ target: String) throws {
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: target).deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: path, toPath: target)
    }

    private func copy(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    /// The blob comes whole in the end, and nothing else stays.
    private func expectRecovery(
        _ killed: Folder, _ blob: SampleBlob, _ isRight: (BlobRemains) -> Bool, having: PieceSet? = nil
    ) async throws {
        let files = try killed.blobs()
        let remains = try await files.recover([blob.name])
        #expect(remains.count == 1 && remains.allSatisfy(isRight), "\(remains)")
        if remains == [.complete] {
            try await files.forgetMap(of: blob.name)
        } else {
            let here = try await files.begin(blob.name)
            if let having { #expect(here == having) }
            #expect(try await files.pieces(of: blob) == here.ranges.flatMap { $0 }.map { blob.piece($0) })
            try await files.take(blob)
        }
        #expect(try await files.pieces(of: blob).map(\.bytes) == blob.pieces)
        #expect(try killed.blobNames().count == 2)
        await files.close()
    }

    private func isPart(_ remains: BlobRemains) -> Bool {
        if case .part = remains { true } else { false }
    }

    @Test func afterTheFilesWereCreated() async throws {
        let blob = SampleBlob(size: 200_000)
        let files = try folder.blobs()
        let none = try folder.afterKill()
        try await expectRecovery(none, blob) { $0 == .nothing }
        _ = try await files.begin(blob.name)
        try await expectRecovery(folder.afterKill(), blob, isPart, having: blob.set([]))
        let map = folder.partPath(blob.name) + ".map"
        // Killed before the header was written, or each of the files was created.
        for ending in [".map", ".tree", ""] {
            let killed = try folder.afterKill()
            try FileManager.default.removeItem(atPath: killed.partPath(blob.name) + ending)
            try await expectRecovery(killed, blob) { $0 == .nothing }
        }
        for header in [Data(), Data(count: 100), Data(count: 4_097), try copy(map).prefix(4_000)] {
            let killed = try folder.afterKill()
            try header.write(to: URL(fileURLWithPath: killed.partPath(blob.name) + ".map"))
            try await expectRecovery(killed, blob) { $0 == .nothing }
        }
        // The map of another blob.
        let foreign = try folder.afterKill()
        var other = try copy(map)
        other[40] ^= 1
        try other.write(to: URL(fileURLWithPath: foreign.partPath(blob.name) + ".map"))
        try await expectRecovery(foreign, blob) { $0 == .nothing }
    }

    @Test func afterEachStepOfTheEnd() async throws {
        let blob = SampleBlob(size: 200_000)
        let (part, target) = (folder.partPath(blob.name), folder.blobPath(blob.name))
        let files = try folder.blobs()
        _ = try await files.begin(blob.name)
        try await files.write(Array(blob.numbers), of: blob)
        let whole = blob.set(blob.numbers)
        try await expectRecovery(folder.afterKill(), blob, isPart, having: whole)
        // The tree has its name, the data has not.
        let between = try folder.afterKill()
        try move(between.partPath(blob.name) + ".tree", between.blobPath(blob.name) + ".tree")
        try await expectRecovery(between, blob, isPart, having: whole)
        // The same while the process goes on.
        try move(part + ".tree", target + ".tree")
        try await files.finish(blob.name)
        try await expectRecovery(folder.afterKill(), blob) { $0 == .complete }
        #expect(try folder.blobNames().count == 3)
        // State 1 is committed: the start is not asked about it, and removes the map.
        let marked = try folder.afterKill()
        let later = try marked.blobs()
        #expect(try await later.recover([]) == [])
        #expect(try marked.blobNames().count == 2)
        #expect(try await later.begin(blob.name).isComplete)
        // A file under the name of the blob that has not its size is not the blob.
        let cut = try folder.afterKill()
        try Data(count: 100).write(to: URL(fileURLWithPath: cut.blobPath(blob.name)))
        try await expectRecovery(cut, blob) { $0 == .nothing }
    }

    @Test func afterEachStepOfARemoval() async throws {
        let blob = SampleBlob(size: 200_000)
        let files = try folder.blobs()
        try await files.take(blob)
        let (before, renamed) = (try folder.afterKill(), try folder.afterKill())
        #expect(BlobPaths(beside: renamed.path).setAside(blob.name))
        #expect(files.setAside(blob.name))
        try await expectRecovery(before, blob) { $0 == .complete }
        try await expectRecovery(renamed, blob) { $0 == .nothing }
        // Comes anew at once.
        try await files.take(blob)
        #expect(try folder.blobNames().count == 2)
        #expect(files.setAside(blob.name))
        #expect(files.setAside(blob.name))
        #expect(try await files.recover([blob.name]) == [.nothing])
        #expect(try folder.blobNames().isEmpty)
    }

    @Test func afterEachStepOfReopening() async throws {
        let blob = SampleBlob(size: 200_000)
        let files = try folder.blobs()
        try await files.take(blob)
        #expect(try await files.reopen(blob.name, without: [2]) == blob.set(blob.numbers.filter { $0 != 2 }))
        try await expectRecovery(
            folder.afterKill(), blob, isPart, having: blob.set(blob.numbers.filter { $0 != 2 }))
        let early = try folder.afterKill()
        try move(early.partPath(blob.name) + ".tree", early.blobPath(blob.name) + ".tree")
        let earlier = try folder.afterKill()
        for ending in [".tree", ""] {
            try move(earlier.partPath(blob.name) + ending, earlier.blobPath(blob.name) + ending)
        }
        try await expectRecovery(early, blob, isPart)
        try await expectRecovery(earlier, blob) { $0 == .complete }
    }

    /// At random moments, with the bits of some moment before: they are written after the bytes.
    @Test(arguments: 0..<31) func atAnyMomentOfArriving(seed: UInt64) async throws {
        var dice = SeededGenerator(seed: seed)
        let blob = SampleBlob(size: .random(in: 1...1_000_000, using: &dice) + 32_768, seed: seed)
        let files = try folder.blobs()
        _ = try await files.begin(blob.name)
        try await files.write([0], of: blob)
        let order = blob.numbers.dropFirst().shuffled(using: &dice)
        let early = Int.random(in: 0...order.count, using: &dice)
        let late = min(order.count, early + .random(in: 0...BlobFiles.batchMax, using: &dice))
        try await files.write(Array(order[..<early]), of: blob)
        let map = try copy(folder.partPath(blob.name) + ".map")
        try await files.write(Array(order[early..<late]), of: blob)
        let killed = try folder.afterKill()
        try map.write(to: URL(fileURLWithPath: killed.partPath(blob.name) + ".map"))
        try await expectRecovery(killed, blob, isPart, having: blob.set([0] + order[..<early]))
        await files.close()
        try await expectRecovery(folder, blob, isPart, having: blob.set([0] + order[..<late]))
    }

    // MARK: - Real kills

    @Test func aKilledProcessLosesNothingItAcknowledged() async throws {
        var dice = SeededGenerator(seed: 31)
        var acknowledged: Set<Int> = []
        var seed: UInt64 = 0
        var blob = BlobVictim.blob(seed)
        for round in 0..<31 {
            let victim = try VictimProcess(
                running: "theProcessThatTakesBlobs", BlobVictim.environment(path: folder.path, seed: seed))
            let lines = try victim.killed(
                after: .random(in: 1...8, using: &dice), spins: .random(in: 0...400_000, using: &dice), mayEnd: true)
            acknowledged.formUnion(lines.joined(separator: " ").split(separator: " ").compactMap { Int($0) })
            let files = try folder.blobs()
            let remains = try await files.recover([blob.name])
            let here = try await files.begin(blob.name)
            #expect(acknowledged.allSatisfy { here.contains($0) }, "round \(round)")
            for number in here.ranges.joined() {
                #expect(try await files.verifyPiece(number, of: blob.name) == .right, "round \(round)")
            }
            if remains == [.complete] {
                try await files.remove(blob.name)
                (acknowledged, seed) = ([], seed + 1)
                blob = BlobVictim.blob(seed)
            }
            await files.close()
        }
    }

    /// Runs in a process of its own until it is killed.
    @Test(.enabled(if: BlobVictim.isThisProcess)) func theProcessThatTakesBlobs() async throws {
        try await BlobVictim.run()
    }

    // MARK: - The machine was restarted

    @Test func afterARestartOfTheMachineOnlyWhatIsOnTheDiskCounts() async throws {
        let blob = SampleBlob(size: 33 << 20)
        let files = try folder.blobs()
        _ = try await files.begin(blob.name)
        try await files.write(Array(blob.numbers), of: blob)
        await files.close()
        let part = folder.partPath(blob.name)
        // Pieces 2 and 700, and the second node with its 32 leaves.
        try damage(part, at: 5)
        try damage(part, at: 698 * 32_768 + 32_767)
        try damage(part + ".tree", at: 32_768)
        let same = try folder.afterKill()
        let trusting = try same.blobs()
        #expect(try await trusting.begin(blob.name).isComplete)
        let lost = [2, 700] + Array(1_026..<blob.pieces.count)
        let right = blob.set(blob.numbers.filter { !lost.contains($0) })
        for boot in [BootID.second, nil] {
            let restarted = try folder.afterKill()
            let later = try restarted.blobs(boot: boot)
            #expect(isPart(try await later.recover([blob.name])[0]))
            #expect(try await later.read([0, 1, 2], of: blob.name).isEmpty, "nothing counts before it is checked")
            #expect(try await later.begin(blob.name) == right)
            #expect(try await later.pieces(of: blob) == right.ranges.flatMap { $0 }.map { blob.piece($0) })
            await later.close()
            // It was checked once for all.
            try damage(restarted.partPath(blob.name), at: 3 * 32_768)
            let again = try restarted.blobs(boot: boot ?? .second)
            #expect(try await again.begin(blob.name).contains(5) == (boot != nil))
            try await again.take(blob)
            await again.close()
        }
    }

    @Test func thisMachineHasABootID() {
        #expect(BootID.current != nil)
        #expect(BootID.current == BootID.current)
    }

    // MARK: - Damage

    @Test func aDamagedPieceOfAPartIsMissing() async throws {
        let blob = SampleBlob(size: 33 << 20)
        let files = try folder.blobs()
        _ = try await files.begin(blob.name)
        try await files.write([0, 1, 2, 3, 1_026], of: blob)
        try damage(folder.partPath(blob.name), at: 0)
        #expect(try await files.verifyPiece(2, of: blob.name) == .damaged(piece: 2))
        #expect(try await files.verifyPiece(2, of: blob.name) == .notHere)
        #expect(try await files.verifyPiece(3, of: blob.name) == .right)
        // A node: nothing can be proven by it.
        try damage(folder.partPath(blob.name) + ".tree", at: 0)
        #expect(try await files.verifyPiece(3, of: blob.name) == .damaged(piece: 1))
        #expect(try await files.begin(blob.name) == blob.set([0, 3, 1_026]))
        #expect(
            try await files.write([blob.piece(4), blob.piece(1), blob.piece(4)], of: blob.name) == [
                .noParent, .kept, .kept,
            ])
        await files.close()
        // Found when the next piece comes.
        try damage(folder.partPath(blob.name) + ".tree", at: 0)
        let later = try folder.blobs()
        _ = try await later.begin(blob.name)
        #expect(try await later.write([blob.piece(5)], of: blob.name) == [.noParent])
        try await later.take(blob)
        #expect(try await later.pieces(of: blob).map(\.bytes) == blob.pieces)
    }

    @Test func aDamagedPieceOfACompleteBlobCanComeAgain() async throws {
        let blob = SampleBlob(size: 200_000)
        let files = try folder.blobs()
        try await files.take(blob)
        try damage(folder.blobPath(blob.name), at: 40_000)
        #expect(try await files.verifyPiece(1, of: blob.name) == .right)
        #expect(try await files.verifyPiece(2, of: blob.name) == .damaged(piece: 2))
        #expect(try await files.verifyPiece(2, of: blob.name) == .damaged(piece: 2))
        let here = try await files.reopen(blob.name, without: [2, -1, 100])
        #expect(here == blob.set(blob.numbers.filter { $0 != 2 }))
        #expect(try await files.begin(blob.name) == here)
        try await files.take(blob)
        #expect(try await files.verifyPiece(2, of: blob.name) == .right)
        await #expect(throws: BlobFault.notHere) { try await files.reopen(SampleBlob(size: 5).name, without: [0]) }
    }
}

/// Takes a blob in a random order, and says which pieces it has.
private enum BlobVictim {
    private static let pathVariable = "LATTICE_BLOB_VICTIM_PATH"
    private static let seedVariable = "LATTICE_BLOB_VICTIM_SEED"

    static func environment(path: String, seed: UInt64) -> [String: String] {
        [pathVariable: path, seedVariable: "\(seed)"]
    }

    static var isThisProcess: Bool { ProcessInfo.processInfo.environment[pathVariable] != nil }

    static func blob(_ seed: UInt64) -> SampleBlob { SampleBlob(size: 3 << 20, seed: seed) }

    static func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let path = environment[pathVariable], let seed = environment[seedVariable].flatMap({ UInt64($0) }) else {
            return
        }
        let blob = blob(seed)
        var dice = SeededGenerator(seed: seed)
        let files = try BlobFiles(beside: path, boot: .first)
        let here = try await files.begin(blob.name)
        let left = [0] + blob.numbers.dropFirst().shuffled(using: &dice).filter { !here.contains($0) }
        for start in stride(from: 0, to: left.count, by: BlobFiles.batchMax) {
            let batch = Array(left[start..<min(start + BlobFiles.batchMax, left.count)])
            let verdicts = try await files.write(batch.map { blob.piece($0) }, of: blob.name)
            try #require(verdicts.allSatisfy { $0 == .kept })
            VictimProcess.acknowledge(batch.map { "\($0)" }.joined(separator: " "))
        }
        try await files.finish(blob.name)
    }
}
