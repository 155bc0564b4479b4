import CAvahi
import LatticeCore

/// What is announced early through Avahi's daemon, by its own library: `dns_sd.h` announces nothing without probing. Releasing
/// it takes it back.
// Safety: everything is made and freed by the one thread that owns this class (it is not Sendable). The loop is never run, for
// nothing that the daemon could tell matters in the few seconds of its life: so the library calls back only inside the calls made
// here, and those callbacks do nothing. `avahi_client_free` frees the group too; `avahi_entry_group_free` must not be called, for
// both of Avahi's libraries have one.
final class DaemonEarlyAnnouncement {
    private let loop: OpaquePointer
    private let client: OpaquePointer

    /// - Parameter interface: the kernel's number, or 0 for all that the daemon uses.
    /// - Returns: `nil` when the daemon does not take it; then we are found when our name is probed.
    init?(_ advertisement: Advertisement, interface: UInt32) {
        guard let loop = avahi_simple_poll_new() else { return nil }
        var code: Int32 = 0
        let client = avahi_client_new(avahi_simple_poll_get(loop), AvahiClientFlags(0), { _, _, _ in }, nil, &code)
        guard let client else {
            avahi_simple_poll_free(loop)
            return nil
        }
        (self.loop, self.client) = (loop, client)
        // A host name with anything escaped in it is not one that a machine ought to have (RFC 952).
        guard let host = avahi_client_get_host_name_fqdn(client).map({ String(cString: $0) }), !host.contains("\\")
        else { return nil }
        let announcement = EarlyAnnouncement(advertisement, host: DNSName(text: host))
        guard let group = avahi_entry_group_new(client, { _, _, _ in }, nil) else { return nil }
        let index = interface == 0 ? AvahiIfIndex(AVAHI_IF_UNSPEC) : AvahiIfIndex(interface)
        for record in announcement.records {
            let added = avahi_entry_group_add_record(
                group, index, AvahiProtocol(AVAHI_PROTO_UNSPEC), record.publishFlags, record.name.escaped,
                UInt16(AVAHI_DNS_CLASS_IN), record.type, EarlyAnnouncement.secondsToLive, record.data,
                record.data.count)
            guard added == 0 else { return nil }
        }
        guard avahi_entry_group_commit(group) == 0 else { return nil }
    }

    deinit {
        avahi_client_free(client)
        avahi_simple_poll_free(loop)
    }
}
