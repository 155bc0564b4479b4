import Logging
import Synchronization

/// The writing end of a bounded stream. It never waits: if the reader is too slow it drops new elements, counts them,
/// and logs that (at the first loss and whenever the count has doubled, so that a flood does not flood the log).
final class BoundedOutlet<Element: Sendable>: Sendable {
    private let continuation: AsyncStream<Element>.Continuation
    private let logger: Logger
    private let what: String
    private let lostCount = Atomic<Int>(0)

    static func make(
        _ what: String, countMax: Int, logger: Logger
    ) -> (stream: AsyncStream<Element>, outlet: BoundedOutlet<Element>) {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: .bufferingOldest(countMax))
        return (stream, BoundedOutlet(continuation, what: what, logger: logger))
    }

    private init(_ continuation: AsyncStream<Element>.Continuation, what: String, logger: Logger) {
        self.continuation = continuation
        self.what = what
        self.logger = logger
    }

    func send(_ element: Element) {
        guard case .dropped = continuation.yield(element) else { return }
        let count = lostCount.add(1, ordering: .relaxed).newValue
        guard count & (count - 1) == 0 else { return }
        logger.warning(
            "reader too slow; events were dropped",
            metadata: ["of": "\(what)", "lost": "\(count)"])
    }

    func finish() {
        continuation.finish()
    }
}
