import Foundation
import Synchronization

/// Counts the lines of a peer that hold a text, on a thread of its own until the peer ends.
final class LineCount: Sendable {
    private let count = Mutex(0)

    init(of peer: ChatProcess, _ text: String) {
        let lines = Lines(peer)
        Thread.detachNewThread {
            do {
                while true {
                    try lines.peer.wait(forText: text)
                    self.count.withLock { $0 += 1 }
                }
            } catch {
                // It has ended.
            }
        }
    }

    var value: Int { count.withLock { $0 } }

    // Safety: whoever has its lines counted reads none of them.
    private struct Lines: @unchecked Sendable {
        let peer: ChatProcess

        init(_ peer: ChatProcess) { self.peer = peer }
    }
}
