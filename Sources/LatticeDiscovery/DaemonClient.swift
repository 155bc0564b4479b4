import CAvahi
import LatticeCore

/// A connection to Avahi's daemon through its own library, for what `dns_sd.h` cannot do.
// Safety: everything is created and freed by the one thread that owns this class (it is not Sendable). The loop is
// never run, because nothing that the daemon reports matters in this short life: the library calls back only inside the
// calls made here, and those callbacks do nothing. `avahi_client_free` frees the group, too; `avahi_entry_group_free`
// must not be called, because both of Avahi's libraries define it.
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

    /// The machine's host name, whose addresses the daemon announces; `nil` while it is unknown.
    var hostName: String? {
        avahi_client_get_host_name_fqdn(client).map { String(cString: $0) }
    }

    /// Announces records until this is released.
    ///
    /// - Parameter interface: the kernel's index, or 0 for all that the daemon uses.
    /// - Returns: whether the daemon accepts it.
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

    /// Announces us early, because `dns_sd.h` cannot announce without probing.
    ///
    /// - Returns: the client, whose release withdraws the announcement; `nil` if the daemon refuses. Then we are found
    ///   once our name is probed.
    static func announcing(_ advertisement: Advertisement, interface: UInt32) -> DaemonClient? {
        do throws(AvahiError) {
            let client = try DaemonClient()
            // A machine should not have a host name with escaped characters (RFC 952).
            guard let host = client.hostName, !host.contains("\\") else { return nil }
            let announcement = EarlyAnnouncement(advertisement, host: DNSName(text: host), by: .system)
            return client.announce(announcement, interface: interface) ? client : nil
        } catch {
            return nil
        }
    }
}
