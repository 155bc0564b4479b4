package import LatticeCrypto

/// A key and the number of the next message under it (Noise section 5.1).
package struct CipherState: ~Copyable, Sendable {
    /// `nil` while nothing is encrypted: the beginning of a handshake.
    private var key: SecretBytes?
    package private(set) var nonce: UInt64

    package init() {
        key = nil
        nonce = 0
    }

    /// - Parameter nonce: where counting starts; other than 0 only in tests.
    package init(key: consuming SecretBytes, nonce: UInt64 = 0) {
        self.key = consume key
        self.nonce = nonce
    }

    package var hasKey: Bool {
        switch key {
        case .some: true
        case .none: false
        }
    }

    /// `EncryptWithAd`: seals `buffer[start...]` where it stands; without a key it stays as it is.
    package mutating func encrypt(
        authenticating data: [UInt8], in buffer: inout [UInt8], from start: Int
    ) throws(SessionError) {
        switch key {
        case .none: return
        case .some(let key):
            guard nonce < .max else { throw .nonceExhausted }
            AuthenticatedCipher.seal(key: key, nonce: nonce, authenticating: data, in: &buffer, from: start)
        }
        nonce += 1
    }

    /// `DecryptWithAd`: a failure leaves the number as it was (section 5.1).
    package mutating func decrypt(
        authenticating data: [UInt8], _ sealed: ArraySlice<UInt8>
    ) throws(SessionError) -> [UInt8] {
        let opened: [UInt8]
        switch key {
        case .none: return Array(sealed)
        case .some(let key):
            guard nonce < .max else { throw .nonceExhausted }
            do {
                opened = try AuthenticatedCipher.open(key: key, nonce: nonce, authenticating: data, sealed)
            } catch {
                throw SessionError(error)
            }
        }
        nonce += 1
        return opened
    }

    /// `Rekey` (section 11.3): the number goes on.
    package mutating func rekey() {
        guard let old = key.take() else { preconditionFailure("there is a key to replace") }
        key = AuthenticatedCipher.rekeyed(old)
    }
}
