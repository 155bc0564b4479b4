package enum ControlLimit {
    /// Line from a client. The longest request, a list of people to block, has some 600 kB.
    package static let requestBytesMax = 1 << 20
    /// Line from a node: 10,000 lines of history of 4,096 bytes, most of them escaped.
    package static let answerBytesMax = 64 << 20
    package static let clientsMax = 1_024
    /// Queued events for one reader; further ones are dropped and counted. Readers share the queued bytes.
    package static let eventsWaitingMax = 1_024
    /// Subscriptions of one client.
    package static let subscriptionsMax = 16
    package static let roomsMax = 64
    /// Unfinished requests of one client that wait for something while later ones proceed.
    package static let waitsMax = 16
}
