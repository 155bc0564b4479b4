import CSodium
import LatticeCore

// Safety: pointers are used only within the closure that received them, with the length of what they point to; the
// signed message is assembled in a buffer as long as its parts, and each part is copied to its own range.

/// Signatures at the end of what they sign, as in records. A mesh does little else, so nothing is allocated on the
/// heap: the signed message is assembled on the stack.
extension Sodium {
    private static let signatureBytes = 64

    /// Whether the last 64 bytes are a signature of `context` and all bytes before them; see `isSigned`.
    static func isSignedAtEnd(_ bytes: [UInt8], context: [UInt8], publicKey: Bytes32) -> Bool {
        start()
        let count = bytes.count - signatureBytes
        guard count >= 0 else { return false }
        return bytes.withUnsafeBufferPointer { octets in
            withMessage(context, UnsafeBufferPointer(rebasing: octets[..<count])) { message in
                withOctets(of: publicKey) { key in
                    guard let base = octets.baseAddress else { return false }
                    return crypto_sign_verify_detached(
                        base + count, message.baseAddress, UInt64(message.count), key) == 0
                }
            }
        }
    }

    /// Appends a signature of `context` and all bytes present.
    static func appendSignature(to bytes: inout [UInt8], context: [UInt8], signingKey: borrowing SecretBytes) {
        precondition(signingKey.count == 64, "a signing key is a seed and a public key")
        let pointer = signingKey.pointer
        let signature = bytes.withUnsafeBufferPointer { octets in
            withMessage(context, octets) { message in
                filled(signatureBytes) {
                    crypto_sign_detached($0, nil, message.baseAddress, UInt64(message.count), pointer)
                }
            }
        }
        bytes += signature
    }

    private static func withMessage<Result>(
        _ context: [UInt8], _ octets: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        let count = context.count + octets.count
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { room in
            _ = room[..<context.count].initialize(fromContentsOf: context)
            _ = room[context.count..<count].initialize(fromContentsOf: octets)
            return body(UnsafeBufferPointer(room))
        }
    }

    private static func withOctets<Result>(of value: Bytes32, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        let words = (
            value.words.0.bigEndian, value.words.1.bigEndian, value.words.2.bigEndian, value.words.3.bigEndian
        )
        return withUnsafePointer(to: words) {
            $0.withMemoryRebound(to: UInt8.self, capacity: 32) { body($0) }
        }
    }
}
