package import LatticeCore

/// Stored items and people that changed, by anybody's doing: a front that shows one fetches it again. Sent once for all
/// records that were stored together, each id once.
package struct FeedChanges: Hashable, Sendable, Codable {
    /// Limit of items, and of people, that are listed. A person looks at one list; beyond this, fetching it again costs less
    /// than going through the changes.
    package static let eachMax = 64

    /// At most `eachMax`.
    package var items: [ItemChange]
    /// At most `eachMax`.
    package var people: [PersonChange]
    /// Too many changes to list; anything shown may have changed.
    package var isMany: Bool

    package init(items: [ItemChange] = [], people: [PersonChange] = []) {
        (self.items, self.people, isMany) = (items, people, false)
    }

    private init(isMany: Bool) {
        (items, people, self.isMany) = ([], [], isMany)
    }

    package static let many = FeedChanges(isMany: true)

    package var isEmpty: Bool { items.isEmpty && people.isEmpty && !isMany }
}

package struct ItemChange: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, CodedAsWord {
        /// Somebody liked it, or removed the like.
        case like
        /// Somebody commented on it.
        case comment
        /// Its text, place or dates changed.
        case edit
        /// It was deleted.
        case deletion
        /// Somebody attends, or no longer does.
        case attendance
    }

    package let item: RecordID
    /// The post or event that it comments on; absent if it is not a comment.
    package let about: RecordID?
    /// Each once, in the order of `Kind`.
    package let kinds: [Kind]

    package init(_ item: RecordID, about: RecordID? = nil, _ kinds: [Kind]) {
        (self.item, self.about, self.kinds) = (item, about, kinds)
    }
}

/// A person whose shown details changed.
package struct PersonChange: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, CodedAsWord {
        /// Their name, colour or description.
        case profile
        /// They follow somebody or are followed, or no longer.
        case follow
        /// The machine that they visit became known.
        case host
        /// Their card of the mesh.
        case card
    }

    package let peer: PeerID
    /// Each once, in the order of `Kind`.
    package let kinds: [Kind]

    package init(_ peer: PeerID, _ kinds: [Kind]) {
        (self.peer, self.kinds) = (peer, kinds)
    }
}
