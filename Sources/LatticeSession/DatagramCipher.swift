import LatticeCrypto

/// Seals and opens what may be lost between the two sides of a session, in any order. Its keys come of the handshake of that
/// session, and last as long: no number is used twice under one key.
package struct DatagramCipher: ~Copyable, Sendable {
    static let label = Array("lattice datagram/1".utf8)

    private let outgoing: SecretBytes
    private let incoming: SecretBytes
    private var next: UInt64 = 0

    init(outgoing: consuming SecretBytes, incoming: consuming SecretBytes) {
        self.outgoing = outgoing
        self.incoming = incoming
    }

    package mutating func seal(
        _ payload: [UInt8], authenticating data: [UInt8]
    ) -> (sequence: UInt64, octets: [UInt8]) {
        defer { next += 1 }
        var octets = payload
        octets.reserveCapacity(payload.count + AuthenticatedCipher.tagBytes)
        AuthenticatedCipher.seal(key: outgoing, nonce: next, authenticating: data, in: &octets, from: 0)
        return (next, octets)
    }

    /// - Returns: `nil` if the other side did not seal this. Whether it has come before is for the caller to know.
    package func open(_ octets: [UInt8], sequence: UInt64, authenticating data: [UInt8]) -> [UInt8]? {
        do {
            return try AuthenticatedCipher.open(
                key: incoming, nonce: sequence, authenticating: data, octets[...])
        } catch {
            return nil  // Another session's, or a relay's invention.
        }
    }
}
