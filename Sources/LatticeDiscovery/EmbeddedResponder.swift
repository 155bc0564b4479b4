import LatticeConcurrency
import LatticeCore

/// The thread of the source `embedded`: runs Avahi's stack in this process, and restarts it after a failure.
struct EmbeddedResponder: ~Copyable {
    static let retryDelay = Duration.seconds(2)

    private let orders: Orders
    private let report: Reporting
    private var station: EmbeddedStation?
    private var retryAt: Instant?
    private var lastRefusal: String?

    static func start(_ orders: Orders, report: @escaping Reporting) {
        DedicatedThread.start {
            var responder = EmbeddedResponder(orders: orders, report: report)
            responder.run()
            orders.end.wake()
        }
    }

    private init(orders: Orders, report: @escaping Reporting) {
        self.orders = orders
        self.report = report
    }

    private mutating func run() {
        while true {
            let order = orders.take()
            if order.isEnding { break }
            obey(order)
            wait()
        }
        station = nil
    }

    private mutating func obey(_ order: Order) {
        let now = MonotonicClock.now()
        if station == nil {
            guard retryAt.map({ $0 <= now }) ?? true else { return }
            do throws(AvahiError) {
                station = try EmbeddedStation(order, wakeDescriptor: orders.news.descriptor)
                if order.roles == .browsing { report(.running(label: nil)) }
                retryAt = nil
                lastRefusal = nil
            } catch {
                refused(error)
            }
        } else {
            guarded { station throws(AvahiError) in try station.obey(order) }
        }
    }

    private mutating func wait() {
        guard station != nil else {
            orders.news.wait(millisecondsMax: MonotonicClock.milliseconds(until: retryAt, from: MonotonicClock.now()))
            return
        }
        guarded { station throws(AvahiError) in try station.iterate() }
    }

    private mutating func guarded(_ body: (EmbeddedStation) throws(AvahiError) -> [ResponderReport]) {
        guard let station else { return }
        do throws(AvahiError) {
            for fact in try body(station) { report(fact) }
        } catch {
            self.station = nil
            report(.stopped)
            refused(error)
        }
    }

    private mutating func refused(_ error: AvahiError) {
        retryAt = MonotonicClock.now().advanced(by: Self.retryDelay)
        if lastRefusal != error.reason { report(.refused(error.reason)) }
        lastRefusal = error.reason
    }
}
