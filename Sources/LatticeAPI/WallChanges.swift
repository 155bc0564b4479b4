package import LatticeCore

/// What of that which is here already is another than it was, by whoever it was done: whoever shows any of it asks for it anew. Told once for
/// all that was kept together, each id once.
package struct WallChanges: Hashable, Sendable, Codable {
    /// Posts, comments and events that are told one by one, and people. A person looks at one list; of more it costs less to ask for that
    /// than to look through them.
    package static let eachMax = 64

    /// `eachMax` at most.
    package var items: [ItemChange]
    /// `eachMax` at most.
    package var people: [PersonChange]
    /// So much is another that nothing is told one by one: any of what is shown may be.
    package var isMany: Bool

    package init(items: [ItemChange] = [], people: [PersonChange] = []) {
        (self.items, self.people, isMany) = (items, people, false)
    }

    private init(isMany: Bool) {
        (items, people, self.isMany) = ([], [], isMany)
    }

    package static let many = WallChanges(isMany: true)

    package var isEmpty: Bool { items.isEmpty && people.isEmpty && !isMany }
}

/// A post, comment or event that is another now.
package struct ItemChange: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, CodedAsWord {
        /// Somebody likes it, or does no more.
        case like
        /// Somebody commented on it.
        case comment
        /// Its words, place or dates are others.
        case edit
        /// It was taken back.
        case deletion
        /// Somebody comes, or does no more.
        case attendance
    }

    package let item: RecordID
    /// The post or event that it is a comment on; absent for what is no comment.
    package let about: RecordID?
    /// Each once, in the order of `Kind`.
    package let kinds: [Kind]

    package init(_ item: RecordID, about: RecordID? = nil, _ kinds: [Kind]) {
        (self.item, self.about, self.kinds) = (item, about, kinds)
    }
}

/// Somebody of whom something else is shown now.
package struct PersonChange: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, CodedAsWord {
        /// Their name, colour or what they say of themselves.
        case profile
        /// They follow somebody, or are followed, or no more.
        case follow
    }

    package let peer: PeerID
    /// Each once, in the order of `Kind`.
    package let kinds: [Kind]

    package init(_ peer: PeerID, _ kinds: [Kind]) {
        (self.peer, self.kinds) = (peer, kinds)
    }
}
