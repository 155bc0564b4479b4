import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire
import Testing

struct HandshakeTests {
    let alice: Party
    let bob: Party

    init() throws {
        alice = try Party("alice", seed: 1)
        bob = try Party("bob", seed: 100)
    }

    @Test func bothSidesHearWhoIsThere() throws {
        let channel = try Channel()
        let heard = [channel.alice.peer, channel.bob.peer]
        #expect(heard == [bob.introduction, alice.introduction])
    }

    @Test(arguments: [nil, meshKey])
    func bothSidesHaveOneHash(psk: Bytes32?) throws {
        let channel = try Channel(psk: psk)
        let (ours, theirs) = (channel.alice.handshakeHash, channel.bob.handshakeHash)
        #expect(ours == theirs)
    }

    @Test func everyHandshakeHasItsOwnKeys() throws {
        let me = SessionIdentity(identity: .generate())
        let introduction = me.introduction(
            name: try PeerName("eve"), instance: 1, clock: WallTime(milliseconds: 0), port: 0
        )
        var first = Handshake(role: .initiator, me: me, introduction: introduction)
        var second = Handshake(role: .initiator, me: me, introduction: introduction)
        let messages = [first.begin(), second.begin()]
        #expect(messages[0] != messages[1])
    }

    @Test func theFirstMessageIsAKeyAndTheVersion() throws {
        let outcome = try shakeHands(alice, bob)
        #expect(outcome.messages[0] == alice.ephemeralKey.publicKey.bytes + [1])
        #expect(outcome.messages[1].count == 32 + 48 + bob.introduction.bytes.count + 16)
        #expect(outcome.messages[2].count == 48 + alice.introduction.bytes.count + 16)
    }

    @Test func aRealIdentityShakesHandsWithItself() throws {
        let me = SessionIdentity(identity: .generate())
        let introduction = me.introduction(
            name: try PeerName("me"), instance: 7, clock: WallTime(milliseconds: 0), port: 1
        )
        var initiator = Handshake(role: .initiator, me: me, introduction: introduction)
        var responder = Handshake(role: .responder, me: me, introduction: introduction)
        let first = try begin(&initiator)
        let second = try answer(of: &responder, to: first[2...])
        let third = try answer(of: &initiator, to: second[2...])
        try expectNoAnswer(of: &responder, to: third[2...])
        let heard = initiator.finish()
        let peer = heard.peer
        #expect(peer == introduction)
    }

    @Test func onlyAnInitiatorBeginsAndOnlyOnce() throws {
        var responder = bob.handshake(.responder)
        var initiator = alice.handshake(.initiator)
        _ = try begin(&initiator)
        let others = [initiator.begin(), responder.begin()]
        #expect(others == [nil, nil])
    }

    @Test func aMessageBeforeBeginIsRefused() {
        var initiator = alice.handshake(.initiator)
        #expect(failure { () throws(SessionError) in _ = try initiator.receive([1]) } == .unexpectedMessage)
    }

    @Test func aMessageAfterTheLastIsRefused() throws {
        var initiator = alice.handshake(.initiator)
        var responder = bob.handshake(.responder)
        let first = try begin(&initiator)
        let second = try answer(of: &responder, to: first[2...])
        let third = try answer(of: &initiator, to: second[2...])
        try expectNoAnswer(of: &responder, to: third[2...])
        #expect(failure { () throws(SessionError) in _ = try responder.receive(third[2...]) } == .unexpectedMessage)
        let isComplete = responder.isComplete
        #expect(!isComplete)
    }

    @Test(arguments: [0, 2, 173] as [UInt8])
    func anotherVersionIsRefused(version: UInt8) throws {
        let outcome = try shakeHands(alice, bob) { index, message in
            if index == 0 { message[32] = version }
        }
        #expect(outcome.responderError == .wrongVersion(version))
        #expect(outcome.messages.count == 1)
    }

    @Test func aMissingVersionIsRefused() throws {
        let outcome = try shakeHands(alice, bob) { index, message in
            if index == 0 { message.removeLast() }
        }
        #expect(outcome.responderError == .wire(.truncated(field: "protocol version")))
    }

    @Test func moreBehindTheVersionIsAccepted() throws {
        var later = NoiseHandshake(
            .xx, role: .initiator, prologue: Handshake.prologue, staticKey: .generate()
        )
        var responder = bob.handshake(.responder)
        let message = try later.write(payload: [Handshake.version, 200, 201])
        let reply = try answer(of: &responder, to: message[...])
        let heard = try later.read(reply[2...])
        #expect(try Introduction(decoding: heard[...]) == bob.introduction)
    }

    @Test func moreBehindAnIntroductionIsAccepted() throws {
        var later = NoiseHandshake(
            .xx, role: .responder, prologue: Handshake.prologue, staticKey: try staticKey(seed: 101)
        )
        var initiator = alice.handshake(.initiator)
        let first = try begin(&initiator)
        _ = try later.read(first[2...])
        let second = try later.write(payload: bob.introduction.bytes + [1, 2, 3])
        _ = try answer(of: &initiator, to: second[...])
        let isComplete = initiator.isComplete
        #expect(isComplete)
    }

    @Test func somethingElseThanAnIntroductionIsRefused() throws {
        var other = NoiseHandshake(.xx, role: .responder, prologue: Handshake.prologue, staticKey: .generate())
        var initiator = alice.handshake(.initiator)
        let first = try begin(&initiator)
        _ = try other.read(first[2...])
        let second = try other.write(payload: [1, 2, 3])
        let error = failure { () throws(SessionError) in _ = try initiator.receive(second[...]) }
        #expect(error == .wire(.truncated(field: "peer key")))
    }

    @Test func anIdentityThatDidNotSignTheKeyIsRefused() throws {
        let mallory = try Party("mallory", seed: 50, signedFor: .generate())
        #expect(try shakeHands(alice, mallory).initiatorError == .badIdentity)
        #expect(try shakeHands(mallory, bob).responderError == .badIdentity)
    }

    @Test func anIntroductionStolenFromAnotherIsRefused() throws {
        var thief = NoiseHandshake(.xx, role: .responder, prologue: Handshake.prologue, staticKey: .generate())
        var initiator = alice.handshake(.initiator)
        let first = try begin(&initiator)
        _ = try thief.read(first[2...])
        let second = try thief.write(payload: bob.introduction.bytes)
        #expect(failure { () throws(SessionError) in _ = try initiator.receive(second[...]) } == .badIdentity)
    }

    private func staticKey(seed: UInt8) throws -> AgreementKey {
        AgreementKey(secret: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
    }
}
