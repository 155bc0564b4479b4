package import LatticeCore

/// Which records of others a machine stores and requests from its neighbours; all conditions must hold. Own records are
/// always kept, and so are changes to kept records: a deletion must reach everybody who has the deleted record.
package struct RetentionRule: Hashable, Sendable, Codable {
    package enum Group: String, Hashable, Sendable, CodedAsWord {
        case chat
        /// Posts, comments, events, and reactions to them.
        case posts
        /// Profiles, and who follows whom.
        case people
    }

    package static let roomsMax = 64
    /// No record lasts longer than a year.
    package static let daysRange = 1...365
    package static let everything = RetentionRule()

    /// `nil` is all groups, and kinds that are unknown here.
    package var groups: Set<Group>?
    /// Chat lines of these rooms only, at most 64; `nil` is every room.
    package var rooms: [RoomName]?
    /// Nothing older than this many days, 1–365; `nil` sets no limit below a record's lifetime.
    package var days: Int?

    package init(groups: Set<Group>? = nil, rooms: [RoomName]? = nil, days: Int? = nil) {
        self.groups = groups
        self.rooms = rooms
        self.days = days
    }
}
