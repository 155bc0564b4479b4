import GRDB
import LatticeCore
import LatticeWire

/// Finds stored records outside the owner's rule, in portions: those from before the rule was set, and strangers' records that
/// have become too old since.
struct RuleSweep {
    /// Limit of rows in one portion; a tenth of a second.
    private static let rowsMax: Int64 = 50_000
    /// A search by date that found nothing is recorded at most once an hour.
    private static let agedMin: Int64 = 3_600_000

    let rule: StoredRetention
    let owner: Int64
    /// Unix milliseconds.
    let now: Int64

    /// The records found, and the progress of the search.
    struct Findings {
        var seqs: [Int64] = []
        fileprivate var swept: String?
        fileprivate var aged: String?
        fileprivate var isMoved = false

        var isNothing: Bool { seqs.isEmpty && !isMoved }

        /// Runs in the transaction that removes the rows.
        func store(in database: Database) throws {
            try StoredSettings.set(.swept, swept, in: database)
            try StoredSettings.set(.aged, aged, in: database)
        }
    }

    func findings(_ limit: Int, in database: Database) throws -> Findings {
        var findings = Findings()
        findings.swept = try StoredSettings.value(.swept, in: database)
        findings.aged = try StoredSettings.value(.aged, in: database)
        guard limit > 0 else { return findings }
        if let swept = findings.swept.flatMap({ Int64($0) }) { try sweep(after: swept, limit, &findings, database) }
        if let since = rule.since(at: now), findings.seqs.count < limit {
            try age(before: since, limit - findings.seqs.count, &findings, database)
        }
        return findings
    }

    /// Records of excluded groups and rooms, in order of arrival.
    private func sweep(after swept: Int64, _ limit: Int, _ findings: inout Findings, _ database: Database) throws {
        var last: Int64?
        let rows = try RawStatement(
            database, "SELECT \(RecordRow.columns) FROM record WHERE seq > ?1 ORDER BY seq LIMIT ?2")
        try rows.bind(swept, at: 1)
        try rows.bind(Self.rowsMax, at: 2)
        try rows.forEach { columns in
            let row = try RecordRow(columns)
            if row.author != owner, rule.leavesOut(row) { findings.seqs.append(row.seq) }
            last = row.seq
            return findings.seqs.count < limit
        }
        findings.swept = last.map { "\($0)" }
        findings.isMoved = true
    }

    /// Strangers' records that are too old, oldest first. Followed people's are skipped, and not looked at again.
    private func age(before since: Int64, _ limit: Int, _ findings: inout Findings, _ database: Database) throws {
        let aged = findings.aged.flatMap { Int64($0) } ?? .min
        guard aged < since else { return }
        for recordClass in RecordRow.Class.allCases {
            let left = limit - findings.seqs.count
            let found = try database.all(
                """
                SELECT seq FROM record WHERE filed = 1 AND class = ?2 AND date >= ?3 AND date < ?4
                  AND \(AuthorCircle.strangers.condition) ORDER BY date, seq LIMIT ?5
                """,
                [.int(owner), .int(recordClass.rawValue), .int(aged), .int(since), .int(Int64(left))]
            ) { $0.int(0) }
            findings.seqs += found
            // The next run finds the rest.
            if found.count == left { return }
        }
        guard aged < since - Self.agedMin else { return }
        findings.aged = "\(since)"
        findings.isMoved = true
    }
}
