import LatticeCore

extension PeerCard {
    /// Whom an address reaches, by its meaning: an address has many spellings, and strangers choose theirs
    /// (`::ffff:7f00:1` and `0:0:0:0:0:0:0:1` both mean the machine that uses them).
    package enum Reach: Hashable, Sendable {
        /// The machine that uses the address (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
        case loopback
        case oneMachine
        /// Unspecified, multicast or broadcast (RFC 1122 section 3.2.1.3, RFC 4291 sections 2.5.2 and 2.7), link-local,
        /// which means another machine on each segment (section 2.5.6), or empty.
        case nobody
    }

    /// Whether this address means the machine that uses it.
    package static func isLoopback(_ host: String) -> Bool {
        reach(of: host) == .loopback
    }

    static func reach(of host: String) -> Reach {
        if host.isEmpty { return .nobody }
        if let octets = octets(host[...]) { return reach(ofIPv4: octets[0]) }
        guard let groups = groups(host) else { return .nobody }
        if groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0xFFFF { return reach(ofIPv4: UInt8(groups[6] >> 8)) }
        if groups[..<6].allSatisfy({ $0 == 0 }) {
            // Anything else here is an IPv4 address in a deprecated form (RFC 4291 section 2.5.5.1).
            return groups[6] == 0 && groups[7] == 1 ? .loopback : .nobody
        }
        return groups[0] >= 0xFF00 || groups[0] & 0xFFC0 == 0xFE80 ? .nobody : .oneMachine
    }

    private static func reach(ofIPv4 first: UInt8) -> Reach {
        switch first {
        case 127: .loopback
        case 0, 224...: .nobody
        default: .oneMachine
        }
    }

    private static func octets(_ text: Substring) -> [UInt8]? {
        let octets = text.split(separator: ".").compactMap { UInt8($0) }
        return octets.count == 4 ? octets : nil
    }

    /// The eight groups of an IPv6 address (RFC 4291 section 2.2).
    private static func groups(_ host: String) -> [UInt16]? {
        let halves = host.split(separator: "::", omittingEmptySubsequences: false).map(groups(of:))
        guard let before = halves[0] else { return nil }
        if halves.count == 1 { return before.count == 8 ? before : nil }
        guard halves.count == 2, let after = halves[1], before.count + after.count < 8 else { return nil }
        return before + [UInt16](repeating: 0, count: 8 - before.count - after.count) + after
    }

    private static func groups(of half: Substring) -> [UInt16]? {
        var groups: [UInt16] = []
        for text in half.split(separator: ":") {
            if let octets = octets(text) {
                groups.append(UInt16(octets[0]) << 8 | UInt16(octets[1]))
                groups.append(UInt16(octets[2]) << 8 | UInt16(octets[3]))
            } else {
                guard let group = UInt16(text, radix: 16) else { return nil }
                groups.append(group)
            }
        }
        return groups
    }
}
