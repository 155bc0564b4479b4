import CAvahi
import LatticeCore

/// Replies of Avahi's stack, copied in its callbacks and not interpreted in these files.
enum AvahiReply {
    case server(AvahiServerState)
    case service(AvahiEntryGroupState)
    case address(AvahiEntryGroupState)
    case early(AvahiEntryGroupState)
    case browsed(isAdded: Bool, interface: UInt32, label: [UInt8])
    case browsingFailed
    case located(ServiceInstance, AvahiLocation)
    case addressed(ServiceInstance, bytes: [UInt8])
    case failed(ServiceInstance)
}

/// The location of a service: its host name as C text with its NUL, its port, and its TXT record as on the wire.
struct AvahiLocation {
    let host: [CChar]
    let port: UInt16
    let txt: [UInt8]
}

/// Collects replies until the thread that runs the stack takes them.
final class AvahiReplies {
    var waiting: [AvahiReply] = []

    static func at(_ context: UnsafeMutableRawPointer?) -> AvahiReplies? {
        context.map { Unmanaged<AvahiReplies>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Avahi's own mDNS stack in this process: a server with one service, its addresses, one browser and some lookups.
// Safety: everything is made, run and freed on the one thread that owns this class (it is not Sendable), and Avahi calls
// back only inside calls made to it on that thread, so no lock is needed. The contexts that C holds are
// `replies` and the `LookupContext` of each lookup; stored properties keep both alive until `deinit` or `stopLookup` has
// freed the C object that calls back with them. Callbacks copy what they get and free nothing.
final class AvahiStack {
    let replies = AvahiReplies()
    private(set) var server: OpaquePointer
    var lookups: [ServiceInstance: [AvahiLookup]] = [:]
    private let loop: OpaquePointer
    private var wake: OpaquePointer?
    private var browser: OpaquePointer?
    private var serviceGroup: OpaquePointer?
    private var earlyGroup: OpaquePointer?
    private var addressGroups: [PublishedAddress: OpaquePointer] = [:]

    /// Avahi would write to standard error; everything important comes as an error code.
    private static let silence: Void = avahi_set_log_function({ _, _ in })

    /// - Parameter wakeDescriptor: `iterate` returns when it becomes readable.
    init(hostLabel: String, interface: String?, wakeDescriptor: Int32) throws(AvahiError) {
        Self.silence
        guard let loop = avahi_simple_poll_new(), let api = avahi_simple_poll_get(loop) else {
            throw AvahiError(code: 0)
        }
        var config = AvahiServerConfig()
        avahi_server_config_init(&config)
        defer { avahi_server_config_free(&config) }
        config.host_name = avahi_strdup(hostLabel)
        config.publish_addresses = 0
        config.publish_hinfo = 0
        config.publish_workstation = 0
        config.publish_domain = 0
        config.enable_wide_area = 0
        if let interface { config.allow_interfaces = avahi_string_list_add(nil, interface) }
        var code: Int32 = 0
        let context = Unmanaged.passUnretained(replies).toOpaque()
        let made = avahi_server_new(
            api, &config, { _, state, context in AvahiReplies.at(context)?.waiting.append(.server(state)) }, context,
            &code)
        guard let made else {
            avahi_simple_poll_free(loop)
            throw AvahiError(code: code)
        }
        server = made
        self.loop = loop
        wake = api.pointee.watch_new(api, wakeDescriptor, AVAHI_WATCH_IN, { _, _, _, _ in }, nil)
    }

    /// Says goodbye to the network and frees all.
    deinit {
        for lookup in lookups.values.joined() { lookup.free() }
        if let browser { avahi_s_service_browser_free(browser) }
        withdraw()
        avahi_server_free(server)
        if let wake, let api = avahi_simple_poll_get(loop) { api.pointee.watch_free(wake) }
        avahi_simple_poll_free(loop)
    }

    /// Runs the stack until something happens or the time is over.
    /// - Parameter milliseconds: −1 waits forever.
    func iterate(milliseconds: Int32) throws(AvahiError) -> [AvahiReply] {
        guard avahi_simple_poll_iterate(loop, milliseconds) == 0 else {
            throw AvahiError(code: Int32(AVAHI_ERR_FAILURE))
        }
        defer { replies.waiting = [] }
        return replies.waiting
    }

    /// Announces the service, whose host `publish(_:hostName:)` publishes. The name is probed first; the reply comes
    /// later.
    func advertise(label: String, port: UInt16, txt: [UInt8], hostName: String) throws(AvahiError) {
        let group = try newGroup { _, _, state, context in
            AvahiReplies.at(context)?.waiting.append(.service(state))
        }
        serviceGroup = group
        var list: UnsafeMutablePointer<AvahiStringList>?
        try check(avahi_string_list_parse(txt, txt.count, &list))
        defer { avahi_string_list_free(list) }
        try check(
            avahi_server_add_service_strlst(
                server, group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0),
                label, Advertisement.serviceType, nil, hostName, port, list))
        try check(avahi_s_entry_group_commit(group))
    }

    /// Announces records that need no probing, in place of earlier ones.
    func announce(_ early: EarlyAnnouncement) throws(AvahiError) {
        withdrawEarly()
        let group = try newGroup { _, _, state, context in
            AvahiReplies.at(context)?.waiting.append(.early(state))
        }
        earlyGroup = group
        for record in early.records {
            let made = avahi_record_new_full(
                record.name.escaped, UInt16(AVAHI_DNS_CLASS_IN), record.type.rawValue, EarlyAnnouncement.secondsToLive)
            guard let made else { throw AvahiError(code: Int32(AVAHI_ERR_NO_MEMORY)) }
            // The group keeps its own reference.
            defer { avahi_record_unref(made) }
            try check(avahi_rdata_parse(made, record.data, record.data.count))
            try check(
                avahi_server_add(
                    server, group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC),
                    record.publishFlags, made))
        }
        try check(avahi_s_entry_group_commit(group))
    }

    /// Withdraws the early announcement, with a goodbye.
    func withdrawEarly() {
        if let earlyGroup { avahi_s_entry_group_free(earlyGroup) }
        earlyGroup = nil
    }

    /// Publishes one address of our host. Without the reverse record, which all stacks of a machine would conflict on;
    /// without probing, because a host name made from our id is unique (RFC 6762 section 8.1).
    func publish(_ published: PublishedAddress, hostName: String) throws(AvahiError) {
        let group = try newGroup { _, _, state, context in
            AvahiReplies.at(context)?.waiting.append(.address(state))
        }
        addressGroups[published] = group
        let family = published.address.family == .v4 ? AVAHI_PROTO_INET : AVAHI_PROTO_INET6
        var address = AvahiAddress()
        guard avahi_address_parse(published.address.text, AvahiProtocol(family), &address) != nil else { return }
        let flags = AvahiPublishFlags(AVAHI_PUBLISH_NO_REVERSE.rawValue | AVAHI_PUBLISH_NO_PROBE.rawValue)
        try check(
            avahi_server_add_address(
                server, group, AvahiIfIndex(published.interface), AvahiProtocol(AVAHI_PROTO_UNSPEC), flags, hostName,
                &address))
        try check(avahi_s_entry_group_commit(group))
    }

    func withdraw(_ published: PublishedAddress) {
        if let group = addressGroups.removeValue(forKey: published) { avahi_s_entry_group_free(group) }
    }

    func withdrawService() {
        if let serviceGroup { avahi_s_entry_group_free(serviceGroup) }
        serviceGroup = nil
    }

    func withdraw() {
        withdrawService()
        withdrawEarly()
        for group in addressGroups.values { avahi_s_entry_group_free(group) }
        addressGroups = [:]
    }

    func stopBrowsing() {
        if let browser { avahi_s_service_browser_free(browser) }
        browser = nil
    }

    func browse() throws(AvahiError) {
        stopBrowsing()
        browser = avahi_s_service_browser_new(
            server, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), Advertisement.serviceType, nil,
            AvahiLookupFlags(0),
            { _, interface, _, event, name, _, _, _, context in
                AvahiReplies.at(context)?.browsed(event, interface: interface, name: name)
            },
            Unmanaged.passUnretained(replies).toOpaque())
        if browser == nil { throw lastError }
    }

    var lastError: AvahiError { AvahiError(code: avahi_server_errno(server)) }

    private func newGroup(_ callback: AvahiSEntryGroupCallback) throws(AvahiError) -> OpaquePointer {
        let context = Unmanaged.passUnretained(replies).toOpaque()
        guard let group = avahi_s_entry_group_new(server, callback, context) else { throw lastError }
        return group
    }

    private func check(_ code: Int32) throws(AvahiError) {
        if code < 0 { throw AvahiError(code: code) }
    }
}

extension EarlyAnnouncement.Record {
    var publishFlags: AvahiPublishFlags {
        isUnique
            ? AvahiPublishFlags(AVAHI_PUBLISH_UNIQUE.rawValue | AVAHI_PUBLISH_NO_PROBE.rawValue) : AvahiPublishFlags(0)
    }
}

/// An error of Avahi: of its stack in this process, or of its daemon.
struct AvahiError: Error, Hashable {
    let code: Int32

    var isCollision: Bool { code == AVAHI_ERR_COLLISION }

    var isAbsence: Bool { code == AVAHI_ERR_NO_DAEMON || code == AVAHI_ERR_DISCONNECTED }

    // Safety: avahi_strerror returns a string constant.
    var reason: String { avahi_strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
