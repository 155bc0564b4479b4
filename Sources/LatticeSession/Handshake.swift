import LatticeCore
package import LatticeCrypto
package import LatticeWire

/// Turns two byte streams into a session: Noise with both sides' identities in messages 2 and 3.
///
/// Bytes in, bytes out; no socket, no clock. After an error it answers every message with the same error.
package struct Handshake: ~Copyable, Sendable {
    package typealias Role = NoiseHandshake.Role

    /// The unencrypted first byte of message 1.
    package static let version: UInt8 = 1
    /// Must be equal on both sides before the first message.
    package static let prologue = Array("lattice/1".utf8)
    /// The longest valid message has about 1,150 bytes; later versions may add to it.
    package static let messageBytesMax = 2_048

    private let role: Role
    private let introduction: Introduction
    private let hasMeshKey: Bool
    private let rekeyIntervalMessages: UInt64
    private var noise: NoiseHandshake
    private var remote: Introduction?
    private var failure: SessionError?
    private var hasBegun: Bool

    /// - Parameters:
    ///   - introduction: what we say about ourselves; made by `me`.
    ///   - prologue: `EndToEndSession.prologue` for one that ends in `finishEndToEnd`.
    ///   - rekeyIntervalMessages: only tests give another one.
    package init(
        role: Role, me: SessionIdentity, introduction: Introduction, prologue: [UInt8] = Self.prologue,
        rekeyIntervalMessages: UInt64 = Sealer.rekeyIntervalMessages
    ) {
        self.init(
            role: role, me: me, introduction: introduction, ephemeralKey: nil, prologue: prologue,
            rekeyIntervalMessages: rekeyIntervalMessages
        )
    }

    /// - Parameter ephemeralKey: only tests give one.
    package init(
        role: Role, me: SessionIdentity, introduction: Introduction, ephemeralKey: AgreementKey?,
        prologue: [UInt8] = Self.prologue, rekeyIntervalMessages: UInt64 = Sealer.rekeyIntervalMessages
    ) {
        precondition(introduction.peer == me.peer, "one introduces oneself")
        self.role = role
        self.introduction = introduction
        self.rekeyIntervalMessages = rekeyIntervalMessages
        hasMeshKey = me.meshKey != nil
        hasBegun = role == .responder
        if let meshKey = me.meshKey {
            noise = NoiseHandshake(
                .xxpsk0, role: role, prologue: prologue, staticKey: me.staticKey,
                preSharedKey: meshKey.preSharedKey(), ephemeralKey: ephemeralKey
            )
        } else {
            noise = NoiseHandshake(
                .xx, role: role, prologue: prologue, staticKey: me.staticKey, ephemeralKey: ephemeralKey
            )
        }
    }

    package var isComplete: Bool { noise.isComplete && failure == nil }

    /// - Returns: the initiator's first message with its length prefix; `nil` for a responder, which waits for one.
    package mutating func begin() -> [UInt8]? {
        guard !hasBegun else { return nil }
        hasBegun = true
        do {
            return Self.prefixed(try noise.write(payload: [Self.version]))
        } catch {
            preconditionFailure("the first message agrees on nothing and cannot fail: \(error)")
        }
    }

    /// Takes one message without its length prefix.
    ///
    /// - Returns: the answer to send, with its length prefix; `nil` if there is none.
    package mutating func receive(_ message: ArraySlice<UInt8>) throws(SessionError) -> [UInt8]? {
        if let failure { throw failure }
        do throws(SessionError) {
            return try answer(message)
        } catch {
            failure = error
            throw error
        }
    }

    /// - Precondition: `isComplete`.
    package consuming func finish() -> EstablishedSession {
        precondition(isComplete, "a session comes of a complete handshake")
        guard let remote, let hash = Bytes32(noise.handshakeHash) else {
            preconditionFailure("a complete handshake has heard who is there and has a hash")
        }
        let (role, rekeyIntervalMessages) = (role, rekeyIntervalMessages)
        let ciphers = noise.split()
        switch role {
        case .initiator:
            return EstablishedSession(
                peer: remote, sealer: Sealer(ciphers.fromInitiator, rekeyIntervalMessages: rekeyIntervalMessages),
                opener: Opener(ciphers.fromResponder), handshakeHash: hash
            )
        case .responder:
            return EstablishedSession(
                peer: remote, sealer: Sealer(ciphers.fromResponder, rekeyIntervalMessages: rekeyIntervalMessages),
                opener: Opener(ciphers.fromInitiator), handshakeHash: hash
            )
        }
    }

    /// Like `finish`, for messages without frames.
    package consuming func finishEndToEnd() -> EndToEndSession {
        precondition(isComplete, "a session comes of a complete handshake")
        guard let remote else { preconditionFailure("a complete handshake has heard who is there") }
        let (role, interval) = (role, rekeyIntervalMessages)
        let keys = noise.derive(DatagramCipher.label)
        let ciphers = noise.split()
        let first = keys.part(0..<32)
        let second = keys.part(32..<64)
        switch role {
        case .initiator:
            return EndToEndSession(
                peer: remote, outgoing: ciphers.fromInitiator, incoming: ciphers.fromResponder,
                datagrams: DatagramCipher(outgoing: first, incoming: second), rekeyIntervalMessages: interval)
        case .responder:
            return EndToEndSession(
                peer: remote, outgoing: ciphers.fromResponder, incoming: ciphers.fromInitiator,
                datagrams: DatagramCipher(outgoing: second, incoming: first), rekeyIntervalMessages: interval)
        }
    }

    private mutating func answer(_ message: ArraySlice<UInt8>) throws(SessionError) -> [UInt8]? {
        guard hasBegun, !noise.isComplete else { throw .unexpectedMessage }
        guard message.count <= Self.messageBytesMax else {
            throw .tooLong(bytes: message.count, bytesMax: Self.messageBytesMax)
        }
        let payload = try read(message)
        if role == .responder, remote == nil, noise.isOurTurn {
            try checkVersion(payload)
        } else {
            remote = try checkedIntroduction(payload)
        }
        return noise.isOurTurn ? Self.prefixed(try noise.write(payload: introduction.bytes)) : nil
    }

    /// In a closed mesh the first message decrypts only with the mesh key.
    private mutating func read(_ message: ArraySlice<UInt8>) throws(SessionError) -> [UInt8] {
        let isFirst = noise.remoteStatic == nil
        do throws(SessionError) {
            return try noise.read(message)
        } catch .decryptionFailed where hasMeshKey && isFirst {
            throw .wrongMeshKey
        }
    }

    /// More bytes may follow the version, for later versions.
    private func checkVersion(_ payload: [UInt8]) throws(SessionError) {
        guard let version = payload.first else { throw .wire(.truncated(field: "protocol version")) }
        guard version == Self.version else { throw .wrongVersion(version) }
    }

    private func checkedIntroduction(_ payload: [UInt8]) throws(SessionError) -> Introduction {
        guard let staticKey = noise.remoteStatic else { preconditionFailure("messages 2 and 3 carry static keys") }
        let introduction: Introduction
        do {
            introduction = try Introduction(decoding: payload[...])
        } catch {
            throw .wire(error)
        }
        do {
            try SignatureVerifier.verify(
                introduction.signature, by: introduction.peer, context: Introduction.signatureContext, staticKey.bytes
            )
        } catch {
            throw SessionError(error)
        }
        return introduction
    }

    private static func prefixed(_ message: [UInt8]) -> [UInt8] {
        [UInt8(message.count >> 8), UInt8(message.count & 255)] + message
    }
}
