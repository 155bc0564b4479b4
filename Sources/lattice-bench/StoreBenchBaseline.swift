import CBaseline
import Foundation
import LatticeCore
import LatticeGeo
import LatticeWire

/// Plain SQLite in C, on a file of its own or on one that the store has made.
// Safety: bytes and texts are lent for the length of the call that reads them, in one block that stays alive, with
// their true lengths; output buffers are ours and have the size that C is given. Only one thread at a time uses a base.
final class Baseline {
    private let base: OpaquePointer
    private var found = [baseline_found](repeating: baseline_found(), count: 100)

    init(bare path: String) throws {
        guard let base = baseline_open_bare(path) else { throw BenchError("cannot open \(path)") }
        self.base = base
    }

    init(store path: String) throws {
        guard let base = baseline_open_store(path) else { throw BenchError("cannot open \(path)") }
        self.base = base
    }

    deinit {
        baseline_close(base)
    }

    /// - Parameter isPlain: searches everything within reach at once and not in widening rings.
    /// - Returns: how many were found.
    func near(_ centre: Coordinate, metres: Double, now: WallTime, limit: Int, isPlain: Bool = false) throws -> Int {
        let search = isPlain ? baseline_near_plain : baseline_near
        let count = search(
            base, centre.latitudeE7, centre.longitudeE7, metres, now.milliseconds, Int32(limit), &found)
        if count < 0 { throw BenchError(String(cString: baseline_error(base))) }
        return Int(count)
    }

    /// Distances in the last result.
    func metres(_ count: Int) -> [Double] {
        found.prefix(count).map(\.metres)
    }

    func forget(_ seqs: [Int64]) throws {
        if baseline_forget_bare(base, seqs, Int32(seqs.count)) != 0 {
            throw BenchError(String(cString: baseline_error(base)))
        }
    }

    /// Inserts each batch in a transaction. Only the calls into C count, not the preparation.
    ///
    /// - Parameter seen: when the store received them.
    /// - Returns: the time in seconds.
    func insert(_ batches: [[VerifiedRecord]], intoStore: Bool, seen: WallTime = BenchPosts.filled) throws -> Double {
        var taken = 0.0
        for batch in batches {
            let rows = try BaselineRows(batch, seen: seen)
            taken += try rows.withPosts { posts in
                let start = seconds()
                let code =
                    intoStore
                    ? baseline_insert_store(base, posts.baseAddress, Int32(posts.count))
                    : baseline_insert_bare(base, posts.baseAddress, Int32(posts.count))
                if code != 0 { throw BenchError(String(cString: baseline_error(base))) }
                return seconds() - start
            }
        }
        return taken
    }
}

/// Posts laid out for C: all their bytes in one block.
private struct BaselineRows {
    private struct Row {
        let record: VerifiedRecord
        let body: PostBody
        /// Where its bytes begin: id, author, record, name, text.
        let offset: Int
    }

    private var rows: [Row] = []
    private var block: [UInt8] = []
    private let seen: WallTime

    init(_ records: [VerifiedRecord], seen: WallTime) throws {
        self.seen = seen
        for record in records {
            let body = try PostBody(decoding: record.signed.record.body)
            rows.append(Row(record: record, body: body, offset: block.count))
            record.id.hash.append(to: &block)
            record.author.key.append(to: &block)
            block += record.signed.bytes
            block += body.name.text.utf8
            block += body.text.utf8
        }
    }

    func withPosts<Value>(_ use: (UnsafeBufferPointer<baseline_post>) throws -> Value) throws -> Value {
        try block.withUnsafeBufferPointer { block in
            guard let start = block.baseAddress else { throw BenchError("a batch needs at least one post") }
            return try rows.map { post($0, start) }.withUnsafeBufferPointer(use)
        }
    }

    private func post(_ row: Row, _ start: UnsafePointer<UInt8>) -> baseline_post {
        let bytes = row.record.signed.bytes.count
        let names = row.body.name.text.utf8.count
        let name = UnsafeRawPointer(start + row.offset + 64 + bytes).assumingMemoryBound(to: CChar.self)
        let record = row.record.signed.record
        let date = min(record.created.wall, seen).milliseconds
        let place = row.body.place.coordinate
        return baseline_post(
            id: start + row.offset, author: start + row.offset + 32, record: start + row.offset + 64,
            record_length: Int32(bytes), name: name, name_length: Int32(names), text: name + names,
            text_length: Int32(row.body.text.utf8.count),
            created: Int64(bitPattern: record.created.rawValue ^ 1 << 63), lifetime: Int64(record.lifetimeSeconds),
            seen: seen.milliseconds, date: date,
            expires: date + Int64(record.lifetimeSeconds) * 1_000, cell: Cell(place).value,
            latitude: place.latitudeE7, longitude: place.longitudeE7)
    }
}

/// Records laid out for libsodium: the signed bytes, end to end.
// Safety: immutable once made; what is lent to C is lent for the length of the call, with its true lengths.
struct SignedRows: Sendable {
    private let block: [UInt8]
    private let lengths: [Int32]

    init(_ records: [VerifiedRecord]) {
        var block: [UInt8] = []
        var lengths: [Int32] = []
        for record in records {
            let signed = record.signed
            record.author.key.append(to: &block)
            block += signed.signature
            block += signed.signedBytes
            lengths.append(Int32(signed.signedBytes.count))
        }
        self.block = block
        self.lengths = lengths
    }

    func verified() -> Int {
        Int(baseline_verified(block, lengths, Int32(lengths.count)))
    }
}
