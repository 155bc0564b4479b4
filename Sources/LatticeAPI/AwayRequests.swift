// Being away: others see it, and this person's fronts ring only for urgent messages. The node forgets it when it ends;
// for a visitor, when the visit ends.

/// Marks this person as away or as back, in all of their fronts.
///
/// - Throws: `lineTooLong` for a text of more than `textBytesMax` bytes.
package struct SetAway: Request {
    package static let name = "setAway"
    package static let replyName = "away"
    package static let traits: RequestTraits = [.repeatable]

    package static let textBytesMax = 200

    /// The reason, which may be empty; `nil` means back.
    @OrNull package private(set) var text: String?

    package init(_ text: String?) { _text = OrNull(wrappedValue: text) }

    package struct Reply: Hashable, Codable, Sendable {
        /// The current away text; `nil` means back.
        @OrNull package private(set) var text: String?
        /// Notifications that came while this person was away.
        package let missed: Int

        package init(_ text: String?, missed: Int = 0) {
            _text = OrNull(wrappedValue: text)
            self.missed = missed
        }
    }
}
