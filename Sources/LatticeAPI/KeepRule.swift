package import LatticeCore

/// What of others' records a machine keeps and asks its neighbours for; all conditions hold at once. What one wrote oneself
/// is always kept, and so are changes to what is kept: a deletion reaches whoever has what it deletes.
package struct KeepRule: Hashable, Sendable, Codable {
    package enum Group: String, Hashable, Sendable, CodedAsWord {
        case chat
        /// Posts, comments, events, and what is said of them.
        case wall
        /// Profiles, and who follows whom.
        case people
    }

    package static let roomsMax = 64
    /// No record lasts longer than a year.
    package static let daysRange = 1...365
    package static let everything = KeepRule()

    /// `nil` is all of them, and what is not known here besides.
    package var groups: Set<Group>?
    /// Of chat lines those of these rooms, 64 at most; `nil` is every room.
    package var rooms: [RoomName]?
    /// Nothing older, 1–365; `nil` is as long as it lasts.
    package var days: Int?

    package init(groups: Set<Group>? = nil, rooms: [RoomName]? = nil, days: Int? = nil) {
        self.groups = groups
        self.rooms = rooms
        self.days = days
    }
}
