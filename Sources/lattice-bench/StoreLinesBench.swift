import ArgumentParser
import Foundation
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

/// Inserts chat lines into a new store with a certain number of lines a commit. Run it under `strace -f -c` for its system calls.
struct StoreLinesBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Processor time of stored chat lines by the number of lines a commit.")

    @Option(help: "Number of lines for each size of commits.")
    var lines = 20_000

    @Option(help: "Lines a commit; repeatable.")
    var each: [Int] = [1, 4, 16, 64]

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    func run() async throws {
        let records = BenchLines(source: try BenchPosts(seed: seed), count: lines, room: Array("#park".utf8))
            .records(0..<lines)
        for size in each { try await insert(records, size) }
    }

    private func insert(_ records: [VerifiedRecord], _ size: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-store-lines-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let store = try Store(path: folder.appending(path: "lines.sqlite").path, owner: BenchPosts.owner.peer)
        let (start, began) = (processorSeconds(), seconds())
        for first in stride(from: 0, to: records.count, by: size) {
            _ = try await store.insert(Array(records[first..<min(first + size, records.count)]), at: BenchPosts.filled)
        }
        let (spent, taken) = (processorSeconds() - start, seconds() - began)
        try store.close()
        try report([
            "bench": "store-lines", "lines": records.count, "lines_a_commit": size,
            "cpu_us_a_line": rounded(spent / Double(records.count) * 1e6),
            "us_a_line": rounded(taken / Double(records.count) * 1e6),
        ])
    }
}
