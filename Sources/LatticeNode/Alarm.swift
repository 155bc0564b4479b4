import LatticeCore
import NIOCore
import Synchronization

/// Rings once, at the earliest time it was set to, on the thread of its event loop. It may ring early, so check the clock.
final class Alarm: Sendable {
    /// A struct, because a bare closure stored in a `Mutex` is wrapped once more at each access.
    private struct Bell: Sendable {
        let ring: @Sendable () -> Void
    }

    private struct Setting {
        /// `nil`: it does not ring.
        var time: Instant?
        var scheduled: Scheduled<Void>?
        var bell: Bell?
    }

    private let setting = Mutex(Setting())
    private let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// - Parameter work: called for each ring from now on, until `silence`.
    func onRing(_ work: @escaping @Sendable () -> Void) {
        setting.withLock { $0.bell = Bell(ring: work) }
    }

    func silence() {
        setting.withLock { $0.bell = nil }
    }

    /// A time later than the one already set changes nothing.
    func set(_ time: Instant, now: Instant) {
        setting.withLock { setting in
            if let known = setting.time, known <= time { return }
            setting.scheduled?.cancel()
            // A millisecond more: it must not ring just before the time and find nothing due.
            let delay = max(now.duration(to: time), .zero) + .milliseconds(1)
            setting.scheduled = eventLoop.scheduleTask(in: .nanoseconds(delay.nanoseconds)) { self.ring() }
            setting.time = time
        }
    }

    private func ring() {
        let bell = setting.withLock { setting in
            (setting.time, setting.scheduled) = (nil, nil)
            return setting.bell
        }
        bell?.ring()
    }
}
