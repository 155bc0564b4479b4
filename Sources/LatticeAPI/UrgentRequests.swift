package import LatticeCore

// What is urgent: lines of rooms and posts, of each author at most three in 24 hours.

/// What a front pins until the person dismisses it: urgent lines and posts of others that came in the last 24 hours.
package struct ListUrgent: Request {
    package static let name = "urgent"
    package static let replyName = "urgent"
    package static let traits: RequestTraits = [.repeatable]

    /// At most this many are shown.
    package static let shownMax = 3

    package init() {}

    package struct Reply: Hashable, Codable, Sendable {
        /// Newest first, at most `shownMax`, of the kind `urgent`.
        package let notifications: [NotificationInfo]

        package init(_ notifications: [NotificationInfo]) { self.notifications = notifications }
    }
}

/// Dismisses one of these or all of them, in all fronts of this person. The event `urgentDismissed` names them.
package struct DismissUrgent: Request {
    package static let name = "dismissUrgent"
    package static let replyName = "dismissed"
    package static let traits: RequestTraits = [.repeatable]

    /// `nil` is all.
    @OrNull package private(set) var record: RecordID?

    package init(_ record: RecordID? = nil) { _record = OrNull(wrappedValue: record) }

    package struct Reply: Hashable, Codable, Sendable {
        /// Those that this call dismissed.
        package let records: [RecordID]

        package init(_ records: [RecordID]) { self.records = records }
    }
}
