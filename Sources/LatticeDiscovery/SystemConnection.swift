import LatticeCore
import OrderedCollections

/// Our use of a daemon that answers: one registration, one browse, as the roles say, a few lookups. Used by one thread; releasing it
/// withdraws everything.
final class SystemConnection {
    /// A lookup takes two calls in sequence: for the instance, then for its host.
    private struct Lookup {
        /// At most one for the instance, or one for each family.
        var calls: [DNSServiceCall]
        var location: Location?
    }

    private struct Location {
        let host: String
        let port: UInt16
        let txt: TXTRecord
    }

    /// The daemon answers refreshes from its cache.
    static let refreshDelayMin = Duration.seconds(20)

    let interface: InterfaceChoice
    /// The `descriptors` that are readable now.
    var readable: [Int32] = []

    private let index: UInt32
    private var browse: DNSServiceCall?
    private var roles: DiscoveryRoles
    private var registration: DNSServiceCall?
    private var advertisement: Advertisement
    private var name: InstanceName
    private var registerAt: Instant?
    private var early: DaemonClient?
    private var earlyUntil: Instant?
    private var queue = LookupQueue(refreshDelayMin: refreshDelayMin)
    private var lookups: OrderedDictionary<ServiceInstance, Lookup> = [:]
    private var refreshes: UInt64

    init(_ order: Order) throws(DNSServiceError) {
        let (advertisement, interface) = (order.advertisement, order.interface)
        switch interface {
        case .all: index = 0
        case .only(_, let index): self.index = index
        case .missing: throw .absence
        }
        self.interface = interface
        self.advertisement = advertisement
        refreshes = order.refreshes
        name = InstanceName(advertisement)
        roles = order.roles
        if roles.contains(.browsing) { browse = try DNSServiceCall.browse(interface: index) }
        if roles.contains(.announcing) { try register() }
    }

    var descriptors: [Int32] {
        [browse, registration].compactMap { $0?.descriptor }
            + lookups.values.flatMap { $0.calls.map(\.descriptor) }
    }

    var nextDeadline: Instant? {
        [queue.nextDeadline, registerAt, earlyUntil].compactMap { $0 }.min()
    }

    /// Announces us again if our announcement has changed, and looks others up again if requested.
    ///
    /// - Returns: reports, if what it does has changed.
    func obey(_ order: Order) throws(DNSServiceError) -> [ResponderReport] {
        var reports: [ResponderReport] = []
        try play(order.roles, into: &reports)
        if order.refreshes != refreshes {
            refreshes = order.refreshes
            // Nothing is due at once, so there is nothing to report.
            _ = queue.handle(.hurried, at: MonotonicClock.now())
        }
        try advertise(order.advertisement)
        return reports
    }

    private func play(
        _ wanted: DiscoveryRoles, into reports: inout [ResponderReport]
    ) throws(DNSServiceError) {
        guard wanted != roles else { return }
        let before = roles
        roles = wanted
        if !wanted.contains(.announcing) {
            (registration, early, earlyUntil, registerAt) = (nil, nil, nil, nil)
        } else if !before.contains(.announcing) {
            try register()
        }
        if !wanted.contains(.browsing) {
            browse = nil
            handle(.ended, at: MonotonicClock.now(), into: &reports)
        } else if !before.contains(.browsing) {
            browse = try DNSServiceCall.browse(interface: index)
            if wanted == .browsing { reports.append(.running(label: nil)) }
        }
    }

    private func advertise(_ advertisement: Advertisement) throws(DNSServiceError) {
        guard advertisement != self.advertisement else { return }
        self.advertisement = advertisement
        name = InstanceName(advertisement)
        guard roles.contains(.announcing) else { return }
        early = nil
        try register()
    }

    /// Processes what is readable and what is due.
    func work(at now: Instant) throws(DNSServiceError) -> [ResponderReport] {
        // Collected before anything is processed: a new call can get the descriptor of a released one, and reading from
        // it would block forever.
        let readyRegistration = registration.flatMap { readable.contains($0.descriptor) ? $0 : nil }
        var readyCalls = lookups.elements.flatMap { instance, lookup in
            lookup.calls.filter { readable.contains($0.descriptor) }.map { (instance, $0) }
        }
        let readyBrowse = browse.flatMap { readable.contains($0.descriptor) ? $0 : nil }
        readable = []

        var reports: [ResponderReport] = []
        for reply in try readyRegistration?.process() ?? [] { try registered(reply, at: now, into: &reports) }
        // If the daemon is gone, the library calls a callback of the lookup that was never set, which ends the process.
        // So lookups are processed only while the daemon answers.
        if !readyCalls.isEmpty, !(try daemonAnswers()) {
            // They run into their deadlines.
            for (instance, _) in readyCalls { lookups[instance] = nil }
            readyCalls = []
        }
        for (instance, call) in readyCalls {
            guard let lookup = lookups[instance], lookup.calls.contains(where: { $0 === call }) else { continue }
            advance(instance, lookup, call, at: now, into: &reports)
        }
        for reply in try readyBrowse?.process() ?? [] { try browsed(reply, at: now, into: &reports) }
        if let registerAt, registerAt <= now { try register() }
        if let earlyUntil, earlyUntil <= now { (early, self.earlyUntil) = (nil, nil) }
        if let deadline = queue.nextDeadline, deadline <= now { handle(.woke, at: now, into: &reports) }
        return reports
    }

    /// - Returns: whether the daemon accepts calls; on a busy machine all connections of the message bus may be in use.
    private func daemonAnswers() throws(DNSServiceError) -> Bool {
        do throws(AvahiError) {
            _ = try DaemonClient()
            return true
        } catch {
            if error.isAbsence { throw .absence }
            return false
        }
    }

    /// Announces us at once under a unique name, until the probed name is confirmed.
    private func register() throws(DNSServiceError) {
        registerAt = nil
        earlyUntil = nil
        if early == nil { early = DaemonClient.announcing(advertisement, interface: index) }
        registration = nil
        while registration == nil {
            do throws(DNSServiceError) {
                registration = try DNSServiceCall.register(
                    label: name.label, port: advertisement.port, txt: advertisement.txt.bytes, interface: index)
            } catch {
                guard error.isNameConflict, name.delay == .zero else { throw error }
                name.clashed()
            }
        }
    }

    private func registered(
        _ reply: DNSServiceReply, at now: Instant, into reports: inout [ResponderReport]
    ) throws(DNSServiceError) {
        guard case .registered(let code, let label) = reply else { return }
        guard code != 0 else {
            earlyUntil = now.advanced(by: EarlyAnnouncement.overlap)
            reports.append(.running(label: String(decoding: label, as: UTF8.self)))
            return
        }
        let error = DNSServiceError(code: code)
        guard error.isNameConflict else { throw error }
        name.clashed()
        registration = nil
        registerAt = now.advanced(by: name.delay)
    }

    private func browsed(
        _ reply: DNSServiceReply, at now: Instant, into reports: inout [ResponderReport]
    ) throws(DNSServiceError) {
        guard case .browsed(let code, let isAdded, let interface, let label) = reply else { return }
        guard code == 0 else { throw DNSServiceError(code: code) }
        guard let instance = ServiceInstance(interface: interface, label: label) else { return }
        handle(isAdded ? .added(instance) : .removed(instance), at: now, into: &reports)
    }

    private func advance(
        _ instance: ServiceInstance, _ lookup: Lookup, _ call: DNSServiceCall, at now: Instant,
        into reports: inout [ResponderReport]
    ) {
        do throws(DNSServiceError) {
            guard let reply = try call.process().first else { return }
            let event = try event(of: reply, instance, lookup)
            if let event { handle(event, at: now, into: &reports) }
        } catch {
            lookups[instance]?.calls.removeAll { $0 === call }
            handle(.failed(instance), at: now, into: &reports)
        }
    }

    /// Interprets the first reply to a lookup; one is enough.
    private func event(
        of reply: DNSServiceReply, _ instance: ServiceInstance, _ lookup: Lookup
    ) throws(DNSServiceError) -> LookupQueue.Event? {
        switch reply {
        case .resolved(0, let host, let port, let txt):
            let host = String(decoding: host, as: UTF8.self)
            lookups[instance]?.location = Location(host: host, port: port, txt: TXTRecord(parsing: txt))
            return .located(instance)
        case .addressed(0, let bytes):
            guard let location = lookup.location,
                let host = AddressText.host(bytes, interface: instance.interface)
            else { return nil }
            let address = PeerAddress(host: host, port: location.port)
            return .answered(
                instance, bytes.count == 4 ? .v4 : .v6, InstanceAnswer(txt: location.txt, address: address))
        case .resolved(let code, _, _, _), .addressed(let code, _):
            throw DNSServiceError(code: code)
        case .registered, .browsed:
            return nil
        }
    }

    private func handle(_ event: LookupQueue.Event, at now: Instant, into reports: inout [ResponderReport]) {
        for effect in queue.handle(event, at: now) {
            switch effect {
            case .locate(let instance): locate(instance)
            case .ask(let instance, let family): ask(instance, family)
            case .stop(let instance): lookups[instance] = nil
            case .seen(let instance, let answer): reports.append(.seen(instance, answer))
            case .gone(let instance): reports.append(.gone(instance))
            case .crowded: reports.append(.crowded)
            }
        }
    }

    /// A failed call counts as unanswered: the lookup runs into its deadline.
    private func locate(_ instance: ServiceInstance) {
        do throws(DNSServiceError) {
            lookups[instance] = Lookup(calls: [try DNSServiceCall.resolve(instance)])
        } catch {
            lookups[instance] = nil
        }
    }

    private func ask(_ instance: ServiceInstance, _ family: AddressFamily) {
        guard let location = lookups[instance]?.location else { return }
        do throws(DNSServiceError) {
            let call = try DNSServiceCall.address(ofHost: location.host, family, interface: instance.interface)
            if family == .v4 { lookups[instance]?.calls = [call] } else { lookups[instance]?.calls.append(call) }
        } catch {
            return
        }
    }
}
