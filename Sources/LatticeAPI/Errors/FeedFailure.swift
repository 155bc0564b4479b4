/// Why records cannot be put, or a feed cannot be opened or continued.
package enum FeedFailure: Hashable, Codable, Sendable {
    /// - Parameter max: requests with records that have no answer yet.
    case tooManyPuts(max: Int)
    /// - Parameter max: open feeds.
    case tooManyFeeds(max: Int)
    /// The position is of another store, or beyond the end of this one.
    case positionGone
    /// The position is beyond what was sent.
    case notSent
    /// There is no such feed, or it is over.
    case unknown
}
