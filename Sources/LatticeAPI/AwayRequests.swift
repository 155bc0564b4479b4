// Being away: others see it, and this person's fronts are quiet. It ends with the node, or with a visit.

/// This person is away, or back, in all of their fronts.
///
/// - Throws: `lineTooLong` for a text of more than `textBytesMax` bytes.
package struct SetAway: Request {
    package static let name = "setAway"
    package static let replyName = "away"
    package static let traits: RequestTraits = [.repeatable]

    package static let textBytesMax = 200

    /// Why, which may be empty; `nil` is back.
    @OrNull package private(set) var text: String?

    package init(_ text: String?) { _text = OrNull(wrappedValue: text) }

    package struct Reply: Hashable, Codable, Sendable {
        /// As it is now.
        @OrNull package private(set) var text: String?
        /// Notifications that came while this person was away.
        package let missed: Int

        package init(_ text: String?, missed: Int = 0) {
            _text = OrNull(wrappedValue: text)
            self.missed = missed
        }
    }
}
