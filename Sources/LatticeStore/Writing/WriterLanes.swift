/// The writer's queue: drafts and steps go before records of others; each lane is first in, first out.
struct WriterLanes {
    enum Lane {
        case drafts
        case ingest
    }

    /// Each job holds a waiting caller or a few records.
    static let jobsMax = 4_096
    /// As many lines as four seconds at the highest rate.
    static let draftsMax = 16_384
    /// Some 50,000 chat lines.
    static let ingestBytesMax = 16 << 20
    /// About 10 ms of work: how long a draft waits for the current commit.
    static let batchRecordsMax = 512
    static let batchBytesMax = 1 << 20

    private var drafts: [WriterJob] = []
    private var ingest: [WriterJob] = []
    private var draftCount = 0
    private var ingestBytes = 0

    var isEmpty: Bool { drafts.isEmpty && ingest.isEmpty }

    /// - Returns: `false` if the lane is full; then nothing is taken.
    mutating func add(_ job: WriterJob, to lane: Lane) -> Bool {
        guard drafts.count + ingest.count < Self.jobsMax else { return false }
        switch lane {
        case .drafts:
            guard draftCount < Self.draftsMax else { return false }
            draftCount += job.recordCount
            drafts.append(job)
        case .ingest:
            guard ingestBytes < Self.ingestBytesMax else { return false }
            ingestBytes += job.bytes
            ingest.append(job)
        }
        return true
    }

    /// The jobs for one commit; only one if it runs alone.
    mutating func take() -> [WriterJob] {
        var batch = Batch()
        let draftJobs = Self.prefix(of: drafts, for: &batch)
        drafts.removeFirst(draftJobs)
        draftCount -= batch.records
        if !batch.isClosed {
            ingest.removeFirst(Self.prefix(of: ingest, for: &batch))
            ingestBytes -= batch.bytes
        }
        return batch.jobs
    }

    private struct Batch {
        var jobs: [WriterJob] = []
        var records = 0
        var bytes = 0
        /// A job that runs alone is in the batch or next.
        var isClosed = false
        var isFull: Bool { records >= batchRecordsMax || bytes >= batchBytesMax }
    }

    private static func prefix(of lane: [WriterJob], for batch: inout Batch) -> Int {
        var count = 0
        for job in lane {
            if batch.isClosed || batch.isFull { break }
            if case .alone = job {
                batch.isClosed = true
                guard batch.jobs.isEmpty else { break }
            }
            batch.jobs.append(job)
            batch.records += job.recordCount
            batch.bytes += job.bytes
            count += 1
        }
        return count
    }
}
