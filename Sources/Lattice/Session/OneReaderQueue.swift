/// What waits to be taken by one reader at a time.
protocol OneReaderQueue: Sendable {
    associatedtype Waiting: Sendable

    /// Whether nothing more will come.
    var isOver: Bool { get }

    /// Stops the program if somebody reads already.
    mutating func beginReading()
    mutating func endReading()
    /// - Returns: the next one; `nil`, without a change, if none waits.
    mutating func take() -> Waiting?
}

extension Watched where Value: OneReaderQueue {
    /// Waits for the next one.
    ///
    /// - Returns: `nil` when nothing more will come, or when the task is cancelled; nothing is lost by that.
    nonisolated(nonsending) func next() async -> Value.Waiting? {
        change { $0.beginReading() }
        defer { change { $0.endReading() } }
        let answer = await first { queue -> Value.Waiting?? in
            if let next = queue.take() { return .some(next) }
            return queue.isOver ? .some(nil) : nil
        }
        return answer ?? nil
    }
}
