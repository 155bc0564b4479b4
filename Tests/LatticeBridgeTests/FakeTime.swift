import LatticeBridge
import LatticeCore
import Synchronization

/// A clock that the test moves.
final class FakeTime: Sendable {
    private struct Sleeper {
        let until: Duration
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: Duration = .zero
        var sleepers: [Int: Sleeper] = [:]
        var last = 0
    }

    private let state = Mutex(State())
    /// When the test begins, in Unix milliseconds.
    static let begin: Int64 = 1_800_000_000_000

    var now: Duration { state.withLock(\.now) }

    var wallTime: WallTime { WallTime(milliseconds: Self.begin + now.milliseconds) }

    var bridge: BridgeTime {
        BridgeTime(now: { self.now }, wallTime: { self.wallTime }, sleep: { await self.sleep($0) })
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    private func sleep(_ duration: Duration) async {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.sleepers[number] = Sleeper(until: state.now + duration, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume()
        }
    }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
