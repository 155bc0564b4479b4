import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Lengths and counts that promise more than there is, and questions that ask for more than they cost.
@Suite(.timeLimit(.minutes(10))) struct BombTests {
    /// A frame with this body, whatever it is.
    private static func frame(_ type: Frame.TypeNumber, _ body: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(type.rawValue)
        writer.bytes(body)
        return writer.bytes
    }

    private static func number(_ value: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(value)
        return writer.bytes
    }

    /// Each claims at least a billion of something.
    private static let bombs: [[UInt8]] = {
        let huge = [number(1 << 30), number(1 << 48), number(.max)]
        let counted: [Frame.TypeNumber] = [.have, .graft, .offer, .fetch, .lack, .stored, .keeping]
        var bombs = huge.flatMap { count in counted.map { frame($0, count) } }
        for count in huge {
            // A record whose topic, or whose body, is that long; a frame that is.
            let head: [UInt8] = [4, 1, 0, 1, 1] + [UInt8](repeating: 7, count: 40) + number(600)
            bombs += [frame(.record, head + count), frame(.record, head + [0] + count)]
            bombs.append(number(Frame.TypeNumber.record.rawValue) + count)
            bombs.append(frame(.invitation, count))
            bombs.append(frame(.goodbye, [0] + count))
        }
        return bombs
    }()

    @Test func aLengthThatIsALieEndsItsLinkAlone() async throws {
        let host = try await Chatter(try Home("alice"))
        let witness = try await Chatter.stranger()
        try await host.run {
            try await witness.visit(await host.address) {
                for bomb in Self.bombs {
                    let stranger = try await Chatter.stranger()
                    try await stranger.visit(await host.address) {
                        stranger.say(bytes: bomb)
                        try await eventually("it is sent away") { stranger.closure != nil }
                        guard case .goodbye(let goodbye)? = stranger.closure else { return }
                        #expect(goodbye.code == .protocolFault, "\(bomb)")
                    }
                }
                try await host.say("still here")
                try await eventually("a line") { witness.heardLines == ["still here"] }
                #expect(try await host.stats().refused[.faults] == Self.bombs.count)
            }
        }
    }

    @Test func anAbsurdQuestionIsAnsweredWithLessThanItCost() async throws {
        let host = try await Chatter(try Home("alice"))
        let stranger = try await Chatter.stranger()
        _ = try await host.store.insert(ChatRig.lines(1_000, by: Identity.generate()), at: Clocks.machine())
        try await host.run {
            try await stranger.visit(await host.address) {
                try await eventually("what is kept") {
                    stranger.frames.contains { if case .keeping = $0 { true } else { false } }
                }
                stranger.say(.keeping(.everything))
                let room = SyncScope(.chat, room: Array("#lobby".utf8))
                let questions: [(SyncScope, [UInt8])] = [
                    (SyncScope(.chat), []), (SyncScope(.posts), []), (room, [0x61]), (SyncScope(.chat), [0x60]),
                    (SyncScope(.chat), [0x61] + [UInt8](repeating: 0x80, count: 200)),
                    (SyncScope(.chat), [0x61, 0, 0, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]),
                ]
                var asked = 0
                for number in 0..<120 {
                    let (scope, message) = questions[number % questions.count]
                    let question = Frame.comparison(
                        Comparison(
                            side: .question, session: UInt32(number), scope: scope, since: HybridTime(rawValue: 0),
                            message: message))
                    asked += question.bytes.count
                    stranger.say(question)
                }
                func answers() -> [Int] {
                    stranger.frames.compactMap { frame in
                        guard case .comparison(let comparison) = frame, comparison.side == .answer else { return nil }
                        return frame.bytes.count
                    }
                }
                try await eventually("every answer, an empty one too") { answers().count == 120 }
                let answered = answers().reduce(0, +)
                #expect(answered <= asked)
                #expect(try await host.stats().refused[.questions] >= 40)
            }
        }
    }
}
