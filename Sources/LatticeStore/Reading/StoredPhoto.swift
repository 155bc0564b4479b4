import LatticeCore
package import LatticeWire

/// The photo of an item or a profile, without its thumbnail.
package struct StoredPhoto: Hashable, Sendable {
    package let blob: BlobName
    /// In pixels.
    package let width: Int
    /// In pixels.
    package let height: Int
    /// What it shows, as its author wrote it.
    package let alt: String?
    /// All of it is stored here.
    package let isHere: Bool

    package init(_ photo: BodyPhoto, isHere: Bool) {
        (blob, width, height, alt) = (photo.blob, photo.width, photo.height, photo.alt)
        self.isHere = isHere
    }

    /// - Parameter table: `item` or `profile`, as the query calls it.
    static func columns(of table: String) -> String {
        """
        \(table).photo, \(table).photo_size, \(table).photo_width, \(table).photo_height, \(table).photo_words,
        (SELECT state FROM blob WHERE root = \(table).photo AND size = \(table).photo_size)
        """
    }

    /// - Parameter first: where `columns` begin.
    /// - Returns: `nil` if there is none.
    init?(_ row: borrowing RawStatement, at first: Int32) {
        guard !row.isNull(first), let root = row.bytes32(first),
            let blob = BlobName(root: root, size: row.int(first + 1))
        else { return nil }
        self.blob = blob
        width = Int(row.int(first + 2))
        height = Int(row.int(first + 3))
        alt = row.isNull(first + 4) ? nil : row.text(first + 4)
        isHere = row.int(first + 5) == 1
    }
}
