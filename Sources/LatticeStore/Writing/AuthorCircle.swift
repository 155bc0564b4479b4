/// How close an author is to the owner: the further away, the sooner their records are evicted.
enum AuthorCircle: Int64, CaseIterable {
    case strangers = 0
    case followed = 1
    case own = 2

    /// Selects rows of `record` whose authors are in the circle; the first argument is the owner's number.
    var condition: String {
        switch self {
        case .strangers: "author <> ?1 AND author NOT IN (\(Self.followedNumbers))"
        case .followed: "author <> ?1 AND author IN (\(Self.followedNumbers))"
        case .own: "author = ?1"
        }
    }

    private static let followedNumbers = """
        SELECT peer.seq FROM reaction JOIN peer ON peer.key = reaction.target
        WHERE reaction.author = ?1 AND reaction.kind = 7 AND reaction.holds = 1
        """
}
