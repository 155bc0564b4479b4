import CAvahi
import LatticeCore

/// A connection with Avahi's daemon by its own library, for what `dns_sd.h` cannot do.
// Safety: everything is made and freed by the one thread that owns this class (it is not Sendable). The loop is never run, for
// nothing that the daemon could tell matters in the short life of this: so the library calls back only inside the calls made
// here, and those callbacks do nothing. `avahi_client_free` frees a group too; `avahi_entry_group_free` must not be called, for
// both of Avahi's libraries have one.
final class DaemonClient {
    private let loop: OpaquePointer
    private let client: OpaquePointer

    init() throws(AvahiError) {
        guard let loop = avahi_simple_poll_new() else { throw AvahiError(code: Int32(AVAHI_ERR_NO_MEMORY)) }
        var code: Int32 = 0
        let client = avahi_client_new(avahi_simple_poll_get(loop), AvahiClientFlags(0), { _, _, _ in }, nil, &code)
        guard let client else {
            avahi_simple_poll_free(loop)
            throw AvahiError(code: code)
        }
        (self.loop, self.client) = (loop, client)
    }

    deinit {
        avahi_client_free(client)
        avahi_simple_poll_free(loop)
    }

    /// The machine's own, whose addresses the daemon announces; `nil` while it does not say.
    var hostName: String? {
        avahi_client_get_host_name_fqdn(client).map { String(cString: $0) }
    }

    /// Until this is released.
    ///
    /// - Parameter interface: the kernel's number, or 0 for all that the daemon uses.
    /// - Returns: whether the daemon takes it.
    func announce(_ announcement: EarlyAnnouncement, interface: UInt32) -> Bool {
        guard let group = avahi_entry_group_new(client, { _, _, _ in }, nil) else { return false }
        let index = interface == 0 ? AvahiIfIndex(AVAHI_IF_UNSPEC) : AvahiIfIndex(interface)
        for record in announcement.records {
            let added = avahi_entry_group_add_record(
                group, index, AvahiProtocol(AVAHI_PROTO_UNSPEC), record.publishFlags, record.name.escaped,
                UInt16(AVAHI_DNS_CLASS_IN), record.type.rawValue, EarlyAnnouncement.secondsToLive, record.data,
                record.data.count)
            guard added == 0 else { return false }
        }
        return avahi_entry_group_commit(group) == 0
    }

    /// Announces us early: `dns_sd.h` announces nothing without probing.
    ///
    /// - Returns: whose release takes it back; `nil` when the daemon does not take it, and we are found when our name is probed.
    static func announcing(_ advertisement: Advertisement, interface: UInt32) -> DaemonClient? {
        do throws(AvahiError) {
            let client = try DaemonClient()
            // A host name with anything escaped in it is not one that a machine ought to have (RFC 952).
            guard let host = client.hostName, !host.contains("\\") else { return nil }
            let announcement = EarlyAnnouncement(advertisement, host: DNSName(text: host), by: .system)
            return client.announce(announcement, interface: interface) ? client : nil
        } catch {
            return nil
        }
    }
}
