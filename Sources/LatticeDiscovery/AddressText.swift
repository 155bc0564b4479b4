/// Writes addresses from DNS records as hosts that can be dialled.
enum AddressText {
    /// - Parameters:
    ///   - bytes: 4 or 16 bytes of an A or AAAA record; `nil` for any other length.
    ///   - interface: where the address was received; an IPv6 link-local address is meaningless without it (RFC 4007
    ///     section 11).
    static func host(_ bytes: [UInt8], interface: UInt32) -> String? {
        guard let text = InterfaceReader.text(ofAddress: bytes) else { return nil }
        guard isLinkLocal(bytes) else { return text }
        return InterfaceReader.name(ofIndex: interface).map { "\(text)%\($0)" }
    }

    /// fe80::/10 (RFC 4291 section 2.4).
    private static func isLinkLocal(_ bytes: [UInt8]) -> Bool {
        bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }
}
