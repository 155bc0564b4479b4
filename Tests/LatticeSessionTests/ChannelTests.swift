import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire
import Testing

struct ChannelTests {
    private func pings(_ numbers: some Sequence<UInt64>) -> [Frame] {
        numbers.map { .ping(nonce: $0) }
    }

    /// A frame of `count` bytes, of a type that no version knows: 2 bytes of type, 2 or 3 of length, and zeros.
    private func padding(_ count: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(1_000)
        writer.bytes([UInt8](repeating: 0, count: count < 16_388 ? count - 4 : count - 5))
        return writer.bytes
    }

    @Test(arguments: [nil, meshKey])
    func framesArriveInTheirOrderInBothDirections(psk: Bytes32?) throws {
        var channel = try Channel(psk: psk)
        for round in 0..<5 as Range<UInt64> {
            let frames = pings(round..<round * 2 + 1)
            let there = try split(channel.alice.sealer.seal(frames.map(\.bytes)))
            #expect(there.count == 1)
            let heardThere = try channel.bob.opener.open(there[0][...])
            #expect(heardThere == frames)
            let back = try split(channel.bob.sealer.seal(frames.map(\.bytes)))
            let heardBack = try channel.alice.opener.open(back[0][...])
            #expect(heardBack == frames)
        }
    }

    @Test func bothHalvesCanBeTakenOut() throws {
        let channel = try Channel()
        let frame = Frame.ping(nonce: 3)
        let heard = channel.alice.deconstruct { sealer, _ in
            var sealer = sealer
            return sealer.seal([frame.bytes])
        }
        #expect(heard.count == 2 + frame.bytes.count + 16)
    }

    @Test func noFramesMakeNoMessage() throws {
        var channel = try Channel()
        let nothing = channel.alice.sealer.seal([])
        #expect(nothing.isEmpty)
    }

    @Test func framesArePackedIntoAsFewMessagesAsTheyFitIn() throws {
        var channel = try Channel()
        let half = padding(Frame.plaintextBytesMax / 2)
        let messages = try split(channel.alice.sealer.seal([half, half, half]))
        #expect(messages.map(\.count) == [2 * half.count + 16, half.count + 16])
        #expect(messages[0].count <= 65_535)
    }

    @Test func aMessageIsFilledToItsLastByte() throws {
        var channel = try Channel()
        let frames = [padding(60_000), padding(5_519)]
        let full = try split(channel.alice.sealer.seal(frames))
        #expect(full.map(\.count) == [65_535])
        let heard = try channel.bob.opener.open(full[0][...])
        #expect(heard.isEmpty)
        let over = try split(channel.alice.sealer.seal([padding(60_000), padding(5_520)]))
        #expect(over.map(\.count) == [60_016, 5_536])
    }

    @Test func moreFramesThanAMessageMayHoldGoIntoTheNext() throws {
        var channel = try Channel()
        let frames = [Frame](repeating: .accept(room: 0), count: Frame.countPerMessageMax + 1)
        let messages = try split(channel.alice.sealer.seal(frames.map(\.bytes)))
        #expect(messages.count == 2)
        var heard: [Frame] = []
        for message in messages { heard += try channel.bob.opener.open(message[...]) }
        #expect(heard == frames)
    }

    @Test func theLongestFrameFits() throws {
        var channel = try Channel()
        let messages = try split(channel.alice.sealer.seal([padding(Sealer.frameBytesMax)]))
        let heard = try channel.bob.opener.open(messages[0][...])
        #expect(heard.isEmpty)
    }

    @Test func aRepeatedMessageIsRefused() throws {
        var channel = try Channel()
        let sealed = try split(channel.alice.sealer.seal([Frame.accept(room: 0).bytes]))[0]
        _ = try channel.bob.opener.open(sealed[...])
        #expect(refusal(&channel.bob.opener, sealed) == .decryptionFailed)
    }

    @Test func aMessageAheadOfItsTurnIsRefusedAndNothingOpensAfterIt() throws {
        var channel = try Channel()
        let first = try split(channel.alice.sealer.seal([Frame.accept(room: 0).bytes]))[0]
        let second = try split(channel.alice.sealer.seal([Frame.accept(room: 0).bytes]))[0]
        #expect(refusal(&channel.bob.opener, second) == .decryptionFailed)
        #expect(refusal(&channel.bob.opener, first) == .decryptionFailed)
    }

    @Test func aMessageSentBackToItsSenderIsRefused() throws {
        var channel = try Channel()
        let sealed = try split(channel.alice.sealer.seal([Frame.accept(room: 0).bytes]))[0]
        #expect(refusal(&channel.alice.opener, sealed) == .decryptionFailed)
    }

    @Test func aFlippedBitOrAMissingByteIsRefused() throws {
        var sending = try Channel()
        let sealed = try split(sending.alice.sealer.seal([Frame.ping(nonce: 9).bytes]))[0]
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            var channel = try Channel()
            #expect(refusal(&channel.bob.opener, changed) == .decryptionFailed)
        }
        for count in 0..<sealed.count {
            var channel = try Channel()
            #expect(refusal(&channel.bob.opener, Array(sealed.prefix(count))) == .decryptionFailed)
        }
        var channel = try Channel()
        #expect(refusal(&channel.bob.opener, sealed) == nil)
    }

    @Test func framesThatAreNotWellFormedAreNamedAndEndTheSession() throws {
        var channel = try Channel()
        let sealed = try split(channel.alice.sealer.seal([[2, 8, 1]]))[0]
        let good = try split(channel.alice.sealer.seal([Frame.accept(room: 0).bytes]))[0]
        #expect(refusal(&channel.bob.opener, sealed) == .wire(.truncated(field: "frame body")))
        #expect(refusal(&channel.bob.opener, good) == .wire(.truncated(field: "frame body")))
    }

    @Test func theLastNumberIsNeverUsed() throws {
        let key: [UInt8] = Array(1...32)
        var sender = CipherState(key: SecretBytes(copying: key), nonce: .max - 1)
        var opener = Opener(CipherState(key: SecretBytes(copying: key), nonce: .max - 1))
        var sealed = Frame.accept(room: 0).bytes
        try sender.encrypt(authenticating: [], in: &sealed, from: 0)
        #expect(refusal(&opener, sealed) == nil)
        let error = failure { () throws(SessionError) in
            try sender.encrypt(authenticating: [], in: &sealed, from: 0)
        }
        #expect(error == .nonceExhausted)
        #expect(refusal(&opener, sealed) == .nonceExhausted)
    }
}

func refusal(_ opener: inout Opener, _ message: [UInt8]) -> SessionError? {
    do throws(SessionError) {
        _ = try opener.open(message[...])
        return nil
    } catch {
        return error
    }
}
