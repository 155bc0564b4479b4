package import NIOCore

extension Channel {
    /// The IP address of the other side; `nil` if it has none. A socket that listens for both families sees IPv4
    /// addresses as parts of IPv6 (RFC 4291, section 2.5.5.2); here they are IPv4.
    package var remoteHost: String? { remoteAddress?.ipAddress.map(Self.plain) }

    /// The same of this side.
    package var localHost: String? { localAddress?.ipAddress.map(Self.plain) }

    static func plain(_ address: String) -> String {
        let mapped = "::ffff:"
        guard address.lowercased().hasPrefix(mapped), address.contains(".") else { return address }
        return String(address.dropFirst(mapped.count))
    }
}
