package import LatticeCore
package import LatticeCrypto

/// One side of a Noise handshake (section 5.3), for patterns without keys known beforehand.
///
/// It knows nothing of Lattice: payloads are bytes, and messages have no length prefix.
package struct NoiseHandshake: ~Copyable, Sendable {
    package enum Role: Hashable, Sendable {
        case initiator
        case responder
    }

    private let role: Role
    private let pattern: NoisePattern
    private let staticKey: AgreementKey
    private let preSharedKey: SecretBytes?
    private var symmetric: SymmetricState
    private var ephemeralKey: AgreementKey?
    private var remoteEphemeral: Bytes32?
    /// The static key that the other side proved to hold; `nil` until it was sent.
    package private(set) var remoteStatic: Bytes32?
    private var messagesDone = 0

    /// - Parameter ephemeralKey: only tests pass one; otherwise it is generated when it is sent.
    package init(
        _ pattern: NoisePattern, role: Role, prologue: [UInt8], staticKey: AgreementKey,
        preSharedKey: consuming SecretBytes? = nil, ephemeralKey: AgreementKey? = nil
    ) {
        switch preSharedKey {
        case .none: precondition(!pattern.hasPreSharedKey, "a pattern with a psk needs one")
        case .some(let key):
            precondition(pattern.hasPreSharedKey && key.count == 32, "a psk has 32 bytes and its place in the pattern")
        }
        self.pattern = pattern
        self.role = role
        self.staticKey = staticKey
        self.preSharedKey = preSharedKey
        self.ephemeralKey = ephemeralKey
        symmetric = SymmetricState(protocolName: pattern.protocolName)
        symmetric.mixHash(prologue[...])
    }

    package var isComplete: Bool { messagesDone == pattern.messages.count }

    /// Whether we write the next message.
    package var isOurTurn: Bool { !isComplete && (messagesDone % 2 == 0) == (role == .initiator) }

    /// Identifies this session after the last message; equal on both sides and unique (section 11.2).
    package var handshakeHash: [UInt8] { symmetric.hash }

    /// `WriteMessage`.
    package mutating func write(payload: [UInt8]) throws(SessionError) -> [UInt8] {
        precondition(isOurTurn, "the sides take turns")
        var message: [UInt8] = []
        message.reserveCapacity(payload.count + 128)
        for token in pattern.messages[messagesDone] {
            switch token {
            case .e: writeEphemeral(to: &message)
            case .s: try symmetric.encryptAndHash(staticKey.publicKey.bytes, to: &message)
            case .ee, .es, .se, .psk: try mix(token)
            }
        }
        try symmetric.encryptAndHash(payload, to: &message)
        messagesDone += 1
        return message
    }

    /// `ReadMessage`. After an error the handshake must not be used again.
    package mutating func read(_ message: ArraySlice<UInt8>) throws(SessionError) -> [UInt8] {
        precondition(!isComplete && !isOurTurn, "the sides take turns")
        var rest = message
        for token in pattern.messages[messagesDone] {
            switch token {
            case .e: readEphemeral(try take(32, from: &rest))
            case .s:
                let sealed = try take(symmetric.hasKey ? 32 + AuthenticatedCipher.tagBytes : 32, from: &rest)
                remoteStatic = Bytes32(try symmetric.decryptAndHash(sealed))
            case .ee, .es, .se, .psk: try mix(token)
            }
        }
        let payload = try symmetric.decryptAndHash(rest)
        messagesDone += 1
        return payload
    }

    /// More keys of this session, as `SymmetricState.derive`.
    package func derive(_ label: [UInt8]) -> SecretBytes {
        precondition(isComplete, "keys come of a complete handshake")
        return symmetric.derive(label)
    }

    package consuming func split() -> CipherPair {
        precondition(isComplete, "ciphers come of a complete handshake")
        return symmetric.split()
    }

    private mutating func writeEphemeral(to message: inout [UInt8]) {
        let key = ephemeralKey ?? .generate()
        ephemeralKey = key
        message += key.publicKey.bytes
        mixEphemeral(key.publicKey.bytes)
    }

    private mutating func readEphemeral(_ octets: ArraySlice<UInt8>) {
        remoteEphemeral = Bytes32(octets)
        mixEphemeral(Array(octets))
    }

    /// Section 9.2: with a psk the ephemeral keys are mixed into the key, too, so that no key is used twice.
    private mutating func mixEphemeral(_ publicKey: [UInt8]) {
        symmetric.mixHash(publicKey[...])
        if pattern.hasPreSharedKey { symmetric.mixKey(SecretBytes(copying: publicKey)) }
    }

    private mutating func mix(_ token: NoisePattern.Token) throws(SessionError) {
        let (ours, theirs): (AgreementKey?, Bytes32?)
        switch (token, role) {
        case (.ee, _): (ours, theirs) = (ephemeralKey, remoteEphemeral)
        case (.es, .initiator), (.se, .responder): (ours, theirs) = (ephemeralKey, remoteStatic)
        case (.es, .responder), (.se, .initiator): (ours, theirs) = (staticKey, remoteEphemeral)
        case (.psk, _):
            mixPreSharedKey()
            return
        case (.e, _), (.s, _): preconditionFailure("keys are sent, not mixed")
        }
        guard let ours, let theirs else { preconditionFailure("a pattern sends keys before it uses them") }
        do {
            symmetric.mixKey(try ours.agree(with: theirs))
        } catch {
            throw SessionError(error)
        }
    }

    private mutating func mixPreSharedKey() {
        switch preSharedKey {
        case .none: preconditionFailure("checked when the handshake was made")
        case .some(let key): symmetric.mixKeyAndHash(key)
        }
    }

    /// A message too short for its keys counts as changed.
    private func take(_ count: Int, from rest: inout ArraySlice<UInt8>) throws(SessionError) -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw .decryptionFailed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
