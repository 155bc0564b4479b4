/// What a broker without a history carries.
package struct LiveMessage: Hashable, Sendable {
    package let topic: String
    package let payload: [UInt8]

    package init(topic: String, payload: [UInt8]) { (self.topic, self.payload) = (topic, payload) }
}

package enum LiveEvent: Hashable, Sendable {
    /// All topics are subscribed.
    ///
    /// - hasSession: the broker has kept what came since we were connected last.
    case connected(hasSession: Bool)
    case disconnected(why: String)
    case message(LiveMessage)
    /// Messages were dropped here, because too many came at once.
    case overflowed
}

/// A message broker that delivers to those who are connected, and keeps a little for those who will soon be again.
package protocol LiveBroker: Sendable {
    /// What has come since the last call; waits until there is something. Empty once the task is cancelled.
    func next() async throws(BrokerFault) -> [LiveEvent]

    /// - Returns: for each message whether the broker has confirmed that it has it.
    func publish(_ messages: [LiveMessage]) async -> [Bool]
}
