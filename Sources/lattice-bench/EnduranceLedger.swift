import Foundation
import LatticeCore
import Synchronization

/// All lines of a run: when they were typed, whether they were acknowledged, and how long they took to the others.
final class EnduranceLedger: Sendable {
    private struct Line {
        /// In seconds; 0 if it was not typed.
        var typedAt = 0.0
        var isAcknowledged = false
        var isElsewhere = false
        /// Said by a peer that stays to the end.
        var isSteady = false
    }

    private struct State {
        var lines: [Line]
        var begin = 0.0
        /// In milliseconds, by quarter of the run.
        var delays = [[Double]](repeating: [], count: 4)
        var clockAhead = 0.0
        var acknowledged = 0
    }

    private let state: Mutex<State>
    private let duration: Double

    /// - Parameter duration: length of the run in seconds.
    init(lines: Int, duration: Double) {
        state = Mutex(State(lines: [Line](repeating: Line(), count: lines)))
        self.duration = duration
    }

    static func text(of line: Int, bytes: Int) -> String {
        let number = "endure-\(line) "
        return number + String(repeating: "x", count: max(0, bytes - number.utf8.count))
    }

    static func line(in text: some StringProtocol) -> Int? {
        guard text.hasPrefix("endure-") else { return nil }
        return Int(text.dropFirst("endure-".count).prefix(while: \.isNumber))
    }

    func begin() {
        state.withLock { $0.begin = seconds() }
    }

    func typed(_ line: Int, isSteadfast: Bool) {
        let now = seconds()
        state.withLock {
            $0.lines[line].typedAt = now
            $0.lines[line].isSteady = isSteadfast
        }
    }

    func acknowledged(_ line: Int, dated date: WallTime?) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let now = Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1e6
        state.withLock { state in
            guard state.lines.indices.contains(line) else { return }
            if !state.lines[line].isAcknowledged { state.acknowledged += 1 }
            state.lines[line].isAcknowledged = true
            if let date { state.clockAhead = max(state.clockAhead, Double(date.milliseconds) - now) }
        }
    }

    /// - Parameters:
    ///   - isFresh: whether it arrived by broadcast and was not fetched later.
    ///   - isSteadfast: whether the listener stays to the end; only those count for delays.
    func heard(_ line: Int, isFresh: Bool, isSteadfast: Bool) {
        let now = seconds()
        state.withLock { state in
            guard state.lines.indices.contains(line) else { return }
            guard isSteadfast else { return }
            state.lines[line].isElsewhere = true
            let typedAt = state.lines[line].typedAt
            guard isFresh, state.lines[line].isSteady, state.begin > 0, typedAt >= state.begin else { return }
            let quarter = EnduranceSeries.quarter(of: typedAt - state.begin, in: duration)
            state.delays[quarter].append((now - typedAt) * 1_000)
        }
    }

    /// Whether all acknowledged lines among these have reached another peer that stores them.
    func isElsewhere(_ lines: [Int]) -> Bool {
        state.withLock { state in lines.allSatisfy { state.lines[$0].isElsewhere || !state.lines[$0].isAcknowledged } }
    }

    var isAcknowledged: [Bool] { state.withLock { $0.lines.map(\.isAcknowledged) } }
    var acknowledgedCount: Int { state.withLock { $0.acknowledged } }
    var typedCount: Int { state.withLock { $0.lines.count { $0.typedAt > 0 } } }
    var clockAhead: Double { state.withLock { $0.clockAhead } }
    func delays(inQuarter quarter: Int) -> [Double] { state.withLock { $0.delays[quarter] } }
}
