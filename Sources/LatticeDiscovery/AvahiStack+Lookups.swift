import CAvahi
import Glibc
import LatticeCore

/// The C context of a lookup: which one it is, and where its answer goes.
final class LookupContext {
    let instance: ServiceInstance
    let replies: AvahiReplies

    init(instance: ServiceInstance, replies: AvahiReplies) {
        self.instance = instance
        self.replies = replies
    }
}

/// A running lookup: of an instance, or of an address of its host.
// Safety: see `AvahiStack`; a resolver is freed only between two iterations, never inside its own callback, and its
// context is released after it.
struct AvahiLookup {
    enum Resolver {
        case service(OpaquePointer)
        case host(OpaquePointer)
    }

    let resolver: Resolver
    let context: LookupContext

    func free() {
        switch resolver {
        case .service(let pointer): avahi_s_service_resolver_free(pointer)
        case .host(let pointer): avahi_s_host_name_resolver_free(pointer)
        }
    }
}

// Safety: see `AvahiStack`.
extension AvahiStack {
    /// Looks up host, port and TXT record.
    func locate(_ instance: ServiceInstance) throws(AvahiError) {
        stopLookup(instance)
        let context = LookupContext(instance: instance, replies: replies)
        let label = instance.label.map(CChar.init(bitPattern:)) + [0]
        let resolver = avahi_s_service_resolver_new(
            server, AvahiIfIndex(instance.interface), AvahiProtocol(AVAHI_PROTO_UNSPEC), label,
            Advertisement.serviceType,
            "local", AvahiProtocol(AVAHI_PROTO_UNSPEC), AVAHI_LOOKUP_NO_ADDRESS,
            { _, _, _, event, _, _, _, host, _, port, txt, _, context in
                LookupContext.at(context)?.located(event, host: host, port: port, txt: txt)
            },
            Unmanaged.passUnretained(context).toOpaque())
        guard let resolver else { throw lastError }
        lookups[instance] = [AvahiLookup(resolver: .service(resolver), context: context)]
    }

    /// Looks up an address of a host, in addition to one of the other family.
    func ask(_ instance: ServiceInstance, host: [CChar], _ family: AddressFamily) throws(AvahiError) {
        let context = LookupContext(instance: instance, replies: replies)
        let resolver = avahi_s_host_name_resolver_new(
            server, AvahiIfIndex(instance.interface), AvahiProtocol(AVAHI_PROTO_UNSPEC), host,
            AvahiProtocol(family == .v4 ? AVAHI_PROTO_INET : AVAHI_PROTO_INET6), AvahiLookupFlags(0),
            { _, _, _, event, _, address, _, context in
                LookupContext.at(context)?.addressed(event, address)
            },
            Unmanaged.passUnretained(context).toOpaque())
        guard let resolver else { throw lastError }
        lookups[instance, default: []].append(AvahiLookup(resolver: .host(resolver), context: context))
    }

    func stopLookup(_ instance: ServiceInstance) {
        for lookup in lookups.removeValue(forKey: instance) ?? [] { lookup.free() }
    }
}

// Safety: these run inside callbacks; each pointer is read only there, up to its given length or its NUL.
extension AvahiReplies {
    func browsed(_ event: AvahiBrowserEvent, interface: AvahiIfIndex, name: UnsafePointer<CChar>?) {
        switch event {
        case AVAHI_BROWSER_NEW, AVAHI_BROWSER_REMOVE:
            guard let name, interface > 0 else { return }
            let label = UnsafeRawBufferPointer(start: name, count: strlen(name)).map { $0 }
            waiting.append(.browsed(isAdded: event == AVAHI_BROWSER_NEW, interface: UInt32(interface), label: label))
        case AVAHI_BROWSER_FAILURE:
            waiting.append(.browsingFailed)
        default:
            break  // the cache is exhausted, all for now
        }
    }
}

// Safety: as above.
extension LookupContext {
    static func at(_ context: UnsafeMutableRawPointer?) -> LookupContext? {
        context.map { Unmanaged<LookupContext>.fromOpaque($0).takeUnretainedValue() }
    }

    func located(
        _ event: AvahiResolverEvent, host: UnsafePointer<CChar>?, port: UInt16,
        txt: UnsafeMutablePointer<AvahiStringList>?
    ) {
        guard event == AVAHI_RESOLVER_FOUND, let host else {
            replies.waiting.append(.failed(instance))
            return
        }
        var wire = [UInt8](repeating: 0, count: avahi_string_list_serialize(txt, nil, 0))
        let length = avahi_string_list_serialize(txt, &wire, wire.count)
        let name = Array(UnsafeBufferPointer(start: host, count: strlen(host) + 1))
        let location = AvahiLocation(host: name, port: port, txt: Array(wire.prefix(length)))
        replies.waiting.append(.located(instance, location))
    }

    func addressed(_ event: AvahiResolverEvent, _ address: UnsafePointer<AvahiAddress>?) {
        guard event == AVAHI_RESOLVER_FOUND, let address else {
            replies.waiting.append(.failed(instance))
            return
        }
        let count = address.pointee.proto == AvahiProtocol(AVAHI_PROTO_INET) ? 4 : 16
        let bytes = withUnsafeBytes(of: address.pointee.data) { Array($0.prefix(count)) }
        replies.waiting.append(.addressed(instance, bytes: bytes))
    }
}
