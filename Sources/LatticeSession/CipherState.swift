package import LatticeCrypto

/// A key and the nonce of its next message (Noise section 5.1).
package struct CipherState: ~Copyable, Sendable {
    /// `nil` at the beginning of a handshake, where nothing is encrypted.
    private var key: SecretBytes?
    package private(set) var nonce: UInt64

    package init() {
        key = nil
        nonce = 0
    }

    /// - Parameter nonce: the first nonce; only tests pass one.
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

    /// `EncryptWithAd`: encrypts `buffer[start...]` in place; without a key it does nothing.
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

    /// `DecryptWithAd`: a failure does not change the nonce (section 5.1).
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

    /// `Rekey` (section 11.3): the nonce continues.
    package mutating func rekey() {
        guard let old = key.take() else { preconditionFailure("there is a key to replace") }
        key = AuthenticatedCipher.rekeyed(old)
    }
}
