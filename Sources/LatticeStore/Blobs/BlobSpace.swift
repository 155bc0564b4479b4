import GRDB
import LatticeCore
import LatticeWire

/// What blobs take of their quotas, and what must leave.
struct BlobSpace {
    let database: Database

    private static let columns = "SELECT root, size, seq, held FROM blob"
    static let oldest = "\(columns) WHERE class = ? AND held > 0 ORDER BY used, seq"
    static let oldestOfAuthor = "\(columns) WHERE author = ? AND class = ? AND held > 0 ORDER BY used, seq"
    static let sum = "SELECT sum(held) FROM blob WHERE class = ? AND held > 0"
    static let sumOfAuthor = "SELECT sum(held) FROM blob WHERE author = ? AND class = ?"

    func held(by blobClass: BlobClass) throws -> Int64 {
        try database.one(Self.sum, [.int(blobClass.rawValue)]) { $0.int(0) } ?? 0
    }

    private func held(by author: Int64, in classes: [BlobClass]) throws -> Int64 {
        try classes.reduce(0) { sum, blobClass in
            sum + (try database.one(Self.sumOfAuthor, [.int(author), .int(blobClass.rawValue)]) { $0.int(0) } ?? 0)
        }
    }

    // MARK: - What must leave

    /// Blobs that were chosen to leave.
    private struct Choice {
        var names: [BlobName] = []
        var seqs: Set<Int64>
        var bytes: Int64 = 0
    }

    /// See `BlobTable.leaving`.
    func leaving(for name: BlobName, bytes: Int64, within quota: BlobQuota) throws -> [BlobName]? {
        let row = try database.one(
            "SELECT seq, class, author FROM blob WHERE root = ? AND size = ?", BlobRows.key(name)
        ) { (seq: $0.int(0), number: $0.int(1), author: $0.optionalInt(2)) }
        guard let row, let blobClass = BlobClass(rawValue: row.number) else { return nil }
        if blobClass == .own { return [] }
        // It does not leave for itself.
        var choice = Choice(seqs: [row.seq])
        if let author = row.author {
            let classes: [BlobClass] = blobClass == .passing ? [.passing] : [.strangers, .contacts]
            let limit = blobClass == .passing ? quota.neighbourBytes : quota.authorBytes
            let excess = try held(by: author, in: classes) + bytes - limit
            let worse = classes.filter { $0 >= blobClass }
            guard try choose(worse, of: author, until: excess, &choice) else { return nil }
        }
        if blobClass == .passing {
            let excess = try held(by: .passing) + bytes - quota.passingBytes
            guard try choose([.passing], of: nil, until: excess, &choice) else { return nil }
        }
        let all: [BlobClass] = [.passing, .strangers, .contacts]
        let excess = try all.reduce(0) { sum, one in sum + (try held(by: one)) } + bytes - quota.bytes
        guard try choose(all.filter { $0 >= blobClass }, of: nil, until: excess, &choice) else { return nil }
        return choice.names
    }

    /// Adds the least recently used blobs of these classes until their bytes are enough.
    ///
    /// - Returns: whether they are.
    private func choose(
        _ classes: [BlobClass], of author: Int64?, until bytes: Int64, _ choice: inout Choice
    ) throws -> Bool {
        for blobClass in classes where choice.bytes < bytes {
            let values = (author.map { [Bound.int($0)] } ?? []) + [.int(blobClass.rawValue)]
            try database.each(author == nil ? Self.oldest : Self.oldestOfAuthor, values) { row in
                if choice.seqs.insert(row.int(2)).inserted {
                    choice.names.append(try BlobRows.name(row))
                    choice.bytes += row.int(3)
                }
                return choice.bytes < bytes
            }
        }
        return choice.bytes >= bytes
    }
}
