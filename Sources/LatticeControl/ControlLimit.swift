/// Limits of the control socket, in its own terms.
package enum ControlLimit {
    /// Of what a client says: the longest request, a list of people to block, has some 600 kB.
    package static let requestBytesMax = 1 << 20
    /// Of what a node says: 10,000 lines of history of 4,096 bytes, most of them escaped.
    package static let answerBytesMax = 64 << 20
    package static let clientsMax = 1_024
    /// Events that wait for one reader; more are lost to it, and it is told how many. What waits for many is kept once.
    package static let eventsWaitingMax = 1_024
    /// Subscriptions of one client.
    package static let subscriptionsMax = 16
    /// Rooms in one subscription.
    package static let roomsMax = 64
    /// Requests of one client that wait for something to happen, and others go on meanwhile.
    package static let waitsMax = 16
}
