extension Broadcast {
    /// Which neighbours to ping so that own records are confirmed, by the indices of their links.
    enum Confirmers: Hashable, Sendable {
        /// Nothing is unconfirmed, or no neighbour is connected.
        case nobody
        /// Each of these was sent every unconfirmed record.
        case those([Int])
        /// All neighbours that had these records are gone; they were sent again to this one.
        case another(Int)
    }
}
