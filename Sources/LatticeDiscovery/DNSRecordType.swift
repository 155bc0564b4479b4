/// The record types for finding peers (RFC 1035 section 3.2.2, RFC 3596, RFC 2782).
package enum DNSRecordType: UInt16, Sendable {
    case a = 1
    case ptr = 12
    case txt = 16
    case aaaa = 28
    case srv = 33
}
