extension Broadcast {
    /// Which neighbours to ping so that own records are confirmed, by the indices of their links.
    enum Confirmers: Hashable, Sendable {
        /// Nothing is unconfirmed, or no neighbour is connected.
        case nobody
        /// All of these were sent every unconfirmed record. Ping those without a ping under way.
        case those([Int])
        /// All neighbours that had these records are gone; they were sent again to this one.
        case another(Int)
    }
}
