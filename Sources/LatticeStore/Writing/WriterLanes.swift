/// The writer's queue: drafts and steps go before records of others, and urgent ones of these before the rest; each lane
/// is first in, first out.
struct WriterLanes {
    enum Lane {
        case drafts
        case ingest
        case urgent
    }

    /// Each job holds a waiting caller or a few records.
    static let jobsMax = 4_096
    /// As many lines as four seconds at the highest rate.
    static let draftsMax = 16_384
    /// Some 50,000 chat lines.
    static let ingestBytesMax = 16 << 20
    /// Urgent records fit when nothing else does.
    static let urgentBytesMax = 1 << 20
    /// About 10 ms of work: how long a draft waits for the current commit.
    static let batchRecordsMax = 512
    static let batchBytesMax = 1 << 20

    private var drafts: [WriterJob] = []
    private var ingest: [WriterJob] = []
    /// How many of these are urgent; they are the first.
    private var urgentCount = 0
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
        case .urgent:
            guard ingestBytes < Self.ingestBytesMax + Self.urgentBytesMax else { return false }
            ingestBytes += job.bytes
            ingest.insert(job, at: urgentCount)
            urgentCount += 1
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
            let taken = Self.prefix(of: ingest, for: &batch)
            ingest.removeFirst(taken)
            urgentCount = max(0, urgentCount - taken)
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
