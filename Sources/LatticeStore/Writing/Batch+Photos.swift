import GRDB
import LatticeCore
import LatticeWire

/// Photos that records name. The record of an item stands for the edit that applies to it.
extension Batch {
    /// Values for the columns `photo` to `photo_words` of `item` and `profile`.
    static func bound(_ photo: BodyPhoto?) -> [Bound] {
        guard let photo else { return [.null, .null, .null, .null, .null] }
        return [
            .key(photo.blob.root), .int(photo.blob.size), .int(Int64(photo.width)), .int(Int64(photo.height)),
            photo.alt.map(Bound.text) ?? .null,
        ]
    }

    /// The record is a reason to store its photo, from the commit on that stores the record.
    func use(_ photo: BodyPhoto?, by row: RecordRow) throws {
        guard let photo, row.erased == 0 else { return }
        let blobClass: BlobClass
        if state.isPersona(row.author) {
            blobClass = .own
        } else {
            blobClass = try circle(of: row.author) == .strangers ? .strangers : .contacts
        }
        try BlobRows.add(
            photo.blob, blobClass, author: blobClass == .own ? nil : row.author, record: row.seq,
            at: WallTime(milliseconds: row.date), in: database)
    }

    func useNothing(by row: RecordRow) throws {
        try database.run(
            "DELETE FROM blob_use WHERE kind = ? AND source = ?",
            [.int(BlobUse.Kind.record.rawValue), .int(row.seq)])
    }
}
