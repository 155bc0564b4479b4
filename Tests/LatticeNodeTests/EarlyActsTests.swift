import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

@testable import LatticeNode

/// Acts that arrive before the line that they change.
@Suite(.timeLimit(.minutes(10))) struct EarlyActsTests {
    private let bob = Identity.generate()
    private let carol = Identity.generate()
    private let line: VerifiedRecord
    private let shown: Message

    init() throws {
        line = try Speech.line("at nien", by: bob)
        shown = try Message(line.record, id: line.id, at: line.created.wallTime, hops: 1, isLate: false)
    }

    private func act(
        _ kind: RecordKind, by author: Identity, secondsLater: Int64 = 1, topic: [UInt8]? = nil, _ body: [UInt8] = []
    ) -> VerifiedRecord {
        let date = WallTime(milliseconds: line.created.wallTime.milliseconds + secondsLater * 1_000)
        return author.sign(
            Record(
                kind: kind, author: author.peer, created: HybridTime(wallTime: date), lifetimeSeconds: 86_400,
                topic: topic ?? line.id.hash.bytes, body: body))
    }

    private func edit(_ text: String, by author: Identity, secondsLater: Int64 = 1) -> VerifiedRecord {
        act(
            .edit, by: author, secondsLater: secondsLater,
            ChatLine(style: .says, name: ChatRig.name, text: text).body)
    }

    private func react(_ emoji: String, by author: Identity, secondsLater: Int64 = 1, holds: Bool = true)
        -> VerifiedRecord
    {
        act(
            .reaction, by: author, secondsLater: secondsLater, topic: ReactionTopic(line.id, emoji).bytes,
            Statement(holds: holds).body)
    }

    private func after(_ records: [VerifiedRecord]) -> Message? {
        var early = EarlyActs()
        for record in records { early.add(record, on: line.id) }
        return early.take(for: shown)
    }

    @Test func theNewestEditStandsWhateverCameFirst() {
        let edits = [edit("at nine", by: bob, secondsLater: 2), edit("at ten", by: bob)]
        for order in [edits, edits.reversed()] {
            let line = after(order)
            #expect(line?.text == "at nine" && line?.isEdited == true && line?.record == shown.record)
        }
    }

    @Test func aDeletedLineIsNotShown() {
        #expect(after([edit("at nine", by: bob), act(.deletion, by: bob)]) == nil)
    }

    @Test func onlyTheAuthorEditsAndDeletes() {
        #expect(after([edit("never", by: carol), act(.deletion, by: carol)]) == shown)
    }

    @Test func emojiAreGivenAndTakenBackInTheOrderOfTheirDates() {
        let line = after([
            react("🎉", by: carol, secondsLater: 3), react("👍", by: carol, secondsLater: 2, holds: false),
            react("👍", by: carol), react("👍", by: bob), react("👍👍", by: bob),
        ])
        #expect(
            line?.reactions == [LineReaction("👍", by: [bob.peer]), LineReaction("🎉", by: [carol.peer])])
    }

    @Test func whatIsNoLineOrStatementChangesNothing() {
        #expect(after([act(.edit, by: bob, [255]), act(.reaction, by: bob, topic: [1]), act(.like, by: bob)]) == shown)
    }

    @Test func ofVeryManyTheLastOnesAreKept() {
        var early = EarlyActs()
        early.add(act(.deletion, by: bob), on: line.id)
        let flood = react("👍", by: carol)
        for number in 0..<2_000 {
            early.add(flood, on: RecordID(Bytes32(words: (UInt64(number), 1, 2, 3))))
        }
        let flooded = early.take(for: shown)
        #expect(flooded == shown)
        early.add(edit("at nine", by: bob), on: line.id)
        let (edited, again) = (early.take(for: shown), early.take(for: shown))
        #expect(edited?.text == "at nine" && again == shown)
    }

    @Test func aLineThatWasDeletedBeforeItCameStaysHidden() {
        var early = EarlyActs()
        early.add(act(.deletion, by: bob), on: line.id)
        #expect(!early.hides(line.id))
        let taken = early.take(for: shown)
        #expect(taken == nil && early.hides(line.id))
    }

    @Test func aNeighbourSaysTheLineAfterWhatWasDoneToIt() async throws {
        let host = try await Chatter(try Home("alice"))
        let stranger = try await Chatter.stranger()
        let gone = try Speech.line("never to be read", by: stranger.identity)
        let edited = try Speech.line("at nien", by: stranger.identity)
        func act(_ kind: RecordKind, on line: VerifiedRecord, _ body: [UInt8] = []) -> VerifiedRecord {
            stranger.identity.sign(
                Record(
                    kind: kind, author: stranger.identity.peer, created: HybridTime(wallTime: Clocks.machine()),
                    lifetimeSeconds: 86_400, topic: line.id.hash.bytes, body: body))
        }
        try await host.run {
            try await stranger.visit(await host.address) {
                stranger.say(act(.deletion, on: gone))
                stranger.say(
                    act(.edit, on: edited, ChatLine(style: .says, name: ChatRig.name, text: "at nine").body))
                stranger.say(gone)
                stranger.say(edited)
                stranger.say(try Speech.line("now", by: stranger.identity))
                try await eventually("the last line") { host.heardTexts.contains("now") }
                try await eventually("all are stored") { try await host.history().count == 3 }
            }
        }
        #expect(host.heardTexts == ["at nine", "now"])
        let history = try await host.history()
        #expect(history.map(\.text).sorted() == ["", "at nine", "now"])
        #expect(history.filter(\.isDeleted).map(\.record) == [gone.id])
        #expect(!host.events.contains { if case .lineChanged = $0 { true } else { false } })
    }
}
