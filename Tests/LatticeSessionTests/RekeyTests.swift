import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire
import Testing

struct RekeyTests {
    @Test func theLastMessageUnderAKeySaysSo() throws {
        var channel = try Channel(rekeyIntervalMessages: 3)
        for index in 0..<12 as Range<UInt64> {
            let frame = Frame.ping(nonce: index)
            let there = try split(channel.alice.sealer.seal([frame.bytes]))[0]
            let heard = try channel.bob.opener.open(there[...])
            #expect(heard == (index % 3 == 2 ? [frame, .rekey] : [frame]))
            let back = try split(channel.bob.sealer.seal([frame.bytes]))[0]
            let answered = try channel.alice.opener.open(back[...])
            #expect(answered == heard)
        }
    }

    @Test func anIntervalOfOneRekeysWithEveryMessage() throws {
        var channel = try Channel(rekeyIntervalMessages: 1)
        for _ in 0..<4 {
            let sealed = try split(channel.alice.sealer.seal([Frame.accept(room: 0).bytes]))[0]
            let heard = try channel.bob.opener.open(sealed[...])
            #expect(heard == [.accept(room: 0), .rekey])
        }
    }

    @Test func aRekeyLeavesRoomForItself() throws {
        var channel = try Channel(rekeyIntervalMessages: 1)
        var writer = ByteWriter()
        writer.varint(1_000)
        writer.bytes([UInt8](repeating: 0, count: Sealer.frameBytesMax - 5))
        let messages = try split(channel.alice.sealer.seal([writer.bytes, Frame.accept(room: 0).bytes]))
        #expect(messages.map(\.count) == [65_535, 2 + 3 + 16])
        var heard: [Frame] = []
        for message in messages { heard += try channel.bob.opener.open(message[...]) }
        #expect(heard == [.rekey, .accept(room: 0), .rekey])
    }

    @Test func aRekeyIsTheLastFrameThatAFullMessageMayHold() throws {
        var channel = try Channel(rekeyIntervalMessages: 1)
        let frames = [Frame](repeating: .accept(room: 0), count: Frame.countPerMessageMax)
        let messages = try split(channel.alice.sealer.seal(frames.map(\.bytes)))
        #expect(messages.count == 2)
        for message in messages {
            let heard = try channel.bob.opener.open(message[...])
            #expect(heard.last == .rekey)
        }
    }

    @Test func theHourlyRekeyIsAMessageOfItsOwn() throws {
        var channel = try Channel(rekeyIntervalMessages: 3)
        let before = try split(channel.alice.sealer.seal([Frame.accept(room: 0).bytes]))[0]
        let rekey = try split(channel.alice.sealer.rekeyed())
        #expect(rekey.map(\.count) == [2 + 16])
        var heard = try channel.bob.opener.open(before[...])
        heard += try channel.bob.opener.open(rekey[0][...])
        #expect(heard == [.accept(room: 0), .rekey])
        // Counting starts anew: the third message from here carries the next one.
        for index in 0..<3 {
            let sealed = try split(channel.alice.sealer.seal([Frame.accept(room: 0).bytes]))[0]
            let frames = try channel.bob.opener.open(sealed[...])
            #expect(frames == (index == 2 ? [.accept(room: 0), .rekey] : [.accept(room: 0)]))
        }
    }

    @Test func oneDirectionRekeysWithoutTheOther() throws {
        var channel = try Channel()
        for _ in 0..<3 {
            let rekey = try split(channel.alice.sealer.rekeyed())[0]
            _ = try channel.bob.opener.open(rekey[...])
            let back = try split(channel.bob.sealer.seal([Frame.accept(room: 0).bytes]))[0]
            let heard = try channel.alice.opener.open(back[...])
            #expect(heard == [.accept(room: 0)])
        }
    }

    @Test func aMessageUnderTheOldKeyIsRefused() throws {
        let key: [UInt8] = Array(1...32)
        var forgetful = CipherState(key: SecretBytes(copying: key))
        var opener = Opener(CipherState(key: SecretBytes(copying: key)))
        var rekey = Frame.rekey.bytes
        try forgetful.encrypt(authenticating: [], in: &rekey, from: 0)
        #expect(refusal(&opener, rekey) == nil)
        var late = Frame.accept(room: 0).bytes
        try forgetful.encrypt(authenticating: [], in: &late, from: 0)
        #expect(refusal(&opener, late) == .decryptionFailed)
    }

    @Test(arguments: [[Frame.rekey, .accept(room: 0)], [.rekey, .rekey]])
    func framesBehindARekeyAreRefused(frames: [Frame]) throws {
        var channel = try Channel()
        let sealed = try split(channel.alice.sealer.seal(frames.map(\.bytes)))[0]
        #expect(refusal(&channel.bob.opener, sealed) == .framesAfterRekey)
    }

    /// Noise section 4.2 worked out by hand with the cipher itself.
    @Test func theNextKeyIsWhatNoiseSaysItIs() throws {
        let key: [UInt8] = Array(1...32)
        var zeros = [UInt8](repeating: 0, count: 32)
        AuthenticatedCipher.seal(
            key: SecretBytes(copying: key), nonce: .max, authenticating: [], in: &zeros, from: 0
        )
        let next = AuthenticatedCipher.rekeyed(SecretBytes(copying: key))
        let isRight = next.matches(Array(zeros.prefix(32)))
        #expect(isRight)
    }
}
