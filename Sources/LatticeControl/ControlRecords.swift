import LatticeAPI
import Synchronization

/// The feeds of one client. They end with its connection.
final class ControlRecords: Sendable {
    private struct State {
        var isOpen: Set<Int> = []
        /// Those whose records are not sent yet.
        var opened: [Int] = []
    }

    private let state = Mutex(State())

    func done<R: Request>(_ request: R, _ reply: R.Reply) {
        if let opened = reply as? RecordsSubscribe.Reply {
            state.withLock { state in
                state.isOpen.insert(opened.feed)
                state.opened.append(opened.feed)
            }
        } else if let end = request as? RecordsEnd {
            _ = state.withLock { $0.isOpen.remove(end.feed) }
        }
    }

    /// Whether this connection has opened the feed and not ended it.
    func isOpen(_ feed: Int) -> Bool {
        state.withLock { $0.isOpen.contains(feed) }
    }

    /// - Returns: the feeds that were opened since the last call.
    func takeOpened() -> [Int] {
        state.withLock { state in
            defer { state.opened = [] }
            return state.opened
        }
    }

    func end(on node: any MeshNode) async {
        for feed in state.withLock({ $0.isOpen.sorted() }) {
            do {
                _ = try await node.perform(RecordsEnd(feed))
            } catch {
                return  // The node has ended, and all its feeds with it.
            }
        }
    }
}
