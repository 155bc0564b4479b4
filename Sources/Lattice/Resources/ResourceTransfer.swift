/// Does the work of a transfer while somebody waits for its next step.
protocol ResourceWork: Actor {
    /// - Returns: the next step; `nil` after the last one, which is complete.
    func next() async throws(LatticeError) -> ResourceStep?
}

/// A file on its way to a peer or from one: the steps of its transfer, at most ten a second. The last one is complete.
///
/// The work is done while a step is waited for, so nothing happens before the first one is asked for, and leaving the loop ends
/// the transfer: a sender withdraws the offer, a receiver keeps what has come for the next time.
public struct ResourceTransfer: AsyncSequence, Sendable {
    /// How far it is.
    public typealias Element = ResourceStep
    /// See ``Session/sendResource(at:named:to:)`` and ``IncomingResource/save(to:replacing:)``.
    public typealias Failure = LatticeError

    let makeWork: @Sendable () -> any ResourceWork

    /// Begins a transfer.
    public func makeAsyncIterator() -> Iterator { Iterator(work: makeWork()) }

    /// Carries the transfer out without showing its steps.
    ///
    /// - Throws: as the sequence does.
    nonisolated(nonsending) public func finish() async throws(LatticeError) {
        var steps = makeAsyncIterator()
        while try await steps.next() != nil {}
    }

    /// Carries the transfer out step by step.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let work: any ResourceWork

        /// - Returns: `nil` after the last step, which is complete.
        nonisolated(nonsending) public mutating func next() async throws(LatticeError) -> ResourceStep? {
            try await work.next()
        }

        /// - Returns: `nil` after the last step, which is complete.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(LatticeError) -> ResourceStep? {
            try await next()
        }
    }
}
