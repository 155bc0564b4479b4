import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire
import Testing

struct HandshakeDamageTests {
    let alice: Party
    let bob: Party

    init() throws {
        alice = try Party("alice", seed: 1)
        bob = try Party("bob", seed: 100)
    }

    /// The side that a changed message reaches does not complete; nor does the side that answers it.
    private func isRefused(_ outcome: HandshakeOutcome, message: Int) -> Bool {
        let isComplete = message == 2 ? outcome.responderIsComplete : outcome.initiatorIsComplete
        return !isComplete && (outcome.responderError != nil || outcome.initiatorError != nil)
    }

    @Test(arguments: [nil, meshKey])
    func aMessageTruncatedAtAnyByteIsRefused(psk: Bytes32?) throws {
        let whole = try shakeHands(alice, bob, psk: (psk, psk))
        for index in 0..<3 {
            for count in 0..<whole.messages[index].count {
                let outcome = try shakeHands(alice, bob, psk: (psk, psk)) { position, message in
                    if position == index { message = Array(message.prefix(count)) }
                }
                #expect(isRefused(outcome, message: index), "message \(index) cut after \(count) bytes")
            }
        }
    }

    @Test(arguments: [nil, meshKey])
    func aFlippedBitAnywhereIsRefused(psk: Bytes32?) throws {
        let whole = try shakeHands(alice, bob, psk: (psk, psk))
        for index in 0..<3 {
            for bit in 0..<whole.messages[index].count * 8 {
                let outcome = try shakeHands(alice, bob, psk: (psk, psk)) { position, message in
                    if position == index { message[bit / 8] ^= 1 << (bit % 8) }
                }
                #expect(isRefused(outcome, message: index), "message \(index), bit \(bit)")
            }
        }
    }

    @Test func aByteTooManyIsRefused() throws {
        for index in 0..<3 {
            let outcome = try shakeHands(alice, bob) { position, message in
                if position == index { message.append(0) }
            }
            #expect(isRefused(outcome, message: index))
        }
    }

    /// All encodings of points of low order on Curve25519 and its twist (libsodium's own list).
    static let lowOrderPoints: [String] = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    @Test(arguments: lowOrderPoints)
    func aKeyOfLowOrderIsRefusedByBothSides(point: String) throws {
        let key = try #require(Hex.bytes(point))
        for index in 0..<2 {
            let outcome = try shakeHands(alice, bob) { position, message in
                if position == index { message.replaceSubrange(0..<32, with: key) }
            }
            let error = index == 0 ? outcome.responderError : outcome.initiatorError
            #expect(error == .lowOrderKey)
        }
    }

    @Test func aMessageFromAnotherSessionIsRefused() throws {
        let other = try Party("alice", seed: 30)
        let recorded = try shakeHands(other, bob)
        for index in 0..<3 {
            let outcome = try shakeHands(alice, bob) { position, message in
                if position == index { message = recorded.messages[index] }
            }
            #expect(isRefused(outcome, message: index), "message \(index)")
        }
    }

    @Test func messagesOutOfTheirOrderAreRefused() throws {
        let whole = try shakeHands(alice, bob)
        for (index, other) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
            let outcome = try shakeHands(alice, bob) { position, message in
                if position == index { message = whole.messages[other] }
            }
            #expect(isRefused(outcome, message: index), "message \(other) in the place of \(index)")
        }
    }

    @Test func oneKeyOfTheMeshIsAsked() throws {
        let outcome = try shakeHands(alice, bob, psk: (meshKey, meshKey))
        #expect(outcome.initiatorIsComplete && outcome.responderIsComplete)
    }

    @Test func anotherKeyOfTheMeshIsRefusedAndNamed() throws {
        let outcome = try shakeHands(alice, bob, psk: (meshKey, .zero))
        #expect(outcome.responderError == .wrongMeshKey)
        #expect(!outcome.responderIsComplete)
        #expect(outcome.messages.count == 1, "nothing is said to whoever does not have the key")
    }

    @Test func anOpenMeshAndAClosedOneDoNotMeet() throws {
        let closedDials = try shakeHands(alice, bob, psk: (meshKey, nil))
        let openDials = try shakeHands(alice, bob, psk: (nil, meshKey))
        #expect(isRefused(closedDials, message: 0))
        #expect(openDials.responderError == .wrongMeshKey)
        #expect(openDials.messages.count == 1, "nothing is said to whoever does not have the key")
    }

    @Test func aHandshakeMessageHasALimit() throws {
        var responder = bob.handshake(.responder)
        var later = NoiseHandshake(.xx, role: .initiator, prologue: Handshake.prologue, staticKey: .generate())
        let filling = [UInt8](repeating: 0, count: Handshake.messageBytesMax - 33)
        let longest = try later.write(payload: [Handshake.version] + filling)
        #expect(longest.count == Handshake.messageBytesMax)
        _ = try answer(of: &responder, to: longest[...])
        var another = bob.handshake(.responder)
        let error = failure { () throws(SessionError) in _ = try another.receive((longest + [0])[...]) }
        #expect(error == .tooLong(bytes: 2_049, bytesMax: 2_048))
    }

    @Test func aFailedHandshakeStaysFailed() throws {
        let whole = try shakeHands(alice, bob)
        var responder = bob.handshake(.responder)
        let first = whole.messages[0]
        #expect(failure { () throws(SessionError) in _ = try responder.receive([]) } == .decryptionFailed)
        #expect(failure { () throws(SessionError) in _ = try responder.receive(first[...]) } == .decryptionFailed)
        let isComplete = responder.isComplete
        #expect(!isComplete)
    }
}
