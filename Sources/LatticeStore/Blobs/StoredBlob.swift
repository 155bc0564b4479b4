package import LatticeCore
package import LatticeWire

/// A row of `blob`.
package struct StoredBlob: Hashable, Sendable {
    package let name: BlobName
    /// All its pieces are here.
    package let isComplete: Bool
    /// It has no use, and will be removed.
    package let isUnused: Bool
    /// A record, a private text or passing by makes use of it: peers may have it.
    package let isShared: Bool
    package let blobClass: BlobClass
    /// Who is charged: the author, or the neighbour for whom it passes by.
    package let author: PeerID?
    package let heldBytes: Int64
    /// Its bytes are in the row.
    package let isInRow: Bool
}

/// Why a blob came here. A class with a higher number is removed first.
package enum BlobClass: Int64, Hashable, Comparable, Sendable, CaseIterable {
    /// Own, or asked for by a person. Quotas neither count nor remove it.
    case own = 0
    case contacts = 1
    case strangers = 2
    /// Only neighbours want it.
    case passing = 3

    package static func < (left: BlobClass, right: BlobClass) -> Bool { left.rawValue < right.rawValue }
}

/// A reason to store a blob.
package enum BlobUse: Hashable, Sendable {
    /// A record that names it.
    case record(RecordID)
    /// A private message that names it, by `StoredMessage.number`.
    case privateText(Int64)
    /// A line of a private room that names it, by the number of the line.
    case roomLine(Int64)
    case kept(by: PeerID)
    /// An upload that nothing names yet. Each draft has its own number.
    case draft(Int64, until: WallTime)
    case passing(until: WallTime)

    /// As stored in `blob_use`.
    enum Kind: Int64 {
        case record = 0
        case privateText = 1
        case kept = 2
        case draft = 3
        case passing = 4
        case roomLine = 5
    }
}

/// The most that blobs of the classes 1–3 may take.
package struct BlobQuota: Hashable, Sendable {
    package var bytes: Int64
    /// For one author.
    package var authorBytes: Int64
    /// For what passes by; included in `bytes`.
    package var passingBytes: Int64
    /// For what passes by for one neighbour.
    package var neighbourBytes: Int64

    package init(
        bytes: Int64 = 2 << 30, authorBytes: Int64 = 256 << 20, passingBytes: Int64 = 256 << 20,
        neighbourBytes: Int64 = 32 << 20
    ) {
        precondition(min(bytes, authorBytes, passingBytes, neighbourBytes) >= 0, "no quota is below zero")
        (self.bytes, self.authorBytes) = (bytes, authorBytes)
        (self.passingBytes, self.neighbourBytes) = (passingBytes, neighbourBytes)
    }
}
