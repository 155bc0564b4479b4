import LatticeCore
import LatticeStore
import LatticeWire

/// Our personas' records on their way into the store: dated after everything heard, in the order they were written.
struct Publisher {
    typealias Waiter = CheckedContinuation<Result<[Published], StoreError>, Never>

    private var dates: HybridClock
    private var waiters: [UInt64: Waiter] = [:]
    private var lastTicket: UInt64 = 0

    /// - Parameter newest: the newest date in the store.
    init(after newest: HybridTime) {
        dates = HybridClock(after: newest)
    }

    /// A record with this date was received or fetched.
    mutating func heard(_ date: HybridTime, at now: WallTime) {
        dates.heard(date, at: now)
    }

    mutating func nextDate(at now: WallTime) -> HybridTime {
        dates.next(at: now)
    }

    mutating func ticket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    mutating func wait(for ticket: UInt64, _ waiter: Waiter) {
        waiters[ticket] = waiter
    }

    mutating func committed(_ ticket: UInt64, _ result: Result<[Published], StoreError>) {
        if case .success(let published) = result {
            for one in published { dates.made(one.record.created) }
        }
        waiters.removeValue(forKey: ticket)?.resume(returning: result)
    }
}
