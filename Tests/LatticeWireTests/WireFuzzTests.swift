import LatticeCore
import LatticeWire
import Testing

/// Random bytes and random changes of good ones: an error or a value, and never a crash.
struct WireFuzzTests {
    private func decodeEverything(_ bytes: [UInt8]) {
        _ = wireError { () throws(WireError) in try Frame.decode(message: bytes[...]) }
        _ = wireError { () throws(WireError) in try SignedRecord(decoding: bytes[...]) }
        _ = wireError { () throws(WireError) in try Introduction(decoding: bytes[...]) }
        _ = wireError { () throws(WireError) in try ChatLine(decoding: bytes) }
        _ = wireError { () throws(WireError) in try Presence(decoding: bytes) }
        _ = wireError { () throws(WireError) in try ProfileBody(decoding: bytes) }
        _ = wireError { () throws(WireError) in try PostBody(decoding: bytes) }
        _ = wireError { () throws(WireError) in try CommentBody(decoding: bytes) }
        _ = wireError { () throws(WireError) in try EventBody(decoding: bytes) }
        _ = wireError { () throws(WireError) in try Statement(decoding: bytes) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func randomBytesAreSurvived(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let count = Int.random(in: 0...200, using: &dice)
            // Small numbers get further into the grammar than random ones.
            let limit: UInt8 = Bool.random(using: &dice) ? 255 : 15
            decodeEverything((0..<count).map { _ in UInt8.random(in: 0...limit, using: &dice) })
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func changedBodiesAreSurvivedAndWhatIsReadIsWrittenAlike(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let samples = try PostSamples.all()
        for _ in 0..<500 {
            let sample = try #require(samples.randomElement(using: &dice))
            var body = sample.body
            for _ in 0..<Int.random(in: 1...4, using: &dice) { change(&body, &dice) }
            decodeEverything(body)
            do throws(WireError) {
                let written = try sample.reread(body)
                #expect(written == body, "a body has one form")
            } catch {
                continue
            }
        }
    }

    private func change(_ bytes: inout [UInt8], _ dice: inout SeededGenerator) {
        guard let place = bytes.indices.randomElement(using: &dice) else { return }
        switch Int.random(in: 0..<3, using: &dice) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &dice), at: place)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func changedMessagesAreSurvivedAndWhatIsReadIsWrittenAlike(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let frames = try Samples.frames().map(\.frame)
        for _ in 0..<200 {
            var message = frames.shuffled(using: &dice).flatMap(\.bytes)
            for _ in 0..<Int.random(in: 1...4, using: &dice) { change(&message, &dice) }
            decodeEverything(message)
            do throws(WireError) {
                let heard = try Frame.decode(message: message[...])
                #expect(try Frame.decode(message: heard.flatMap(\.bytes)[...]) == heard)
            } catch {
                continue
            }
        }
    }
}
