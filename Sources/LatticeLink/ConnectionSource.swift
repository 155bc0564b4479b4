/// Where a connection comes from.
struct ConnectionSource: Hashable, Sendable {
    /// The whole address, with the scope of a link-local one.
    let address: String
    /// The network of an IPv6 address, 64 bits: one host may have all of it, and so may a whole house. Elsewhere the address.
    let network: String

    /// - Parameter host: a numeric address.
    init(host: String) {
        address = host
        guard host.contains(":"), !Self.isLinkLocal(host) else {
            network = host
            return
        }
        let groups = host.prefix { $0 != "%" }.split(separator: ":", omittingEmptySubsequences: false)
        // "::" stands for zeroes, and what precedes it is then shorter than four groups.
        network = groups.prefix(4).prefix { !$0.isEmpty }.joined(separator: ":") + "::/64"
    }

    /// fe80::/10 (RFC 4291 section 2.5.6): the prefix is the same on every segment, and everybody on a segment has it.
    private static func isLinkLocal(_ host: String) -> Bool {
        let first = host.prefix { $0 != ":" }.lowercased()
        return first.count == 4 && ["fe8", "fe9", "fea", "feb"].contains(first.prefix(3))
    }
}
