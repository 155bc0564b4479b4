import LatticeCore
import NIOCore
import Synchronization

/// Rings once, at the earliest time it was set to. It may ring early, so check the clock.
final class Alarm: Sendable {
    /// Rings that were not heard yet count as one.
    let rings: AsyncStream<Void>

    private struct Setting {
        /// `nil`: it does not ring.
        var time: Instant?
        var scheduled: Scheduled<Void>?
    }

    private let input: AsyncStream<Void>.Continuation
    private let setting = Mutex(Setting())
    private let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        (rings, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// A time later than the one already set changes nothing.
    func set(_ time: Instant, now: Instant) {
        setting.withLock { setting in
            if let known = setting.time, known <= time { return }
            setting.scheduled?.cancel()
            // A millisecond more: it must not ring just before the time and find nothing due.
            let delay = max(now.duration(to: time), .zero) + .milliseconds(1)
            let scheduled = eventLoop.scheduleTask(in: .nanoseconds(delay.nanoseconds)) { self.ring() }
            setting = Setting(time: time, scheduled: scheduled)
        }
    }

    private func ring() {
        setting.withLock { $0 = Setting() }
        input.yield()
    }
}
