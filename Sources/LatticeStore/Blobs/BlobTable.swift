import GRDB
package import LatticeCore
package import LatticeWire

/// Which blobs are here, and why. It knows nothing of files: `BlobFiles` has the bytes of all but small ones.
package struct BlobTable: Sendable {
    let access: PersonaAccess

    /// The largest blob whose bytes may be in its row.
    package static let rowBytesMax = 16_384

    /// Adds a use, and the blob if it is not in the table. The blob of a better class than before changes its class, and who
    /// is charged.
    ///
    /// - Parameters:
    ///   - author: who is charged; `nil` is nobody.
    ///   - bytes: those of a blob of at most `rowBytesMax`, verified; it is complete then.
    /// - Returns: `nil`, with nothing added, if the record or text of the use is not here or was deleted.
    package func add(
        _ name: BlobName, _ blobClass: BlobClass, author: PeerID? = nil, use: BlobUse, bytes: [UInt8]? = nil,
        at wallTime: WallTime
    ) async throws(StoreError) -> StoredBlob? {
        let blob = NewBlobRow(name: name, blobClass: blobClass, author: author, bytes: bytes, date: wallTime)
        return try await access.commit { try BlobRows.add(blob, use, in: $0) }
    }

    /// - Parameter use: its date does not matter.
    /// - Returns: whether there was this use.
    @discardableResult
    package func remove(_ use: BlobUse, of name: BlobName) async throws(StoreError) -> Bool {
        try await access.commit { try BlobRows.remove(use, of: name, in: $0) }
    }

    /// Removes drafts and what passes by whose time is over.
    ///
    /// - Returns: the number of uses removed.
    package func removeUses(until wallTime: WallTime) async throws(StoreError) -> Int {
        try await access.commit { transaction in
            try transaction.database.run(BlobRows.usesOver, [.int(wallTime.milliseconds)])
            return transaction.database.changesCount
        }
    }

    package func find(_ name: BlobName) async throws(StoreError) -> StoredBlob? {
        try await access.read { try BlobRows.one(name, in: $0) }
    }

    /// The bytes of a small blob that is in its row; `nil` if they are in a file or not here.
    package func bytes(of name: BlobName) async throws(StoreError) -> [UInt8]? {
        try await access.read { database in
            try database.one(
                "SELECT bytes FROM blob WHERE root = ? AND size = ? AND bytes IS NOT NULL", BlobRows.key(name)
            ) { $0.bytes(0) }
        }
    }

    // MARK: - What is here of it

    /// Notes that all pieces of a blob are here.
    ///
    /// - Parameter bytes: those of a blob of at most `rowBytesMax`, verified; `nil` if they are in a file.
    /// - Returns: `false` if the blob is not in the table.
    @discardableResult
    package func markComplete(_ name: BlobName, bytes: [UInt8]? = nil) async throws(StoreError) -> Bool {
        try await access.commit { transaction in
            try transaction.database.run(
                "UPDATE blob SET state = 1, held = ?, bytes = ? WHERE root = ? AND size = ?",
                [.int(BlobRows.charged(BlobRows.diskBytes(of: name))), bytes.map(Bound.bytes) ?? .null]
                    + BlobRows.key(name))
            return transaction.database.changesCount > 0
        }
    }

    /// Notes that pieces of a blob are missing, after a part of it came or was found damaged.
    ///
    /// - Parameter heldBytes: what it takes on disk.
    /// - Returns: `false` if the blob is not in the table.
    @discardableResult
    package func markPartial(_ name: BlobName, heldBytes: Int64) async throws(StoreError) -> Bool {
        try await access.commit { transaction in
            try transaction.database.run(
                "UPDATE blob SET state = 0, held = ?, bytes = NULL WHERE root = ? AND size = ?",
                [.int(BlobRows.charged(heldBytes))] + BlobRows.key(name))
            return transaction.database.changesCount > 0
        }
    }

    /// Notes how much of a blob is on disk while it is not complete.
    package func hold(_ name: BlobName, heldBytes: Int64) async throws(StoreError) {
        try await access.commit { transaction in
            try transaction.database.run(
                "UPDATE blob SET held = ? WHERE root = ? AND size = ? AND state = 0",
                [.int(BlobRows.charged(heldBytes))] + BlobRows.key(name))
        }
    }

    /// Notes that a blob was read or given. Writes at most once an hour.
    package func touch(_ name: BlobName, at wallTime: WallTime) async throws(StoreError) {
        let values = [.int(BlobRows.hour(wallTime))] + BlobRows.key(name)
        let isOlder = try await access.read { database in
            try database.one("SELECT 1 FROM blob WHERE used < ? AND root = ? AND size = ?", values) { _ in true }
        }
        guard isOlder == true else { return }
        try await access.commit {
            try $0.database.run("UPDATE blob SET used = max(used, ?) WHERE root = ? AND size = ?", values)
        }
    }

    /// Changes the class of a blob, and who is charged: when a person no longer keeps it.
    package func reclassify(_ name: BlobName, as blobClass: BlobClass, author: PeerID?) async throws(StoreError) {
        try await access.commit { transaction in
            let number = try BlobRows.number(of: author, in: transaction)
            try transaction.database.run(
                "UPDATE blob SET class = ?, author = ? WHERE root = ? AND size = ?",
                [.int(blobClass.rawValue), .optional(number)] + BlobRows.key(name))
        }
    }

    // MARK: - What begins and what ends

    /// Blobs that are not complete or have no use, in the order in which they were added: what a start compares with the
    /// files.
    package func pending() async throws(StoreError) -> [StoredBlob] {
        try await access.read { try BlobRows.all(BlobRows.pending, [], in: $0) }
    }

    /// Blobs without a use.
    package func unused(limit: Int) async throws(StoreError) -> [BlobName] {
        try await access.read { database in
            try database.all(BlobRows.unused, [.int(Int64(limit))]) { try BlobRows.name($0) }
        }
    }

    /// Removes blobs that have no use.
    ///
    /// - Parameter setAside: takes their files away before the commit, such as `BlobFiles.setAside`. It may be called twice
    ///   for one blob. A blob for which it returns `false` stays.
    /// - Returns: those that were removed; a blob with a use is not.
    package func removeUnused(
        _ names: [BlobName], setAside: @escaping @Sendable (BlobName) -> Bool
    ) async throws(StoreError) -> [BlobName] {
        try await access.commit { try BlobRows.remove(names, if: "unused = 1", setAside, in: $0) }
    }

    /// Removes blobs of the classes 1–3 with all their uses, for what `leaving` found.
    ///
    /// - Parameter setAside: as in `removeUnused`.
    package func evict(
        _ names: [BlobName], setAside: @escaping @Sendable (BlobName) -> Bool
    ) async throws(StoreError) -> [BlobName] {
        try await access.commit { try BlobRows.remove(names, if: "class > 0", setAside, in: $0) }
    }

    // MARK: - Quotas

    /// What all blobs of a class take.
    package func heldBytes(of blobClass: BlobClass) async throws(StoreError) -> Int64 {
        try await access.read { try BlobSpace(database: $0).held(by: blobClass) }
    }

    /// What must leave before more of a blob is stored: of the least recently used first, and of those that pass by before
    /// strangers' before contacts'. A blob pushes out no blob of a better class than its own.
    ///
    /// - Parameter bytes: how many will be added.
    /// - Returns: `nil` if it does not fit, or is not in the table.
    package func leaving(
        for name: BlobName, bytes: Int64, within quota: BlobQuota
    ) async throws(StoreError) -> [BlobName]? {
        try await access.read { try BlobSpace(database: $0).leaving(for: name, bytes: bytes, within: quota) }
    }
}
