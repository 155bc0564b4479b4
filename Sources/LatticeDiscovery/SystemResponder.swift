import Glibc
import LatticeConcurrency
import LatticeCore

/// The thread behind the source `system`: looks for the daemon, connects, and starts anew when the daemon goes.
struct SystemResponder: ~Copyable {
    /// A failed attempt costs a fraction of a millisecond without a message bus, and a few milliseconds with one.
    static let retryDelay = Duration.seconds(1)

    private let orders: Orders
    private let report: Reporting
    private var connection: SystemConnection?
    private var retryAt: Instant?
    /// Reported once, until something else is reported.
    private var lastVain: ResponderReport?

    static func start(_ orders: Orders, report: @escaping Reporting) {
        DedicatedThread.start {
            Self.prepareLibrary()
            var responder = SystemResponder(orders: orders, report: report)
            responder.run()
            orders.end.wake()
        }
    }

    private init(orders: Orders, report: @escaping Reporting) {
        self.orders = orders
        self.report = report
    }

    /// Call this before the library's first call: otherwise it prints a warning on standard error, and the bus library
    /// ends the process after a malformed string.
    static func prepareLibrary() {
        setenv("AVAHI_COMPAT_NOWARN", "1", 0)
        setenv("DBUS_FATAL_WARNINGS", "0", 0)
    }

    private mutating func run() {
        while true {
            let order = orders.take()
            if order.isEnding { break }
            obey(order)
            wait()
            work()
        }
        connection = nil
    }

    private mutating func obey(_ order: Order) {
        let now = MonotonicClock.now()
        if let connection, connection.interface != order.interface {
            disconnect(.stopped)
        }
        guard connection == nil, retryAt.map({ $0 <= now }) ?? true else {
            guarded { connection, report throws(DNSServiceError) in
                for fact in try connection.obey(order) { report(fact) }
            }
            return
        }
        do throws(DNSServiceError) {
            connection = try SystemConnection(order)
            retryAt = nil
            lastVain = nil
            report(.answered)
            if order.roles == .browsing { report(.running(label: nil)) }
        } catch {
            retryAt = now.advanced(by: Self.retryDelay)
            vain(error.isAbsence ? .absent : .refused(error.reason))
        }
    }

    private mutating func wait() {
        let now = MonotonicClock.now()
        var descriptors = [orders.news.descriptor] + (connection?.descriptors ?? [])
        let deadline = connection == nil ? retryAt : connection?.nextDeadline
        Self.poll(&descriptors, milliseconds: MonotonicClock.milliseconds(until: deadline, from: now))
        connection?.readable = descriptors
    }

    private mutating func work() {
        guarded { connection, report throws(DNSServiceError) in
            for fact in try connection.work(at: MonotonicClock.now()) { report(fact) }
        }
    }

    /// Uses the connection; if the daemon is gone, releases everything.
    private mutating func guarded(_ body: (SystemConnection, Reporting) throws(DNSServiceError) -> Void) {
        guard let connection else { return }
        do throws(DNSServiceError) {
            try body(connection, report)
        } catch {
            disconnect(.stopped)
            if !error.isAbsence { vain(.refused(error.reason)) }
        }
    }

    private mutating func disconnect(_ fact: ResponderReport) {
        connection = nil
        retryAt = MonotonicClock.now().advanced(by: Self.retryDelay)
        report(fact)
    }

    private mutating func vain(_ fact: ResponderReport) {
        if lastVain != fact { report(fact) }
        lastVain = fact
    }

    /// Waits for the descriptors and leaves those that are readable in the array.
    private static func poll(_ descriptors: inout [Int32], milliseconds: Int32) {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        Glibc.poll(&polled, nfds_t(polled.count), milliseconds)
        descriptors = polled.filter { $0.revents != 0 }.map(\.fd)
    }
}
