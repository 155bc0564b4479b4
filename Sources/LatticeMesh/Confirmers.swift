extension Broadcast {
    /// Which neighbours to ping so that own records are confirmed, by the indices of their links.
    enum Confirmers: Hashable, Sendable {
        /// Nothing is unconfirmed, or nobody is there.
        case nobody
        /// These were sent all of it, unless a ping is under way.
        case those([Int])
        /// None of those that were sent it is there any more. It was sent to this one again.
        case another(Int)
    }
}
