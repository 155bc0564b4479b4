import LatticeConcurrency
import Synchronization

/// Runs the seats of visitors who are here.
final class SeatRunner: Sendable {
    /// Seats that do not run yet, as many as people are admitted at a time.
    private let waiting = Mutex<[VisitorSeat]>([])
    private let news = Signal()

    func begin(_ seat: VisitorSeat) {
        waiting.withLock { $0.append(seat) }
        news.raise()
    }

    /// Runs each seat until its visitor leaves. It ends when its task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for seat in takeWaiting() { group.addTask { await seat.run() } }
                await news.wait()
            }
        }
    }

    private func takeWaiting() -> [VisitorSeat] {
        waiting.withLock { seats in
            defer { seats = [] }
            return seats
        }
    }
}
