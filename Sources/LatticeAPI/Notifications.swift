package import LatticeCore

// What a person is notified of.

package enum NotificationKind: String, CaseIterable, Hashable, Sendable, CodedAsWord {
    /// A line of a room contains the person's name.
    case mention
    /// Private messages; only the last one of each sender is listed.
    case privateMessage = "private"
    /// A line of a room answers a line of the person's.
    case reply
    /// An emoji on a line of the person's.
    case reaction
    /// On a post or event of the person's.
    case comment
    /// Of a post or event of the person's.
    case like
    /// Of the person.
    case follow
    /// Of an event of the person's.
    case attendance
    /// Of somebody whom the person follows.
    case post
    /// A line of a room or a post, of at most three a day of each author.
    case urgent
}

/// Something that another person did, and that this person is notified of.
package struct NotificationInfo: Hashable, Sendable, Codable {
    /// The line, private message or post that it is about; of a comment, like, follow or attendance its own record.
    package var record: RecordID
    package var kind: NotificationKind
    package var by: PersonInfo
    package var at: WallTime
    /// The person has not looked at the list since it came.
    @CodedFlag package private(set) var isNew: Bool
    /// The room of a mention, a reply, a reaction or an urgent line.
    package var room: RoomName?
    /// The beginning of that line: theirs, or of a reaction this person's. Absent if only members of the room can read it.
    package var text: String?
    /// Of a reaction.
    package var emoji: String?
    /// The post, or the item that it was done to; absent for a follow and for lines.
    package var item: ItemInfo?
    package var comment: ItemInfo?

    package init(
        record: RecordID, kind: NotificationKind, by: PersonInfo, at: WallTime, isNew: Bool = false,
        room: RoomName? = nil, text: String? = nil, emoji: String? = nil, item: ItemInfo? = nil,
        comment: ItemInfo? = nil
    ) {
        self.isNew = isNew
        (self.record, self.kind, self.by, self.at) = (record, kind, by, at)
        (self.room, self.text, self.emoji, self.item, self.comment) = (room, text, emoji, item, comment)
    }
}

package struct NotificationPage: Hashable, Sendable, Codable {
    package static let newMax = 100

    package var notifications: [NotificationInfo]
    /// How many of the newest `newMax` are new.
    package var newCount: Int
    package var next: PageCursor?

    package init(notifications: [NotificationInfo], newCount: Int, next: PageCursor? = nil) {
        (self.notifications, self.newCount, self.next) = (notifications, newCount, next)
    }
}

/// What others did that concerns this person, newest first.
package struct ListNotifications: Request {
    package static let name = "notifications"
    package static let replyName = "notifications"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = NotificationPage

    package let page: PageRequest

    package init(_ page: PageRequest = PageRequest()) { self.page = page }

    package init(from decoder: any Decoder) throws { self.init(try PageRequest(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try page.encode(to: encoder) }
}

/// Everything that the list has now is no longer new, for all fronts of this person.
package struct MarkNotificationsSeen: Request {
    package static let name = "markNotificationsSeen"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    package init() {}
}

/// Turns kinds of notifications on or off for this person; those that are off are neither listed nor announced.
package struct SwitchNotifications: Request {
    package static let name = "switchNotifications"
    package static let replyName = "notificationSwitches"
    package static let traits: RequestTraits = [.repeatable]

    /// None changes nothing and asks for what is off.
    package let kinds: [NotificationKind]
    package let isOn: Bool

    package init(_ kinds: [NotificationKind] = [], isOn: Bool = true) {
        (self.kinds, self.isOn) = (kinds, isOn)
    }

    package struct Reply: Hashable, Codable, Sendable {
        /// In the order of the kinds.
        package let off: [NotificationKind]

        package init(off: [NotificationKind]) { self.off = off }
    }
}
