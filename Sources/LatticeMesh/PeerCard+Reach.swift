import LatticeCore
import LatticeWire

extension PeerCard {
    var isLoopback: Bool { Self.isLoopback(address.host) }

    /// Whether a link can be made to it: not to "any", to a group or to everybody (RFC 1122 section 3.2.1.3, RFC 4291
    /// sections 2.5.2 and 2.7), and not to an address that means another machine on every segment (section 2.5.6).
    var isOfOneMachine: Bool {
        let host = address.host.lowercased()
        if host.contains(":") { return host != "::" && !host.hasPrefix("ff") && !host.hasPrefix("fe80:") }
        guard let first = host.split(separator: ".").first.flatMap({ UInt8($0) }) else { return false }
        return first > 0 && first < 224
    }

    /// Whether a numeric address is of the very machine that uses it (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
    static func isLoopback(_ host: String) -> Bool {
        host.hasPrefix("127.") || host == "::1"
    }
}
