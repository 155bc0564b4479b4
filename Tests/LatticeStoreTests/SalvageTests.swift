import Foundation
import GRDB
import LatticeCore
import LatticeSalvage
import LatticeStore
import LatticeWire
import Testing

/// A file that is damaged in one place: everything elsewhere is saved.
@Suite(.serialized) struct SalvageTests {
    private static let pageBytes = 4_096
    private let anna: Author
    private let bert: Author

    init() throws {
        anna = try Author(1)
        bert = try Author(2)
    }

    /// 330 records, every eleventh longer than a page holds; some waiting, some taken back.
    private func filled(_ folder: Folder) async throws -> Store {
        let store = try folder.store(of: anna)
        var records: [VerifiedRecord] = []
        for number in 0..<320 {
            let isLong = number.isMultiple(of: 11)
            let bytes = isLong ? 5_000 + number * 37 : 200
            records.append(
                bert.say(RecordKind(rawValue: 400), body: [UInt8](repeating: UInt8(number % 256), count: bytes)))
        }
        _ = try await store.insert(records, at: Morning.arrival)
        for number in 0..<10 {
            let own = anna.post("own \(number)")
            _ = try await store.write(at: Morning.arrival, waits: number < 3) { _ in own }
        }
        try await store.set("here", "40.7,-74")
        return store
    }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private func ids(_ path: String) throws -> Set<[UInt8]> {
        let queue = try DatabaseQueue(path: path)
        return try queue.read { Set(try Data.fetchAll($0, sql: "SELECT id FROM record").map(Array.init)) }
    }

    private func root(of table: String, _ path: String) throws -> Int {
        try DatabaseQueue(path: path).read {
            try #require(
                try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table]))
        }
    }

    private func salvage(_ folder: Folder) async throws -> SalvageReport {
        let report = try await Salvage.run(
            path: folder.path, owner: anna.peer, at: Morning.arrival, verify: verified)
        let saved = try folder.store(of: anna)
        #expect(try await saved.upkeep.check(verify: verified).faults == [])
        #expect(try await saved.upkeep.stats(at: Morning.arrival).records == report.kept)
        try saved.close()
        return report
    }

    // MARK: One page

    @Test(arguments: ["record", "sqlite_schema", "record_id", "outbox", "setting", "peer"])
    func withoutTheRootOfATableEveryRecordIsSaved(table: String) async throws {
        let folder = try Folder()
        try await filled(folder).close()
        let before = try ids(folder.path)
        let page = table == "sqlite_schema" ? 1 : try root(of: table, folder.path)
        var file = try bytes(folder.path)
        for offset in 0..<Self.pageBytes { file[(page - 1) * Self.pageBytes + offset] = 0xA5 }
        try write(file, folder.path)
        let report = try await salvage(folder)
        #expect(report.kept == 330 && report.lost == 0)
        #expect(try ids(folder.path) == before)
        let saved = try folder.store(of: anna)
        if table != "setting" { #expect(try await saved.setting("here") == "40.7,-74") }
        if table != "outbox" { #expect(try await saved.outbox.waiting(limit: 10, after: nil).count == 3) }
        // The index tells all that was there; without the schema nobody knows.
        #expect(report.isLossKnown == (table != "sqlite_schema"))
    }

    @Test func ofARecordThatIsCutTheReportTells() async throws {
        let folder = try Folder()
        try await filled(folder).close()
        let root = try root(of: "record", folder.path)
        var file = try bytes(folder.path)
        // The last page of an overflow chain says that none follows, and is full of one number.
        let page = try #require(
            (1..<file.count / Self.pageBytes).first { page in
                let bytes = file[page * Self.pageBytes..<(page + 1) * Self.pageBytes]
                return bytes.prefix(2).allSatisfy { $0 == 0 }
                    && bytes.dropFirst(2_000).prefix(1_000).allSatisfy { $0 == 22 }
            })
        for offset in 0..<1_000 { file[page * Self.pageBytes + 2_000 + offset] = 1 }
        for offset in 0..<Self.pageBytes { file[(root - 1) * Self.pageBytes + offset] = 0 }
        try write(file, folder.path)
        let report = try await salvage(folder)
        #expect(report.kept == 329 && report.lost == 1 && report.isLossKnown)
    }

    // MARK: The log

    @Test func whatStandsInTheLogAloneIsSaved() async throws {
        let folder = try Folder()
        let store = try await filled(folder)
        let expected = try ids(folder.path)
        // As after a power cut: the log was not joined, and the file's beginning is gone.
        let (file, log) = (try bytes(folder.path), try bytes(folder.path + "-wal"))
        try store.close()
        try write(file, folder.path)
        var damaged = log
        for offset in 0..<16 { damaged[offset] = 0xFF }
        try Data(damaged).write(to: URL(fileURLWithPath: folder.path + "-wal"))
        let report = try await salvage(folder)
        #expect(report.kept == 330)
        #expect(try ids(folder.path) == expected)
    }

    // MARK: What was taken back

    @Test func whatWasTakenBackStaysSo() async throws {
        let folder = try Folder()
        let store = try await filled(folder)
        let post = anna.post("regretted")
        _ = try await store.insert([post], at: Morning.arrival)
        _ = try await store.insert([anna.delete(post.id)], at: Morning.arrival)
        try store.close()
        var file = try bytes(folder.path)
        let root = try root(of: "record", folder.path)
        for offset in 0..<Self.pageBytes { file[(root - 1) * Self.pageBytes + offset] = 0 }
        try write(file, folder.path)
        let report = try await salvage(folder)
        #expect(report.kept == 331 && report.lost == 0)
        #expect(try await folder.store(of: anna).insert([post], at: Morning.arrival) == [.erased])
    }

    // MARK: Anything

    private enum Weather: CaseIterable {
        case flips, zeroedPages, rubbishPages, cut, headerFlips
    }

    /// - Returns: the pages that are as they were, from 1.
    private func damage(_ file: inout [UInt8], _ weather: Weather, _ dice: inout SeededGenerator) -> Set<Int> {
        let pages = file.count / Self.pageBytes
        var hit: Set<Int> = []
        switch weather {
        case .flips, .headerFlips:
            for _ in 0..<Int.random(in: 1...40, using: &dice) {
                let offset = Int.random(in: 0..<(weather == .flips ? file.count : 100), using: &dice)
                file[offset] ^= 1 << UInt8.random(in: 0...7, using: &dice)
                hit.insert(offset / Self.pageBytes + 1)
            }
        case .zeroedPages, .rubbishPages:
            for _ in 0..<Int.random(in: 1...20, using: &dice) {
                let page = Int.random(in: 0..<pages, using: &dice)
                for offset in 0..<Self.pageBytes {
                    let byte = weather == .zeroedPages ? 0 : UInt8.random(in: 0...255, using: &dice)
                    file[page * Self.pageBytes + offset] = byte
                }
                hit.insert(page + 1)
            }
        case .cut:
            let end = Int.random(in: 1..<file.count, using: &dice)
            file.removeSubrange(end...)
            hit.formUnion(end / Self.pageBytes + 1...pages)
        }
        return Set(1...pages).subtracting(hit)
    }

    /// Whatever happened to it, nothing traps, and no record whose pages are sound is lost.
    @Test(arguments: 0..<20) func whatLiesOnSoundPagesIsSaved(seed: UInt64) async throws {
        var dice = SeededGenerator(seed: seed)
        let folder = try Folder()
        try await filled(folder).close()
        let sound = try bytes(folder.path)
        let weather = Weather.allCases[Int(seed) % Weather.allCases.count]
        var file = sound
        let intact = damage(&file, weather, &dice)
        let expected = LeafReader(sound, pageBytes: Self.pageBytes).ids(onlyOn: intact)
        try write(file, folder.path)
        _ = try await salvage(folder)
        let missing = expected.subtracting(try ids(folder.path))
        #expect(missing.isEmpty, "seed \(seed), \(weather): \(missing.count) of \(expected.count) are lost")
    }

    @Test(arguments: 0..<10) func ofRubbishThatLooksLikeADatabaseNothingTraps(seed: UInt64) async throws {
        var dice = SeededGenerator(seed: seed)
        let folder = try Folder()
        var file = (0..<Int.random(in: 1...60_000, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
        for start in stride(from: 0, to: file.count, by: 512) { file[start] = [0x0D, 0x0A][Int(seed) % 2] }
        if seed.isMultiple(of: 3) {
            file.replaceSubrange(0..<min(16, file.count), with: Array("SQLite format 3\0".utf8))
        }
        try write(file, folder.path)
        try Data(file.reversed()).write(to: URL(fileURLWithPath: folder.path + "-wal"))
        let report = try await salvage(folder)
        #expect(report.kept == 0 && !report.isLossKnown)
    }
}

/// A second opinion on where records lie, for a file that is sound.
private struct LeafReader {
    let file: [UInt8]
    let pageBytes: Int

    init(_ file: [UInt8], pageBytes: Int) {
        self.file = file
        self.pageBytes = pageBytes
    }

    /// Ids of records all of whose pages are among these.
    func ids(onlyOn pages: Set<Int>) -> Set<[UInt8]> {
        var ids: Set<[UInt8]> = []
        for page in pages.sorted() where page > 1 && file[start(page)] == 0x0D {
            let count = number(start(page) + 3, 2)
            for cell in 0..<count {
                let offset = start(page) + number(start(page) + 8 + 2 * cell, 2)
                if let id = id(offset, pages) { ids.insert(id) }
            }
        }
        return ids
    }

    private func start(_ page: Int) -> Int { (page - 1) * pageBytes }

    private func number(_ offset: Int, _ count: Int) -> Int {
        file[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private func varint(_ offset: inout Int) -> Int {
        var value = 0
        repeat {
            value = value << 7 | Int(file[offset] & 0x7F)
            offset += 1
        } while file[offset - 1] >= 0x80
        return value
    }

    /// The id in a row of fourteen columns whose second has 32 bytes and whose last is not NULL.
    private func id(_ cell: Int, _ pages: Set<Int>) -> [UInt8]? {
        var offset = cell
        let payload = varint(&offset)
        _ = varint(&offset)
        let content = offset
        let header = varint(&offset)
        var types: [Int] = []
        while offset < content + header { types.append(varint(&offset)) }
        guard types.count == 14, types[0] == 0, types[1] == 76, types[13] > 12 else { return nil }
        if payload > pageBytes - 35 {
            let least = (pageBytes - 12) * 32 / 255 - 23
            let fitting = least + (payload - least) % (pageBytes - 4)
            let local = fitting <= pageBytes - 35 ? fitting : least
            var next = number(content + local, 4)
            while next != 0 {
                guard pages.contains(next) else { return nil }
                next = number(start(next), 4)
            }
        }
        return Array(file[content + header..<content + header + 32])
    }
}
