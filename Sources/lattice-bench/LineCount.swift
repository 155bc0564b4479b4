import Foundation
import Synchronization

/// Counts lines of a peer that contain a text, on a thread of its own until the peer ends.
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
                // The peer has ended.
            }
        }
    }

    var value: Int { count.withLock { $0 } }

    // Safety: no other thread reads the lines of this peer.
    private struct Lines: @unchecked Sendable {
        let peer: ChatProcess

        init(_ peer: ChatProcess) { self.peer = peer }
    }
}
