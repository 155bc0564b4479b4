import Synchronization

/// What a responder's thread must do. Only the latest order counts: orders replace each other and never queue.
struct Order: Hashable, Sendable {
    var advertisement: Advertisement
    var roles = DiscoveryRoles.both
    var interface: InterfaceChoice
    /// The address records to publish (embedded only).
    var addresses: [PublishedAddress]
    /// Counts the requests to look up everything again soon.
    var refreshes: UInt64 = 0
    /// Withdraw everything and end the thread.
    var isEnding = false
}

/// Which interfaces discovery uses.
enum InterfaceChoice: Hashable, Sendable {
    case all
    case only(name: String, index: UInt32)
    /// The named one does not exist now.
    case missing(name: String)

    init(_ wanted: String?, among interfaces: [NetworkInterface]) {
        guard let wanted else {
            self = .all
            return
        }
        let found = interfaces.first { $0.name == wanted }
        self = found.map { .only(name: wanted, index: $0.index) } ?? .missing(name: wanted)
    }

    var name: String? {
        switch self {
        case .all: nil
        case .only(let name, _), .missing(let name): name
        }
    }
}

/// Passes orders to a thread that waits in `poll`, and reports when that thread has ended.
final class Orders: Sendable {
    private let wanted: Mutex<Order>
    /// Woken by a new order.
    let news = WakePipe()
    /// Woken by the thread's last act.
    let end = WakePipe()

    init(_ order: Order) {
        wanted = Mutex(order)
    }

    func change(_ body: (inout Order) -> Void) {
        let isNews = wanted.withLock { order in
            let before = order
            body(&order)
            return order != before
        }
        if isNews { news.wake() }
    }

    /// The current order; clears the wake-up first, so that none is missed.
    func take() -> Order {
        news.clear()
        return wanted.withLock { $0 }
    }
}
