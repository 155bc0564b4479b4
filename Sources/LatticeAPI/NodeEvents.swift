import DequeModule
import Synchronization

/// The events of a node in order, for one reader. A reader that falls behind loses the newest events and gets a count.
///
/// A waiting reader resumes on the executor that its task prefers. If that is the node's, no event wakes a thread, which would
/// take longer than all other work for a line besides its signatures. An `AsyncStream` changes executors with each event.
package struct NodeEvents: AsyncSequence, Sendable {
    package typealias Element = NodeEvent
    package typealias Failure = Never

    /// Some 16,000 lines: more than a person reads in a day, and at most a few MB.
    package static let eventsMax = 16_384

    private let reading: Reading

    /// - Parameter eventsMax: the limit of queued events.
    package static func makeStream(atMost eventsMax: Int = eventsMax) -> (stream: NodeEvents, input: Input) {
        let queue = EventQueue(eventsMax: eventsMax)
        return (NodeEvents(reading: Reading(queue: queue)), Input(queue: queue))
    }

    package static var over: NodeEvents {
        let (stream, input) = makeStream()
        input.finish()
        return stream
    }

    /// The reader wants no more events; nothing is queued after this.
    package func leave() {
        reading.queue.readerHasGone()
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(reading: reading)
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let reading: Reading

        /// - Returns: `nil` once the stream has ended or the task is cancelled; nothing is queued for the reader after that.
        nonisolated(nonsending) package mutating func next() async -> NodeEvent? {
            await reading.queue.next()
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> NodeEvent? {
            await next()
        }
    }

    /// The writing end.
    package struct Input: Sendable {
        fileprivate let queue: EventQueue

        package var isGone: Bool { queue.isGone }

        /// - Returns: `false` if the reader is gone.
        @discardableResult
        package func yield(_ event: NodeEvent) -> Bool {
            queue.put(event)
        }

        /// Ends the stream; the reader still gets the queued events.
        package func finish() {
            queue.finish()
        }
    }

    /// Lives as long as anything that can read.
    fileprivate final class Reading: Sendable {
        let queue: EventQueue

        init(queue: EventQueue) {
            self.queue = queue
        }

        deinit {
            queue.readerHasGone()
        }
    }
}

private final class EventQueue: Sendable {
    private struct State {
        var events: Deque<NodeEvent> = []
        /// Lost events that the reader has not been notified of yet.
        var missedCount = 0
        var reader: CheckedContinuation<Void, Never>?
        var isOver = false
        var isGone = false
    }

    private let state = Mutex(State())
    private let eventsMax: Int

    init(eventsMax: Int) {
        self.eventsMax = eventsMax
    }

    var isGone: Bool { state.withLock { $0.isGone } }

    nonisolated(nonsending) func next() async -> NodeEvent? {
        while true {
            if Task.isCancelled {
                readerHasGone()
                return nil
            }
            let (event, isOver) = state.withLock { ($0.events.popFirst(), $0.isOver) }
            if event != nil || isOver { return event }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    if !wait(continuation) { continuation.resume() }
                }
            } onCancel: {
                readerHasGone()
            }
        }
    }

    /// - Returns: whether there is something to wait for.
    private func wait(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        state.withLock { state in
            guard state.events.isEmpty, !state.isOver else { return false }
            precondition(state.reader == nil, "events have one reader at a time")
            state.reader = continuation
            return true
        }
    }

    func put(_ event: NodeEvent) -> Bool {
        let (isRead, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !state.isOver else { return (!state.isGone, nil) }
            if state.missedCount > 0, state.events.count < eventsMax {
                state.events.append(.missed(state.missedCount))
                state.missedCount = 0
            }
            if state.events.count < eventsMax { state.events.append(event) } else { state.missedCount += 1 }
            return (true, state.reader.take())
        }
        reader?.resume()
        return isRead
    }

    func finish() {
        let reader = state.withLock { state in
            if !state.isOver, state.missedCount > 0 { state.events.append(.missed(state.missedCount)) }
            state.isOver = true
            return state.reader.take()
        }
        reader?.resume()
    }

    func readerHasGone() {
        let reader = state.withLock { state in
            (state.isGone, state.isOver) = (true, true)
            state.events.removeAll()
            return state.reader.take()
        }
        reader?.resume()
    }
}
