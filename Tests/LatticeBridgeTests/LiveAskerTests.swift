import LatticeCore
import LatticeCrypto
import LatticeMesh
import Testing

@testable import LatticeBridge

/// What one bridge does, step by step.
struct LiveAskerTests {
    private static let me = LiveBridgeID(rawValue: 1)

    /// A bridge by hand: what it has, and what it sends.
    private struct Desk {
        var asker = LiveAsker(me: me)
        var items = ReconciliationSet()
        var now: Duration = .zero
        var random = SeededGenerator(seed: 1)
        var sent: [LiveAsker.Sending] = []

        init(items count: Int = 0) {
            for number in 0..<count { items.insert(LiveAskerTests.item(number)) }
            asker.connected(mayHaveMissed: true, at: now)
            pass(.zero)
            // Its own greeting comes back.
            hear(1)
        }

        mutating func hear(_ bridge: UInt64, isNew: Bool = false, _ summary: LiveSummary? = nil) {
            let note = LiveNote(
                from: LiveBridgeID(rawValue: bridge), .here(isNew: isNew, summary ?? LiveSummary(items)))
            asker.heard(note, summary: LiveSummary(items), at: now, using: &random)
        }

        /// What is sent at the end of it stands in `sent`.
        mutating func pass(_ duration: Duration) {
            now += duration
            sent = []
            asker.tick(items, from: 0, at: now, using: &random, &sent)
        }

        /// Whether the last answer made sense.
        var wasSensible = true

        mutating func answer(_ bridge: UInt64, _ content: LiveNote.Content) {
            sent = []
            let note = LiveNote(from: LiveBridgeID(rawValue: bridge), content)
            wasSensible = asker.answered(note, items, without: RecentSet(countMax: 1), at: now, &sent)
        }

        /// The question that was sent last, and to whom.
        var question: (to: LiveBridgeID, LiveNote.Comparison)? {
            for case .compare(let comparison) in sent.map(\.content) {
                guard case .questions(let to) = sent.last?.to else { continue }
                return (to, comparison)
            }
            return nil
        }
    }

    private static func item(_ number: Int) -> ReconciliationItem {
        let id = Digest.blake2b256([UInt8(number >> 16), UInt8(number >> 8 & 255), UInt8(number & 255)])
        guard let item = ReconciliationItem(timestamp: UInt64(1_000 + number), id: id) else {
            preconditionFailure("a date is not infinity")
        }
        return item
    }

    private static func set(_ numbers: Range<Int>) -> ReconciliationSet {
        var set = ReconciliationSet()
        for number in numbers { set.insert(item(number)) }
        return set
    }

    private static func reply(to question: LiveNote.Comparison, _ set: ReconciliationSet) throws -> LiveNote.Content {
        var answerer = LiveAnswerer()
        let answer = answerer.compare(question, from: me, set, from: 0, at: .zero)
        return try #require(answer)
    }

    @Test func oneIsAskedAfterTheOthersHadTimeToGreet() throws {
        var desk = Desk()
        #expect(desk.sent == [.init(to: .all, content: .here(isNew: true, LiveSummary(ReconciliationSet())))])
        for bridge in 2...9 { desk.hear(UInt64(bridge)) }
        desk.pass(.milliseconds(2_400))
        #expect(desk.sent.isEmpty)
        desk.pass(.milliseconds(200))
        #expect(desk.sent.count == 1)
        #expect(desk.question != nil)
    }

    @Test func whoDoesNotAnswerIsFollowedByTheNext() throws {
        var desk = Desk()
        for bridge in 2...4 { desk.hear(UInt64(bridge)) }
        desk.pass(.seconds(3))
        var asked: [LiveBridgeID] = []
        for _ in 0..<3 {
            asked.append(try #require(desk.question).to)
            desk.pass(.seconds(5))
            #expect(desk.sent.isEmpty)
            // The end of one, the beginning of the next.
            desk.pass(.milliseconds(1))
            desk.pass(.zero)
        }
        #expect(Set(asked).count == 3)
        #expect(desk.question == nil, "all were asked")
        #expect(desk.asker.isSettled(at: desk.now))
        desk.pass(.seconds(31))
        #expect(desk.question != nil, "it is tried again")
    }

    @Test func whoHasAnsweredBeforeIsAskedFirst() throws {
        var desk = Desk()
        for bridge in 2...100 { desk.hear(UInt64(bridge)) }
        desk.pass(.seconds(3))
        let (to, question) = try #require(desk.question)
        desk.answer(to.rawValue, try Self.reply(to: question, ReconciliationSet()))
        desk.asker.wish(at: desk.now)
        desk.pass(.milliseconds(1))
        #expect(try #require(desk.question).to == to)
    }

    @Test func whatIsMissingIsAskedForAndTheOtherSideLearnsWhatItLacks() throws {
        var desk = Desk(items: 30)
        desk.hear(2)
        desk.pass(.seconds(3))
        let theirs = Self.set(10..<100)
        var wants: [Bytes32] = []
        while let (_, question) = desk.question {
            desk.answer(2, try Self.reply(to: question, theirs))
            for case .want(_, _, let ids) in desk.sent.map(\.content) { wants += ids }
        }
        #expect(Set(wants) == Set((30..<100).map { Self.item($0).id }))
        #expect(desk.asker.missing == 70)
        for id in wants { desk.asker.arrived(id, at: desk.now) }
        desk.pass(.milliseconds(1))
        #expect(desk.sent.contains { if case .lacking = $0.content { true } else { false } })
        #expect(desk.asker.isSettled(at: desk.now))
    }

    @Test func whatDoesNotComeAlthoughItWasServedIsGivenUp() throws {
        var desk = Desk()
        desk.hear(2)
        desk.pass(.seconds(3))
        var want: (session: UInt64, number: UInt64, count: Int)?
        while let (_, question) = desk.question {
            desk.answer(2, try Self.reply(to: question, Self.set(0..<3)))
            for case .want(let session, let number, let ids) in desk.sent.map(\.content) {
                want = (session, number, ids.count)
            }
        }
        let (session, number, count) = try #require(want)
        #expect(count == 3)
        desk.answer(2, .served(session: session, number: number))
        // A copy of it, and numbers that were never given.
        desk.answer(2, .served(session: session, number: number))
        desk.answer(2, .served(session: session, number: 99))
        desk.answer(3, .served(session: session, number: number))
        desk.pass(.milliseconds(900))
        #expect(desk.asker.missing == 3)
        desk.pass(.milliseconds(200))
        #expect(desk.asker.missing == 0)
    }

    @Test func anAnswerThatLiesCostsLittle() throws {
        var desk = Desk(items: 5)
        for bridge in [2, 3] { desk.hear(UInt64(bridge)) }
        desk.pass(.seconds(3))
        let (to, question) = try #require(desk.question)
        func answer(round: UInt64, since: UInt64 = 0, _ message: [UInt8]) -> LiveNote.Content {
            .compared(LiveNote.Comparison(session: question.session, round: round, since: since, message: message))
        }
        // Of another session, another round, another bridge: no effect.
        let other = LiveNote.Comparison(session: question.session &+ 1, round: 0, since: 0, message: [0x61])
        desk.answer(to.rawValue, .compared(other))
        #expect(desk.wasSensible)
        desk.answer(to.rawValue, answer(round: 7, [0x61]))
        #expect(desk.wasSensible)
        desk.answer(to.rawValue == 2 ? 3 : 2, answer(round: 0, [0x61]))
        #expect(desk.wasSensible)
        #expect(desk.sent.isEmpty)
        // The highest date of all leaves nothing to compare.
        desk.answer(to.rawValue, answer(round: 0, since: .max, []))
        #expect(desk.wasSensible)
        #expect(desk.question?.1.round == 1)
        desk.answer(to.rawValue, answer(round: 1, since: .max, [0xFF, 1, 2]))
        #expect(!desk.wasSensible)
        desk.pass(.milliseconds(1))
        #expect(try #require(desk.question).to != to, "the next one is asked")
    }

    @Test func muchIsFetchedInParts() throws {
        let count = LiveAsker.needMax + 2_000
        let theirs = Self.set(0..<count)
        var places: [Bytes32: ReconciliationItem] = [:]
        theirs.forEach(in: 0..<count) { places[$0.id] = $0 }
        var desk = Desk()
        desk.hear(2)
        desk.pass(.seconds(3))
        var sessions: Set<UInt64> = []
        while desk.items.count < count {
            var wanted: [Bytes32] = []
            for case .want(_, _, let ids) in desk.sent.map(\.content) { wanted += ids }
            if let (_, question) = desk.question {
                sessions.insert(question.session)
                desk.answer(2, try Self.reply(to: question, theirs))
            } else if wanted.isEmpty {
                desk.pass(.milliseconds(1))
            } else {
                #expect(desk.asker.missing <= LiveAsker.needMax + LiveNote.messageMax / 32)
                for id in wanted {
                    desk.items.insert(try #require(places[id]))
                    desk.asker.arrived(id, at: desk.now)
                }
                desk.sent = []
                desk.asker.advance(at: desk.now, &desk.sent)
            }
        }
        #expect(sessions.count == 2)
    }

    @Test func inventedBridgesAreFew() {
        var desk = Desk()
        for bridge in 2..<10_000 { desk.hear(UInt64(bridge), isNew: bridge % 2 == 0) }
        #expect(desk.asker.presence.count == LivePresence.bridgesMax)
        desk.pass(.seconds(300))
        desk.pass(.seconds(300))
        #expect(desk.asker.presence.count == 0)
    }

    @Test func aGreetingThatShowsADifferenceLeadsToFewQuestions() throws {
        var desk = Desk(items: 5)
        desk.hear(2)
        desk.pass(.seconds(3))
        while let (_, question) = desk.question { desk.answer(2, try Self.reply(to: question, desk.items)) }
        var questions = 0
        for _ in 0..<600 {
            desk.hear(2, LiveSummary(Self.set(0..<6)))
            desk.pass(.milliseconds(500))
            while let (_, question) = desk.question {
                questions += 1
                desk.answer(2, try Self.reply(to: question, desk.items))
            }
        }
        #expect((12...20).contains(questions), "in five minutes")
    }

    @Test func aGreetingThatDoesNotComeBackMeansThatARightIsMissing() {
        var presence = LivePresence(me: Self.me)
        var random = SeededGenerator(seed: 1)
        presence.connected(at: .zero)
        #expect(!presence.isDeaf(at: .seconds(60)), "nothing was said")
        _ = presence.greeting(at: .seconds(60), using: &random)
        #expect(!presence.isDeaf(at: .seconds(69)))
        #expect(presence.isDeaf(at: .seconds(71)))
        _ = presence.heard(Self.me, isNew: false, at: .seconds(72), using: &random)
        #expect(!presence.isDeaf(at: .seconds(73)))
        #expect(presence.count == 0)
    }

    @Test func aNewOneIsGreetedWithinTwoSeconds() {
        var desk = Desk()
        desk.hear(2, isNew: true)
        desk.pass(.seconds(2))
        #expect(!desk.sent.isEmpty)
        desk.hear(3)
        desk.pass(.seconds(70))
        #expect(!desk.sent.isEmpty, "about each minute")
        desk.asker.published(255, at: desk.now, using: &desk.random)
        desk.pass(.seconds(6))
        #expect(desk.sent.isEmpty)
        desk.asker.published(1, at: desk.now, using: &desk.random)
        desk.pass(.seconds(6))
        #expect(!desk.sent.isEmpty, "after much was published")
    }
}

/// What a bridge does for those who ask.
struct LiveAnswererTests {
    private static let one = LiveBridgeID(rawValue: 1)

    private static func ids(_ numbers: Range<UInt16>) -> [Bytes32] {
        numbers.map { Digest.blake2b256([UInt8($0 >> 8), UInt8($0 & 255)]) }
    }

    @Test func aQuestionIsAnsweredOnce() {
        var answerer = LiveAnswerer()
        let begin = LiveAsker.reconciler(from: 0).begin(with: ReconciliationSet())
        let question = LiveNote.Comparison(session: 1, round: 0, since: 0, message: begin)
        var answer: LiveNote.Content?
        answer = answerer.compare(question, from: Self.one, ReconciliationSet(), from: 0, at: .zero)
        #expect(answer != nil)
        answer = answerer.compare(question, from: Self.one, ReconciliationSet(), from: 0, at: .zero)
        #expect(answer == nil)
    }

    @Test func questionsBeyondAFewHundredASecondAreDropped() {
        var answerer = LiveAnswerer()
        let begin = LiveAsker.reconciler(from: 0).begin(with: ReconciliationSet())
        var answered = 0
        for round in 0..<UInt64(10_000) {
            let question = LiveNote.Comparison(session: 1, round: round, since: 0, message: begin)
            let answer = answerer.compare(question, from: Self.one, ReconciliationSet(), from: 0, at: .zero)
            if answer != nil { answered += 1 }
        }
        #expect(answered == 400)
    }

    @Test func beforeTheFloorNothingIsCompared() {
        var answerer = LiveAnswerer()
        let question = LiveNote.Comparison(session: 1, round: 0, since: 3, message: [1, 2, 3])
        let answer = answerer.compare(question, from: Self.one, ReconciliationSet(), from: 9, at: .zero)
        #expect(answer == .compared(LiveNote.Comparison(session: 1, round: 0, since: 9, message: [])))
    }

    @Test func rubbishHasNoAnswer() {
        var answerer = LiveAnswerer()
        var answer: LiveNote.Content?
        let messages: [[UInt8]] = [[], [0], [0xFF], [0x61, 0xFF], [0x61, 0, 33]]
        for (round, message) in messages.enumerated() {
            let question = LiveNote.Comparison(session: 1, round: UInt64(round), since: 0, message: message)
            answer = answerer.compare(question, from: Self.one, ReconciliationSet(), from: 0, at: .zero)
            #expect(answer == nil)
        }
    }

    @Test func onlyTheFirstWantOfASessionWaits() throws {
        var answerer = LiveAnswerer()
        var random = SeededGenerator(seed: 3)
        var (isTaken, next): (Bool, LiveAnswerer.Want?)
        isTaken = answerer.want(Self.ids(0..<3), 1, 2, from: Self.one, at: .zero, using: &random)
        #expect(isTaken)
        isTaken = answerer.want(Self.ids(3..<6), 2, 1, from: Self.one, at: .zero, using: &random)
        #expect(isTaken)
        next = answerer.next(at: .zero)
        #expect(next?.session == 1)
        answerer.end()
        next = answerer.next(at: .seconds(2))
        #expect(next?.session == 2)
        next = answerer.next(at: .seconds(2))
        #expect(next == nil)
    }

    @Test func whatSomebodyElsePublishesIsTakenOffTheList() throws {
        var answerer = LiveAnswerer()
        var random = SeededGenerator(seed: 3)
        let ids = Self.ids(0..<3)
        var (isTaken, next): (Bool, LiveAnswerer.Want?)
        isTaken = answerer.want(ids, 1, 2, from: Self.one, at: .zero, using: &random)
        #expect(isTaken)
        answerer.published(ids[1])
        next = answerer.next(at: .zero)
        #expect(next?.ids == [ids[0], ids[2]])
        answerer.published(ids[0])
        #expect(answerer.current?.ids == [ids[2]])
    }

    @Test func strangersCannotFillTheList() {
        var answerer = LiveAnswerer()
        var random = SeededGenerator(seed: 3)
        var taken = 0
        for number in 0..<10_000 {
            let isTaken = answerer.want(
                Self.ids(0..<512), UInt64(number), 1, from: Self.one, at: .seconds(number), using: &random)
            if isTaken { taken += 1 }
        }
        #expect(taken == 32)
    }
}
