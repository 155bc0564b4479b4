import CAvahi
import LatticeCore

/// Our use of the embedded stack: the service under a unique name, its address records as interfaces come and go, and
/// lookups of browsed instances. Used by one thread.
final class EmbeddedStation {
    /// Refreshes are answered from the stack's cache and cost a few allocations.
    static let refreshDelayMin = Duration.seconds(10)

    private let stack: AvahiStack
    private var order: Order
    private var name: InstanceName
    private var hostAttempt = 0
    private var published: [PublishedAddress] = []
    private var advertiseAt: Instant?
    private var early: EarlyAnnouncement?
    private var earlyUntil: Instant?
    private var locations: [ServiceInstance: AvahiLocation] = [:]
    private var queue = LookupQueue(refreshDelayMin: refreshDelayMin)

    init(_ order: Order, wakeDescriptor: Int32) throws(AvahiError) {
        self.order = order
        name = InstanceName(order.advertisement)
        stack = try AvahiStack(
            hostLabel: order.advertisement.hostLabel(attempt: 0), interface: order.interface.name,
            wakeDescriptor: wakeDescriptor)
        if order.roles.contains(.announcing) { try announceAll() }
        if order.roles.contains(.browsing) { try stack.browse() }
    }

    /// - Returns: reports, if what it does has changed.
    func obey(_ order: Order) throws(AvahiError) -> [ResponderReport] {
        guard order != self.order else { return [] }
        let before = self.order
        self.order = order
        var reports: [ResponderReport] = []
        if order.roles != before.roles { try play(before.roles, into: &reports) }
        if order.advertisement != before.advertisement {
            name = InstanceName(order.advertisement)
            if isAnnouncing { try advertise() }
        }
        // Nothing is due at once, so there is nothing to report.
        if order.refreshes != before.refreshes { _ = queue.handle(.hurried, at: MonotonicClock.now()) }
        try publish()
        return reports
    }

    private var isAnnouncing: Bool { order.roles.contains(.announcing) }

    private func play(_ before: DiscoveryRoles, into reports: inout [ResponderReport]) throws(AvahiError) {
        if isAnnouncing, !before.contains(.announcing) {
            try announceAll()
        } else if !isAnnouncing {
            stack.withdraw()
            (published, early, earlyUntil, advertiseAt) = ([], nil, nil, nil)
        }
        if order.roles.contains(.browsing), !before.contains(.browsing) {
            try stack.browse()
            if !isAnnouncing { reports.append(.running(label: nil)) }
        } else if !order.roles.contains(.browsing) {
            stack.stopBrowsing()
            handle(.ended, at: MonotonicClock.now(), into: &reports)
        }
    }

    /// Runs the stack until something happens, and returns the reports.
    func iterate() throws(AvahiError) -> [ResponderReport] {
        let deadline = [queue.nextDeadline, advertiseAt, earlyUntil].compactMap { $0 }.min()
        let milliseconds = MonotonicClock.milliseconds(until: deadline, from: MonotonicClock.now())
        let replies = try stack.iterate(milliseconds: milliseconds)
        let now = MonotonicClock.now()
        var reports: [ResponderReport] = []
        for reply in replies { try heed(reply, at: now, into: &reports) }
        if let advertiseAt, advertiseAt <= now { try advertise() }
        if let earlyUntil, earlyUntil <= now { withdrawEarly() }
        if let deadline = queue.nextDeadline, deadline <= now { handle(.woke, at: now, into: &reports) }
        return reports
    }

    private func heed(_ reply: AvahiReply, at now: Instant, into reports: inout [ResponderReport]) throws(AvahiError) {
        switch reply {
        case .server(AVAHI_SERVER_FAILURE), .browsingFailed:
            throw stack.lastError
        case .service(AVAHI_ENTRY_GROUP_ESTABLISHED) where isAnnouncing:
            earlyUntil = now.advanced(by: EarlyAnnouncement.overlap)
            reports.append(.running(label: name.label))
        case .service(AVAHI_ENTRY_GROUP_COLLISION) where isAnnouncing:
            name.clashed()
            advertiseAt = now.advanced(by: name.delay)
        case .service(AVAHI_ENTRY_GROUP_FAILURE), .address(AVAHI_ENTRY_GROUP_FAILURE),
            .early(AVAHI_ENTRY_GROUP_FAILURE):
            throw stack.lastError
        case .address(AVAHI_ENTRY_GROUP_COLLISION) where isAnnouncing:
            hostAttempt += 1
            try announceAll()
        case .browsed(let isAdded, let interface, let label):
            guard order.roles.contains(.browsing), let instance = ServiceInstance(interface: interface, label: label)
            else { return }
            handle(isAdded ? .added(instance) : .removed(instance), at: now, into: &reports)
        case .located(let instance, let location):
            locations[instance] = location
            handle(.located(instance), at: now, into: &reports)
        case .addressed(let instance, let bytes):
            guard let location = locations[instance],
                let host = AddressText.host(bytes, interface: instance.interface)
            else { return }
            let address = PeerAddress(host: host, port: location.port)
            let answer = InstanceAnswer(txt: TXTRecord(parsing: location.txt), address: address)
            handle(.answered(instance, bytes.count == 4 ? .v4 : .v6, answer), at: now, into: &reports)
        case .failed(let instance):
            handle(.failed(instance), at: now, into: &reports)
        case .server, .service, .address, .early:
            break  // on the way there
        }
    }

    private var hostName: String { order.advertisement.hostLabel(attempt: hostAttempt) + ".local" }

    private func announceAll() throws(AvahiError) {
        stack.withdraw()
        (published, early) = ([], nil)
        try publish()
        try advertise()
    }

    /// Adds and withdraws address records to match the order.
    private func publish() throws(AvahiError) {
        // The host's name is made of our id, which only an announcement reveals.
        let wanted = isAnnouncing ? order.addresses : []
        for address in published where !wanted.contains(address) { stack.withdraw(address) }
        for address in wanted where !published.contains(address) {
            try stack.publish(address, hostName: hostName)
        }
        published = wanted
    }

    /// Announces us at once under a unique name, until the probed name is confirmed.
    private func advertise() throws(AvahiError) {
        advertiseAt = nil
        try announceEarly()
        let advertisement = order.advertisement
        while true {
            stack.withdrawService()
            do throws(AvahiError) {
                try stack.advertise(
                    label: name.label, port: advertisement.port, txt: advertisement.txt.bytes, hostName: hostName)
                return
            } catch {
                guard error.isCollision, name.delay == .zero else { throw error }
                name.clashed()
            }
        }
    }

    private func announceEarly() throws(AvahiError) {
        earlyUntil = nil
        let wanted = EarlyAnnouncement(order.advertisement, host: DNSName(text: hostName), by: .embedded)
        guard early != wanted else { return }
        early = nil
        try stack.announce(wanted)
        early = wanted
    }

    private func withdrawEarly() {
        stack.withdrawEarly()
        (early, earlyUntil) = (nil, nil)
    }

    private func handle(_ event: LookupQueue.Event, at now: Instant, into reports: inout [ResponderReport]) {
        for effect in queue.handle(event, at: now) {
            switch effect {
            case .locate(let instance): attempt { stack throws(AvahiError) in try stack.locate(instance) }
            case .ask(let instance, let family): ask(instance, family)
            case .stop(let instance):
                stack.stopLookup(instance)
                locations[instance] = nil
            case .seen(let instance, let answer): reports.append(.seen(instance, answer))
            case .gone(let instance): reports.append(.gone(instance))
            case .crowded: reports.append(.crowded)
            }
        }
    }

    private func ask(_ instance: ServiceInstance, _ family: AddressFamily) {
        guard let location = locations[instance] else { return }
        attempt { stack throws(AvahiError) in try stack.ask(instance, host: location.host, family) }
    }

    /// A failed call counts as unanswered: the lookup runs into its deadline.
    private func attempt(_ body: (AvahiStack) throws(AvahiError) -> Void) {
        do throws(AvahiError) {
            try body(stack)
        } catch {
            return
        }
    }
}
