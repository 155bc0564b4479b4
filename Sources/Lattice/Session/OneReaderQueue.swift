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
    /// Whether others may go on that wait for what was read since the last call.
    mutating func takeNews() -> Bool
}

extension OneReaderQueue {
    mutating func takeNews() -> Bool { true }
}

extension Watched where Value: OneReaderQueue {
    /// Waits for the next one.
    ///
    /// - Returns: `nil` when nothing more will come, or when the task is cancelled; nothing is lost by that.
    nonisolated(nonsending) func next() async -> Value.Waiting? {
        if Task.isCancelled { return nil }
        // What is here already takes one look, and wakes nobody in vain.
        var answer: Value.Waiting??
        changeIfNeeded { queue in
            queue.beginReading()
            answer = Self.look(at: &queue)
            if answer != nil { queue.endReading() }
            return queue.takeNews()
        }
        if let answer { return answer }
        defer { change { $0.endReading() } }
        return await first(Self.look) ?? nil
    }

    /// - Returns: `nil` if the reader has to wait.
    private static func look(at queue: inout Value) -> Value.Waiting?? {
        if let next = queue.take() { return .some(next) }
        return queue.isOver ? .some(nil) : nil
    }
}
