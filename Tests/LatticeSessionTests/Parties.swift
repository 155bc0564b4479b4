import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire
import Testing

/// Two people with fixed keys, so that every handshake between them is the same bytes.
struct Party: Sendable {
    let me: SessionIdentity
    private let withKey: @Sendable (MeshKey?) -> SessionIdentity
    let introduction: Introduction
    let ephemeralKey: AgreementKey

    init(_ name: String, seed: UInt8, signedFor other: AgreementKey? = nil) throws {
        let identity = Identity(seed: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
        let staticKey = AgreementKey(secret: SecretBytes(copying: [UInt8](repeating: seed &+ 1, count: 32)))
        let signed = (other ?? staticKey).publicKey.bytes
        let signature = identity.sign(context: Introduction.signatureContext, signed)
        let (peer, key) = (identity.peer, staticKey)
        withKey = { SessionIdentity(peer: peer, staticKey: key, signature: signature, meshKey: $0) }
        me = withKey(nil)
        introduction = me.introduction(
            name: try PeerName(name), instance: UInt64(seed), clock: WallTime(milliseconds: 1_700_000_000_000),
            port: 4_000
        )
        ephemeralKey = AgreementKey(secret: SecretBytes(copying: [UInt8](repeating: seed &+ 2, count: 32)))
    }

    func handshake(_ role: Handshake.Role, psk: Bytes32? = nil, rekeyIntervalMessages: UInt64 = 1 << 20) -> Handshake {
        Handshake(
            role: role, me: withKey(psk.map { MeshKey(master: SecretBytes(copying: $0.bytes)) }),
            introduction: introduction, ephemeralKey: ephemeralKey,
            rekeyIntervalMessages: rekeyIntervalMessages
        )
    }
}

/// What came of a handshake whose messages somebody may have changed on the way.
struct HandshakeOutcome: Equatable {
    var initiatorIsComplete = false
    var responderIsComplete = false
    var initiatorError: SessionError?
    var responderError: SessionError?
    /// As they were sent, without their length prefixes.
    var messages: [[UInt8]] = []
}

/// Runs a handshake to its end or first error; `change` sees each message on its way.
func shakeHands(
    _ alice: Party, _ bob: Party, psk: (Bytes32?, Bytes32?) = (nil, nil),
    change: (Int, inout [UInt8]) -> Void = { _, _ in }
) throws -> HandshakeOutcome {
    var outcome = HandshakeOutcome()
    var initiator = alice.handshake(.initiator, psk: psk.0)
    var responder = bob.handshake(.responder, psk: psk.1)
    var waiting = initiator.begin()
    for index in 0..<3 {
        guard let sent = waiting else { break }
        var message = try withoutPrefix(sent)
        outcome.messages.append(message)
        change(index, &message)
        do throws(SessionError) {
            waiting = index % 2 == 0 ? try responder.receive(message[...]) : try initiator.receive(message[...])
        } catch {
            if index % 2 == 0 { outcome.responderError = error } else { outcome.initiatorError = error }
            break
        }
    }
    outcome.initiatorIsComplete = initiator.isComplete
    outcome.responderIsComplete = responder.isComplete
    return outcome
}

// The macros of Testing cannot look into values that cannot be copied; these can.

func begin(_ handshake: inout Handshake) throws -> [UInt8] {
    let first = handshake.begin()
    return try #require(first)
}

func answer(of handshake: inout Handshake, to message: ArraySlice<UInt8>) throws -> [UInt8] {
    let answer = try handshake.receive(message)
    return try #require(answer)
}

func expectNoAnswer(of handshake: inout Handshake, to message: ArraySlice<UInt8>) throws {
    let answer = try handshake.receive(message)
    #expect(answer == nil)
}

/// Both ends of one session.
struct Channel: ~Copyable {
    var alice: EstablishedSession
    var bob: EstablishedSession

    init(psk: Bytes32? = nil, rekeyIntervalMessages: UInt64 = 1 << 20) throws {
        let (alice, bob) = (try Party("alice", seed: 1), try Party("bob", seed: 100))
        var initiator = alice.handshake(.initiator, psk: psk, rekeyIntervalMessages: rekeyIntervalMessages)
        var responder = bob.handshake(.responder, psk: psk, rekeyIntervalMessages: rekeyIntervalMessages)
        let first = try begin(&initiator)
        let second = try answer(of: &responder, to: try withoutPrefix(first)[...])
        let third = try answer(of: &initiator, to: try withoutPrefix(second)[...])
        try expectNoAnswer(of: &responder, to: try withoutPrefix(third)[...])
        self.alice = initiator.finish()
        self.bob = responder.finish()
    }
}

func withoutPrefix(_ message: [UInt8]) throws -> [UInt8] {
    try #require(message.count >= 2)
    #expect(Int(message[0]) << 8 | Int(message[1]) == message.count - 2)
    return Array(message.dropFirst(2))
}

/// What one appended buffer holds.
func split(_ bytes: [UInt8]) throws -> [[UInt8]] {
    var splitter = MessageSplitter()
    splitter.append(bytes)
    var messages: [[UInt8]] = []
    while let message = try splitter.next() { messages.append(Array(message)) }
    #expect(splitter.pendingBytes == 0)
    return messages
}

func failure(of body: () throws(SessionError) -> Void) -> SessionError? {
    do {
        try body()
        return nil
    } catch {
        return error
    }
}

let meshKey = Bytes32([UInt8](repeating: 77, count: 32))
