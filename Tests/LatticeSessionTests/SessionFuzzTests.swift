import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire
import Testing

/// Random strangers: whatever they send, the answer is an error or frames, and never a crash.
struct SessionFuzzTests {
    private func junk(_ countMax: Int, _ dice: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...countMax, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func junkNeverCompletesAHandshake(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let psk = Bool.random(using: &dice) ? meshKey : nil
        let (alice, bob) = (try Party("alice", seed: 1), try Party("bob", seed: 100))
        var initiator = alice.handshake(.initiator, psk: psk)
        var responder = bob.handshake(.responder, psk: psk)
        _ = try begin(&initiator)
        for _ in 0..<4 {
            let message = junk(Bool.random(using: &dice) ? 40 : 3_000, &dice)
            _ = failure { () throws(SessionError) in _ = try initiator.receive(message[...]) }
            _ = failure { () throws(SessionError) in _ = try responder.receive(message[...]) }
        }
        let complete = [initiator.isComplete, responder.isComplete]
        #expect(complete == [false, false])
    }

    /// A peer that shook hands properly and then seals nonsense.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func sealedJunkIsFramesOrAnErrorThatStays(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let key = SecureRandom.bytes(32)
        var sender = CipherState(key: SecretBytes(copying: key))
        var opener = Opener(CipherState(key: SecretBytes(copying: key)))
        var first: SessionError?
        for _ in 0..<20 {
            var message = junk(60, &dice)
            if Bool.random(using: &dice) { message = Frame.ping(nonce: 1).bytes + message }
            try sender.encrypt(authenticating: [], in: &message, from: 0)
            let error = refusal(&opener, message)
            if let first {
                #expect(error == first)
            } else {
                first = error
            }
        }
    }

    /// Weather between two honest peers: messages are changed, repeated, dropped or swapped.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func whatIsHeardIsAlwaysABeginningOfWhatWasSaid(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var channel = try Channel(rekeyIntervalMessages: 4)
        var said: [Frame] = []
        var wire: [[UInt8]] = []
        for number in 0..<20 as Range<UInt64> {
            let frames = (0..<Int.random(in: 1...3, using: &dice)).map { Frame.ping(nonce: number << 8 | UInt64($0)) }
            said += frames
            wire += try split(channel.alice.sealer.seal(frames.map(\.bytes)))
        }
        let place = Int.random(in: 0..<wire.count - 1, using: &dice)
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: wire[place][Int.random(in: 0..<wire[place].count, using: &dice)] ^= 1
        case 1: wire.insert(wire[place], at: place)
        case 2: wire.remove(at: place)
        case 3: wire.swapAt(place, place + 1)
        default: break
        }
        var heard: [Frame] = []
        var isFailed = false
        for message in wire {
            do throws(SessionError) {
                let frames = try channel.bob.opener.open(message[...])
                #expect(!isFailed)
                heard += frames.filter { $0 != .rekey }
            } catch {
                isFailed = true
            }
        }
        #expect(said.starts(with: heard))
        #expect(isFailed || heard == said)
    }
}
