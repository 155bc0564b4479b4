/// A bridge between a node and a broker, whatever kind of broker it is.
package protocol EngineBridge: Sendable {
    var status: BridgeStatus { get async }

    /// Everything is on both sides, as far as this kind of broker lets a bridge know.
    var isComplete: Bool { get async }

    /// The number of the feed at the node; `nil` if none is open.
    var openFeed: Int? { get async }

    /// Runs until the task is cancelled.
    func run() async throws

    /// Closes its file.
    func close() async throws
}

extension Bridge: EngineBridge {
    package func close() throws { try state.close() }
}
