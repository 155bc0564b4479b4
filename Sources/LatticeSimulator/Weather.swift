/// What befalls a world: times in milliseconds from its start.
package enum Weather: Hashable, Sendable {
    /// The peer starts.
    case start(Int, at: Int64)
    /// It sights every peer it can reach, and they it; one-sided if `isMutual` is false.
    case sight(Int, Int, isMutual: Bool, at: Int64)
    case say(Int, at: Int64)
    /// Killed without a word: its connections break.
    case crash(Int, at: Int64)
    /// Leaves with a goodbye.
    case leave(Int, at: Int64)
    /// Nothing passes between the two, and neither is told.
    case cut(Int, Int, at: Int64)
    case mend(Int, Int, at: Int64)

    var time: Int64 {
        switch self {
        case .start(_, let at), .sight(_, _, _, let at), .say(_, let at), .crash(_, let at), .leave(_, let at),
            .cut(_, _, let at), .mend(_, _, let at):
            at
        }
    }
}
