import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire

// Records on a stick.
extension Archive {
    private static let batchMax = 1_000
    /// Bytes of records imported at a time; the largest would otherwise take 60 MB, and as much again while they are verified.
    private static let batchBytesMax = 4 << 20

    func exportBundle(_ path: String, _ selection: BundleSelection, at now: WallTime) async throws(RequestError)
        -> ExportBundle.Reply
    {
        var wanted = RecordSelection()
        wanted.since = selection.since
        wanted.items = selection.around.map { Circle(centre: $0.centre, radius: $0.radius) }
        if let author = selection.author { wanted.author = try await reader.find(author, at: now).peer }
        let file = try BundleFile(writing: path)
        var writer = BundleWriter()
        var (records, bytes) = (0, 0)
        var last: Int64 = -1
        while true {
            let (after, selected) = (last, wanted)
            let batch = try await stored { () throws(StoreError) in
                try await store.catalogue.records(after: after, limit: Self.batchMax, where: selected)
            }
            for record in batch { writer.append(record.bytes) }
            records += batch.count
            let piece = writer.take()
            try file.write(piece)
            bytes += piece.count
            guard let end = batch.last else { break }
            last = end.seq
        }
        try file.finish()
        return ExportBundle.Reply(records: records, bytes: bytes)
    }

    /// Imports what verifies, a thousand records at a time. Imported records stay, so that importing the complete file later
    /// continues where it stopped.
    func importBundle(_ path: String, at now: WallTime) async throws(RequestError) -> ImportReport {
        var file = try BundleFile(reading: path)
        var reader = BundleReader()
        var report = ImportReport()
        var batch: [SignedRecord] = []
        var batchBytes = 0
        do {
            while true {
                let piece = try file.read()
                if piece.isEmpty { break }
                reader.feed(piece)
                while let bytes = try reader.next() {
                    if let record = decoded(bytes) { batch.append(record) } else { report.refused += 1 }
                    batchBytes += bytes.count
                    guard batch.count >= Self.batchMax || batchBytes >= Self.batchBytesMax else { continue }
                    try await take(in: batch, &report, at: now)
                    batch = []
                    batchBytes = 0
                }
            }
            try reader.finish()
        } catch let error as BundleError {
            guard error != .notABundle else {
                throw .file(fault: .notABundle(path: path))
            }
            report.brokenAt = reader.offset
        } catch let error as RequestError {
            throw error
        } catch {
            throw .other(code: .fileFailed, message: "\(error)")
        }
        try await take(in: batch, &report, at: now)
        return report
    }

    private func decoded(_ bytes: ArraySlice<UInt8>) -> SignedRecord? {
        do {
            return try SignedRecord(decoding: bytes)
        } catch {
            return nil
        }
    }

    private func take(
        in batch: [SignedRecord], _ report: inout ImportReport, at now: WallTime
    ) async throws(RequestError) {
        guard !batch.isEmpty else { return }
        let ids = batch.map { RecordID(Digest.blake2b256($0.bytes)) }
        let known = try await stored { () throws(StoreError) in try await store.catalogue.known(ids) }
        let unknown = zip(batch, ids).filter { !known.contains($1) }.map(\.0)
        report.known += batch.count - unknown.count
        var verified: [VerifiedRecord] = []
        for result in await RecordVerifier.verifyAll(unknown) {
            switch result {
            case .success(let record): verified.append(record)
            case .failure: report.refused += 1
            }
        }
        let records = verified
        for outcome in try await stored({ () throws(StoreError) in try await store.insert(records, at: now) }) {
            switch outcome {
            case .added: report.added += 1
            case .known: report.known += 1
            case .superseded, .expired, .expiredByAge, .erased, .ignored, .blocked, .evicted: report.outdated += 1
            case .refused: report.refused += 1
            }
        }
    }
}
