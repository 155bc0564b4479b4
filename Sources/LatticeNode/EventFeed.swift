import DequeModule
package import LatticeAPI
import Synchronization

/// What happens at a node, for one reader in its process that keeps up with thousands of lines a second.
///
/// Whoever waits is resumed where it runs: on the node's own executor that is a call, while an `AsyncStream` changes executors with
/// each event, which takes longer than all else that is done for a line besides its signatures.
package final class EventFeed: Sendable {
    private struct State {
        var events: Deque<NodeEvent> = []
        var reader: CheckedContinuation<Void, Never>?
        var isOver = false
    }

    private let state = Mutex(State())
    private let eventsMax: Int

    /// - Parameter eventsMax: so many wait at most.
    init(eventsMax: Int) {
        self.eventsMax = eventsMax
    }

    /// One at a time may wait here. A task that is cancelled waits on until something happens or the node ends.
    ///
    /// - Returns: `nil` once the node has ended.
    nonisolated(nonsending) package func next() async -> NodeEvent? {
        while true {
            let (event, isOver) = state.withLock { ($0.events.popFirst(), $0.isOver) }
            if event != nil || isOver { return event }
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.events.isEmpty, !state.isOver else { return false }
                    precondition(state.reader == nil, "a feed has one reader")
                    state.reader = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        }
    }

    /// - Returns: `false` if there is no room for it.
    func put(_ event: NodeEvent) -> Bool {
        let (isPut, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.events.count < eventsMax else { return (false, nil) }
            state.events.append(event)
            return (true, state.reader.take())
        }
        reader?.resume()
        return isPut
    }

    func finish() {
        let reader = state.withLock { state in
            state.isOver = true
            return state.reader.take()
        }
        reader?.resume()
    }
}
