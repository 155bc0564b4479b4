package import LatticeCore

/// Something that a persona was notified of.
package struct StoredNotification: Hashable, Sendable {
    /// As `notification.kind` and `notification_off.kind` have it.
    package enum Kind: Int64, CaseIterable, Sendable {
        case mention = 1
        case privateMessage = 2
        case reply = 3
        case reaction = 4
        case post = 5
        case comment = 6
        case like = 7
        case follow = 8
        case attendance = 9
        /// A line or a post that is urgent; the persona sees it until it dismisses it.
        case urgent = 10
    }

    package let kind: Kind
    /// The line, message or post that it is about; the record of a comment, like, follow or attendance.
    package let record: RecordID
    package let by: StoredPerson
    package let date: WallTime
    /// Not seen yet.
    package let isNew: Bool
    package let room: RoomName?
    package let isPrivateRoom: Bool
    /// Only a reaction has one.
    package let emoji: String?
    /// The post, or the item that something was done to; `nil` for a follow and for lines.
    package let item: StoredItem?
    package let comment: StoredItem?
    /// The end of a page whose last entry is this.
    package let mark: TimeMark
}

/// Something to notify a persona of: kinds 1 to 5, and 10. The others follow from the records.
package struct NewNotification: Hashable, Sendable {
    package let kind: StoredNotification.Kind
    package let subject: RecordID
    package let author: PeerID
    package let date: WallTime
    package let room: RoomName?
    package let isPrivateRoom: Bool
    package let emoji: String

    package init(
        _ kind: StoredNotification.Kind, of subject: RecordID, by author: PeerID, at date: WallTime,
        in room: RoomName? = nil, isPrivateRoom: Bool = false, emoji: String = ""
    ) {
        (self.kind, self.subject, self.author, self.date) = (kind, subject, author, date)
        (self.room, self.isPrivateRoom, self.emoji) = (room, isPrivateRoom, emoji)
    }
}
