struct ConnectionSource: Hashable, Sendable {
    /// The whole address, with the scope of a link-local one.
    let address: String
    /// The 64-bit network of an IPv6 address: a single host may have all of it, and so may a whole house. Otherwise the
    /// address.
    let network: String

    /// - Parameter host: a numeric address.
    init(host: String) {
        address = host
        guard host.contains(":"), !Self.isLinkLocal(host) else {
            network = host
            return
        }
        let groups = host.prefix { $0 != "%" }.split(separator: ":", omittingEmptySubsequences: false)
        // "::" stands for zeros, so fewer than four groups may precede it.
        network = groups.prefix(4).prefix { !$0.isEmpty }.joined(separator: ":") + "::/64"
    }

    /// fe80::/10 (RFC 4291 section 2.5.6): the prefix is equal on every segment, and shared by all hosts of a segment.
    private static func isLinkLocal(_ host: String) -> Bool {
        let first = host.prefix { $0 != ":" }.lowercased()
        return first.count == 4 && ["fe8", "fe9", "fea", "feb"].contains(first.prefix(3))
    }
}
