package import LatticeCore

/// A peer and an address for it, as a neighbour passes it on: `peer:32 host:bytes port:2`.
///
/// Hearsay until a handshake with that peer proves it. The host is numeric and never a name, because the words of
/// strangers must not reach a name server.
package struct PeerCard: Hashable, Sendable {
    /// The longest text of an IPv6 address: six groups of four digits and a dotted quad.
    package static let hostBytesMax = 45

    package let peer: PeerID
    /// Empty with port 0 in a card that its own peer sends.
    package let address: PeerAddress
    /// Computed once, because cards are passed on often.
    package let reach: Reach

    /// - Returns: `nil` unless the host is a numeric IPv4 or IPv6 address without a scope and the port 1–65535, or the
    ///   host is empty and the port 0.
    package init?(peer: PeerID, address: PeerAddress) {
        let isOwn = address.host.isEmpty && address.port == 0
        guard isOwn || address.port > 0 && Self.isNumeric(address.host) else { return nil }
        self.init(peer: peer, checked: address)
    }

    private init(peer: PeerID, checked address: PeerAddress) {
        self.peer = peer
        self.address = address
        reach = Self.reach(of: address.host)
    }

    /// "Reach me at the address that you see." Valid only if `peer` itself sends it; a peer seldom knows by which
    /// address others reach it.
    package static func own(_ peer: PeerID) -> PeerCard {
        PeerCard(peer: peer, checked: PeerAddress(host: "", port: 0))
    }

    package var isOwn: Bool { address.port == 0 }

    private static func isNumeric(_ host: String) -> Bool {
        guard host.utf8.count <= hostBytesMax else { return false }
        return host.utf8.contains(UInt8(ascii: ":")) ? isIPv6(host) : isIPv4(host[...])
    }

    /// Four numbers 0–255 in their shortest form: some systems read a leading zero as octal.
    private static func isIPv4(_ text: Substring) -> Bool {
        let numbers = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count == 4
            && numbers.allSatisfy { digits in
                guard (1...3).contains(digits.count), digits.allSatisfy(isDigit) else { return false }
                let isShortest = digits.count == 1 || digits.first != UInt8(ascii: "0")
                return isShortest && digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
            }
    }

    /// RFC 4291 section 2.2 in all its forms. A check of the characters alone is not enough: `a:b:c.de` passes it, is
    /// no address, and would be looked up as a name.
    private static func isIPv6(_ host: String) -> Bool {
        let halves = host.split(separator: "::", omittingEmptySubsequences: false)
        switch halves.count {
        case 1: return groupCount(halves[0], endsAddress: true) == 8
        case 2:
            guard let before = groupCount(halves[0], endsAddress: false) else { return false }
            guard let after = groupCount(halves[1], endsAddress: true) else { return false }
            return before + after < 8
        default: return false
        }
    }

    /// The number of 16-bit groups; a dotted quad at the end counts as two.
    ///
    /// - Returns: `nil` if the text is malformed.
    private static func groupCount(_ text: Substring, endsAddress: Bool) -> Int? {
        if text.isEmpty { return 0 }
        var groups = text.split(separator: ":", omittingEmptySubsequences: false)
        var count = groups.count
        if endsAddress, let last = groups.last, isIPv4(last) {
            groups.removeLast()
            count += 1
        }
        let areHex = groups.allSatisfy { (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy(isHexDigit) }
        return areHex ? count : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
