import CDNSSD
import Glibc
import LatticeCore

/// Replies of the system's responder, copied in its callbacks and not interpreted in this file.
enum DNSServiceReply {
    case registered(DNSServiceErrorType, label: [UInt8])
    case browsed(DNSServiceErrorType, isAdded: Bool, interface: UInt32, label: [UInt8])
    case resolved(DNSServiceErrorType, host: [UInt8], port: UInt16, txt: [UInt8])
    case addressed(DNSServiceErrorType, bytes: [UInt8])
}

/// One call into `dns_sd.h` and its replies, until it is released.
// Safety: the context that C holds is `DNSServiceReplies`, kept alive by the stored property of the call that made it, and
// `deinit` deallocates the reference first, after which the library calls back no more. The library calls back only
// inside `DNSServiceProcessResult`, on the thread that owns the call: the class is not Sendable, so no other thread can
// have it. Every pointer a callback gets is read only within that callback, up to the length it came with or its NUL,
// and may be NULL (when the daemon dies it is).
final class DNSServiceCall {
    private let reference: DNSServiceRef
    private let replies: DNSServiceReplies

    private init(_ begin: (inout DNSServiceRef?, UnsafeMutableRawPointer) -> DNSServiceErrorType)
        throws(DNSServiceError)
    {
        replies = DNSServiceReplies()
        var reference: DNSServiceRef?
        let code = begin(&reference, Unmanaged.passUnretained(replies).toOpaque())
        guard code == kDNSServiceErr_NoError, let reference else { throw DNSServiceError(code: code) }
        self.reference = reference
    }

    deinit {
        DNSServiceRefDeallocate(reference)
    }

    /// Poll this for reading.
    var descriptor: Int32 { DNSServiceRefSockFD(reference) }

    /// Lets the library process what has arrived on the descriptor.
    func process() throws(DNSServiceError) -> [DNSServiceReply] {
        let code = DNSServiceProcessResult(reference)
        guard code == kDNSServiceErr_NoError else { throw DNSServiceError(code: code) }
        defer { replies.waiting = [] }
        return replies.waiting
    }

    static func browse(interface: UInt32) throws(DNSServiceError) -> DNSServiceCall {
        try DNSServiceCall { reference, context in
            DNSServiceBrowse(
                &reference, 0, interface, Advertisement.serviceType, nil,
                { _, flags, interface, code, name, _, _, context in
                    let isAdded = flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
                    let label = copied(name)
                    note(.browsed(code, isAdded: isAdded, interface: interface, label: label), in: context)
                },
                context)
        }
    }

    static func register(
        label: String, port: UInt16, txt: [UInt8], interface: UInt32
    ) throws(DNSServiceError) -> DNSServiceCall {
        try DNSServiceCall { reference, context in
            DNSServiceRegister(
                &reference, 0, interface, label, Advertisement.serviceType, nil, nil, port.bigEndian,
                UInt16(txt.count), txt,
                { _, _, code, name, _, _, context in
                    note(.registered(code, label: copied(name)), in: context)
                },
                context)
        }
    }

    /// - Precondition: the label is UTF-8; the message bus ends a process that sends anything else.
    static func resolve(_ instance: ServiceInstance) throws(DNSServiceError) -> DNSServiceCall {
        try DNSServiceCall { reference, context in
            DNSServiceResolve(
                &reference, 0, instance.interface, instance.name, Advertisement.serviceType, "local",
                { _, _, _, code, _, host, port, length, txt, context in
                    let txt = txt.map { Array(UnsafeBufferPointer(start: $0, count: Int(length))) } ?? []
                    let port = UInt16(bigEndian: port)
                    note(.resolved(code, host: copied(host), port: port, txt: txt), in: context)
                },
                context)
        }
    }

    static func address(
        ofHost host: String, _ family: AddressFamily, interface: UInt32
    ) throws(DNSServiceError) -> DNSServiceCall {
        let type = UInt16(family == .v4 ? kDNSServiceType_A : kDNSServiceType_AAAA)
        return try DNSServiceCall { reference, context in
            DNSServiceQueryRecord(
                &reference, 0, interface, host, type, UInt16(kDNSServiceClass_IN),
                { _, flags, _, code, _, _, _, length, data, _, context in
                    guard flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0 || code != 0 else { return }
                    let bytes = data.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(length))) } ?? []
                    note(.addressed(code, bytes: bytes), in: context)
                },
                context)
        }
    }
}

/// Collects replies until the call that owns it takes them.
private final class DNSServiceReplies {
    var waiting: [DNSServiceReply] = []
}

/// Adds a reply to the call that `context` belongs to.
private func note(_ reply: DNSServiceReply, in context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<DNSServiceReplies>.fromOpaque(context).takeUnretainedValue().waiting.append(reply)
}

private func copied(_ text: UnsafePointer<CChar>?) -> [UInt8] {
    text.map { UnsafeRawBufferPointer(start: $0, count: strlen($0)).map { $0 } } ?? []
}

/// An error of the system's responder.
struct DNSServiceError: Error, Hashable {
    let code: DNSServiceErrorType

    static let absence = DNSServiceError(code: DNSServiceErrorType(kDNSServiceErr_Unknown))

    /// Avahi's library returns "unknown" if there is no daemon, or if it has gone.
    var isAbsence: Bool { self == .absence }

    var isNameConflict: Bool { code == DNSServiceErrorType(kDNSServiceErr_NameConflict) }

    var reason: String { "dns_sd error \(code)" }
}
