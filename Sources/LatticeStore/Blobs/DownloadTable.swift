import GRDB
package import LatticeCore
package import LatticeWire

/// A file that a person wants saved, or that was saved.
package struct StoredDownload: Hashable, Sendable {
    package let file: RecordID
    package let folder: String
    /// Where it was saved; `nil` if it is not yet.
    package let path: String?
}

/// Where the owner wants files saved, and where they were saved. A row ends with its blob.
package struct DownloadTable: Sendable {
    let access: PersonaAccess

    /// Notes that a file will be saved once all of it is here. Does nothing if the table of blobs lacks the blob.
    package func begin(_ file: RecordID, of name: BlobName, into folder: String) async throws(StoreError) {
        try await access.commit { transaction in
            try transaction.database.run(
                """
                INSERT INTO download (file, folder, blob) SELECT ?, ?, seq FROM blob WHERE root = ? AND size = ?
                ON CONFLICT DO UPDATE SET path = NULL
                """, [.key(file.hash), .text(folder)] + BlobRows.key(name))
        }
    }

    package func saved(_ file: RecordID, in folder: String, as path: String) async throws(StoreError) {
        try await access.commit {
            try $0.database.run(
                "UPDATE download SET path = ? WHERE file = ? AND folder = ?",
                [.text(path), .key(file.hash), .text(folder)])
        }
    }

    /// It could not be saved, and is not tried again.
    package func remove(_ file: RecordID, from folder: String) async throws(StoreError) {
        try await access.commit {
            try $0.database.run(
                "DELETE FROM download WHERE file = ? AND folder = ?", [.key(file.hash), .text(folder)])
        }
    }

    /// Removes what is not saved yet of this blob.
    package func removeUnsaved(_ name: BlobName) async throws(StoreError) {
        try await access.commit {
            try $0.database.run(
                """
                DELETE FROM download WHERE path IS NULL AND blob = (SELECT seq FROM blob WHERE root = ? AND size = ?)
                """, BlobRows.key(name))
        }
    }

    package func all() async throws(StoreError) -> [StoredDownload] {
        try await access.read { database in
            try database.all("SELECT file, folder, path FROM download", []) { row in
                guard let file = row.bytes32(0) else { throw DatabaseError.damaged("a download has no file") }
                return StoredDownload(
                    file: RecordID(file), folder: row.text(1), path: row.optionalText(2))
            }
        }
    }
}
