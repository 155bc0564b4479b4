import Foundation
import LatticeCore
import Synchronization

/// Reads the output of one process, on a thread of its own until the process ends.
final class EnduranceEar: Sendable {
    struct State {
        var port: Int?
        var links = 0
        /// Replies to `/stats` and `/store stats` so far.
        var statsCount = 0
        var storeStatsCount = 0
        var storedLines = 0
        /// Lines shown more than once.
        var repeated = 0
        /// Lines lost because its front was too slow.
        var missed = 0
        var isOver = false
    }

    private let state = Mutex(State())
    /// Kept apart, since it is large and `state` is read often.
    private let shownLines = Mutex<Set<Int>>([])
    private let ledger: EnduranceLedger
    private let isSteadfast: Bool

    /// - Parameter isSteadfast: whether the process stays to the end.
    init(of process: ChatProcess, _ ledger: EnduranceLedger, isSteadfast: Bool) {
        self.ledger = ledger
        self.isSteadfast = isSteadfast
        let lines = Lines(process)
        Thread.detachNewThread {
            do {
                try lines.process.wait {
                    self.hear($0)
                    return false
                }
            } catch {
                // The process has ended.
                self.state.withLock { $0.isOver = true }
            }
        }
    }

    var now: State { state.withLock { $0 } }
    /// Lines shown, without those of a history.
    var shown: Set<Int> { shownLines.withLock { $0 } }

    private func hear(_ event: [String: Any]) {
        switch event["event"] as? String {
        case "ready": state.withLock { $0.port = event["port"] as? Int }
        case "message": hear(message: event)
        case "missed": state.withLock { $0.missed += event["count"] as? Int ?? 0 }
        case "node_stats":
            state.withLock {
                $0.links = event["links"] as? Int ?? 0
                $0.statsCount += 1
            }
        case "stats":
            let kinds = event["kinds"] as? [[String: Any]] ?? []
            let chat = kinds.first { $0["kind"] as? String == "chat" }?["records"] as? Int ?? 0
            state.withLock {
                $0.storedLines = chat
                $0.storeStatsCount += 1
            }
        default: return
        }
    }

    private func hear(message: [String: Any]) {
        guard let line = (message["text"] as? String).flatMap({ EnduranceLedger.line(in: $0) }) else { return }
        guard message["history"] as? Bool != true else { return }
        guard shownLines.withLock({ $0.insert(line).inserted }) else { return state.withLock { $0.repeated += 1 } }
        if message["hops"] as? Int == 0 {
            ledger.acknowledged(line, dated: (message["at"] as? String).flatMap { RFC3339.read($0) })
        } else {
            ledger.heard(line, isFresh: message["late"] as? Bool != true, isSteadfast: isSteadfast)
        }
    }

    // Safety: no other thread reads the lines of this process.
    private struct Lines: @unchecked Sendable {
        let process: ChatProcess

        init(_ process: ChatProcess) { self.process = process }
    }
}
