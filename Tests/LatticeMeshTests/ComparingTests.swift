import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@Suite struct ComparingTests {
    private let groups = SyncScope.Group.allCases

    private func progress(_ isCaughtUp: Bool, fetched: Int = 0, missing: Int = 0, peers: Int = 0) -> ReconcileProgress {
        ReconcileProgress(isCaughtUp: isCaughtUp, fetched: fetched, missing: missing, peers: peers)
    }

    // MARK: - What is kept

    @Test func whatIsKeptIsSaidToEveryNeighbourAndAgainWhenItChanges() throws {
        var fixture = try Fixture()
        _ = try fixture.connect(1, on: 1)
        #expect(fixture.handle(.keepingChanged(.everything)) == [.send(.keeping(.everything), to: 1)])
        #expect(fixture.handle(.keepingChanged(.everything)).isEmpty)
        let connected = try fixture.connect(2, on: 2)
        #expect(connected.last == .send(.keeping(.everything), to: 2))
        let later = Keeping([Keeping.Entry(.chat, since: HybridTime(rawValue: 5))])
        #expect(
            fixture.handle(.keepingChanged(later)) == [.send(.keeping(later), to: 1), .send(.keeping(later), to: 2)])
    }

    @Test func withoutAStoreNothingIsSaidAndNothingCompared() throws {
        var fixture = try Fixture()
        try fixture.dial(200, on: 1)
        #expect(fixture.handle(.received(1, .keeping(.everything))).isEmpty)
        #expect(fixture.pass(.seconds(300)).works.isEmpty)
        let question = Comparison(
            side: .question, session: 1, scope: SyncScope(.chat), since: HybridTime(rawValue: 0), message: [1])
        let answer = Comparison(
            side: .answer, session: 1, scope: SyncScope(.chat), since: HybridTime(rawValue: 0), message: [])
        #expect(fixture.handle(.received(1, .comparison(question))) == [.send(.comparison(answer), to: 1)])
    }

    @Test func aNeighbourThatNeverSaysWhatItKeepsIsNotComparedWith() throws {
        var fixture = try Fixture()
        _ = fixture.handle(.keepingChanged(.everything))
        try fixture.dial(200, on: 1)
        _ = fixture.handle(.syncWanted)
        #expect(fixture.pass(.seconds(300)).works.isEmpty)
        #expect(fixture.mesh.antiEntropy.progress == progress(false))
    }

    // MARK: - A round

    @Test func theSideThatDialledAsksAtOnceInWhatBothKeep() throws {
        var fixture = try Fixture()
        let since = HybridTime(rawValue: 9)
        let theirs = Keeping([
            Keeping.Entry(.chat, since: since), Keeping.Entry(.changes, since: HybridTime(rawValue: 0)),
        ])
        let effects = try fixture.dialled(200, on: 1, keeping: theirs)
        #expect(
            effects == [
                .compare(
                    ComparisonWork(
                        link: 1, side: .question, session: 1, scope: SyncScope(.chat), since: since, message: [])),
                .compare(
                    ComparisonWork(
                        link: 1, side: .question, session: 2, scope: SyncScope(.changes),
                        since: HybridTime(rawValue: 0), message: [])),
            ])
    }

    @Test func theSideThatWasDialledAsksWhenTheOtherHasAskedAllItWanted() throws {
        var fixture = try Fixture()
        #expect(try fixture.wasDialled(by: 1, on: 1).isEmpty)
        let question = Comparison(
            side: .question, session: 7, scope: SyncScope(.chat), since: HybridTime(rawValue: 0), message: [1])
        let asked = fixture.handle(.received(1, .comparison(question)), after: .milliseconds(1_900))
        #expect(asked.works.map(\.side) == [.answer])
        #expect(fixture.pass(.milliseconds(1_900)).works.isEmpty)
        #expect(fixture.pass(.milliseconds(200)).begun == [1])
    }

    @Test func whoeverAsksForEverIsAskedAllTheSame() throws {
        var fixture = try Fixture()
        try fixture.wasDialled(by: 1, on: 1)
        var begun = 0
        for second in 0..<20 {
            let question = Comparison(
                side: .question, session: UInt32(second), scope: SyncScope(.chat), since: HybridTime(rawValue: 0),
                message: [1])
            var effects = fixture.handle(.received(1, .comparison(question)))
            for work in effects.works where work.side == .answer {
                effects += fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1], have: [], need: []))))
            }
            begun += (effects + fixture.pass(.seconds(1))).begun.count
        }
        #expect(begun == 1)
    }

    @Test func aQuestionGoesBackAndForthUntilThereIsNoReply() throws {
        var fixture = try Fixture()
        let only = Keeping([Keeping.Entry(.posts, since: HybridTime(rawValue: 0))])
        let work = try #require(try fixture.dialled(200, on: 1, keeping: only).works.first)
        let asked = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1, 2], have: [], need: []))))
        #expect(asked == [.send(.comparison(work.asked([1, 2])), to: 1)])
        let answered = fixture.handle(.received(1, .comparison(work.answered([3]))))
        let next = ComparisonWork(
            link: 1, side: .question, session: work.session, scope: work.scope, since: work.since, message: [3])
        #expect(answered == [.compare(next)])
        let again = fixture.handle(.compared(ComparisonOutcome(next, .step(reply: [4], have: [], need: []))))
        #expect(again == [.send(.comparison(work.asked([4])), to: 1)])
        let last = fixture.handle(.received(1, .comparison(work.answered([5])))).works
        let ended = fixture.handle(
            .compared(ComparisonOutcome(try #require(last.first), .step(reply: nil, have: [], need: []))))
        // Not all groups are kept there, and what both keep was compared.
        #expect(ended == [.comparedWith(Fixture.peer(200)), .syncChanged])
        #expect(fixture.mesh.antiEntropy.progress == progress(true, peers: 1))
        #expect(fixture.mesh.antiEntropy.neighbours.first?.comparedAt == fixture.now)
    }

    @Test func allScopesTogetherAreOneComparison() throws {
        var fixture = try Fixture()
        let works = try fixture.dialled(200, on: 1).works
        #expect(works.map(\.scope.group) == groups)
        #expect(fixture.compareAll(Array(works.dropLast())).isEmpty)
        #expect(fixture.mesh.antiEntropy.neighbours.map(\.isComparing) == [true])
        #expect(fixture.compareAll(works.suffix(1)) == [.comparedWith(Fixture.peer(200)), .syncChanged])
        #expect(fixture.mesh.antiEntropy.neighbours.map(\.isComparing) == [false])
    }

    @Test func onlyTheScopesThatFailedAreComparedAgain() throws {
        var fixture = try Fixture()
        let works = try fixture.dialled(200, on: 1).works
        _ = fixture.compareAll(Array(works.dropFirst(2)))
        for work in works.prefix(2) {
            _ = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1], have: [], need: []))))
            _ = fixture.handle(.received(1, .comparison(work.answered([]))))
        }
        #expect(!fixture.mesh.antiEntropy.progress.isCaughtUp)
        let again = fixture.pass(.seconds(2)).works
        #expect(again.map(\.scope) == works.prefix(2).map(\.scope))
        #expect(fixture.compareAll(again) == [.comparedWith(Fixture.peer(200)), .syncChanged])
    }

    @Test func roomsAreComparedFiveAtATime() throws {
        var fixture = try Fixture()
        let rooms = (0..<12).map { [UInt8](repeating: UInt8($0), count: 3) }
        let theirs = Keeping([Keeping.Entry(.chat, since: HybridTime(rawValue: 0))], rooms: rooms)
        var works = try fixture.dialled(200, on: 1, keeping: theirs).works
        #expect(works.compactMap(\.scope.room) == Array(rooms.prefix(5)))
        var seen = works.count
        while let work = works.first {
            let ended = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: nil, have: [], need: []))))
            works = Array(works.dropFirst()) + ended.works
            seen += ended.works.count
        }
        #expect(seen == 12)
        #expect(fixture.mesh.antiEntropy.progress.isCaughtUp)
    }

    @Test func whatIsHadIsOfferedAndWhatIsNeededIsFetched() throws {
        var fixture = try Fixture()
        let works = try fixture.dialled(200, on: 1).works
        let (have, need) = (try Fixture.ids(0..<2), try Fixture.ids(2..<4))
        let found = fixture.compareAll(Array(works.prefix(1)), have: have, need: need)
        #expect(
            found == [
                .send(.offer(RecordIDs(have)), to: 1), .send(.fetch(RecordIDs(need)), to: 1), .syncChanged,
            ])
        #expect(fixture.mesh.antiEntropy.progress == progress(false, missing: 2))
    }

    // MARK: - What goes wrong

    @Test func anEmptyAnswerEndsAComparisonWhichIsTriedAgainLessAndLessOften() throws {
        var fixture = try Fixture()
        let only = Keeping([Keeping.Entry(.posts, since: HybridTime(rawValue: 0))])
        var works = try fixture.dialled(200, on: 1, keeping: only).works
        var waits: [Int64] = []
        for _ in 0..<9 {
            let work = try #require(works.first)
            _ = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1], have: [], need: []))))
            let refused = fixture.handle(.received(1, .comparison(work.answered([]))))
            #expect(refused.works.isEmpty && !refused.contains(.comparedWith(Fixture.peer(200))))
            let since = fixture.now
            repeat { works = fixture.pass(.seconds(1)).works } while works.isEmpty
            waits.append(since.duration(to: fixture.now).components.seconds)
        }
        // Two seconds lie between any two. One neighbour is compared with every minute, and it is the only one.
        #expect(waits.prefix(6) == [2, 2, 4, 8, 16, 32])
        #expect(waits.allSatisfy { $0 <= 60 })
        #expect(!fixture.mesh.antiEntropy.progress.isCaughtUp)
    }

    @Test func aQuestionIsWaitedForFifteenSeconds() throws {
        var fixture = try Fixture()
        let works = try fixture.dialled(200, on: 1).works
        for work in works {
            _ = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1], have: [], need: []))))
        }
        _ = fixture.pass(.milliseconds(14_999))
        #expect(fixture.mesh.antiEntropy.neighbours.map(\.isComparing) == [true])
        _ = fixture.pass(.milliseconds(1))
        #expect(fixture.mesh.antiEntropy.neighbours.map(\.isComparing) == [false])
        #expect(fixture.pass(.seconds(1)).begun == [1])
        // What comes now is the answer to nothing.
        #expect(fixture.handle(.received(1, .comparison(works[0].answered([1])))).isEmpty)
    }

    @Test func aStepThatCannotBeMadeIsTriedAgain() throws {
        var fixture = try Fixture()
        let only = Keeping([Keeping.Entry(.posts, since: HybridTime(rawValue: 0))])
        let work = try #require(try fixture.dialled(200, on: 1, keeping: only).works.first)
        var delay = MeshLimit.workRetryMin
        for _ in 1..<MeshLimit.workTriesMax {
            #expect(fixture.handle(.compared(ComparisonOutcome(work, .unready))).isEmpty)
            #expect(fixture.pass(delay - .milliseconds(1)).works.isEmpty)
            #expect(fixture.pass(.milliseconds(1)).works == [work])
            delay *= 2
        }
        _ = fixture.handle(.compared(ComparisonOutcome(work, .unready)))
        #expect(fixture.mesh.antiEntropy.neighbours.map(\.isComparing) == [false])
    }

    @Test func whenWhatIsKeptChangesMeanwhileTheScopeIsBegunAgain() throws {
        var fixture = try Fixture()
        let only = Keeping([Keeping.Entry(.posts, since: HybridTime(rawValue: 0))])
        let work = try #require(try fixture.dialled(200, on: 1, keeping: only).works.first)
        _ = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1], have: [], need: []))))
        let later = Keeping([Keeping.Entry(.posts, since: HybridTime(rawValue: 7))])
        #expect(fixture.handle(.received(1, .keeping(later))).isEmpty)
        let again = fixture.handle(.received(1, .comparison(work.answered([]))))
        #expect(again.works.map(\.since) == [HybridTime(rawValue: 7)])
        #expect(again.works.map(\.session) != [work.session])
    }

    @Test func whoeverBreaksTheProtocolIsShunnedAndStaysANeighbour() throws {
        var fixture = try Fixture()
        let work = try #require(try fixture.dialled(200, on: 1).works.first)
        let effects = fixture.handle(.compared(ComparisonOutcome(work, .faulty("not a message"))))
        #expect(effects.closed.isEmpty)
        #expect(fixture.mesh.register.neighbourCount == 1)
        #expect(fixture.handle(.syncWanted).works.isEmpty)
        #expect(fixture.pass(.seconds(300)).works.isEmpty)
        // Nor does it help to come again.
        _ = fixture.handle(.linkClosed(1, .broken("")))
        let back = try fixture.wasDialled(by: 200, on: 2) + fixture.pass(.seconds(299)) + fixture.handle(.syncWanted)
        #expect(back.works.isEmpty)
        _ = fixture.pass(.seconds(1))
        #expect(fixture.handle(.syncWanted).begun == [2])
    }

    @Test func answersForEverAreEnded() throws {
        var fixture = try Fixture()
        let only = Keeping([Keeping.Entry(.posts, since: HybridTime(rawValue: 0))])
        var work = try #require(try fixture.dialled(200, on: 1, keeping: only).works.first)
        var questions = 0
        while questions < 10_000 {
            let asked = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1], have: [], need: []))))
            guard asked.comparisons.count == 1 else { break }
            questions += 1
            work = try #require(fixture.handle(.received(1, .comparison(work.answered([1])))).works.first)
        }
        #expect(questions == MeshLimit.questionsPerSessionMax)
    }

    @Test func slowAnswersForEverAreEndedSooner() throws {
        var fixture = try Fixture()
        let only = Keeping([Keeping.Entry(.posts, since: HybridTime(rawValue: 0))])
        var work = try #require(try fixture.dialled(200, on: 1, keeping: only).works.first)
        var questions = 0
        while questions < 10_000 {
            let asked = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1], have: [], need: []))))
            guard asked.comparisons.count == 1 else { break }
            questions += 1
            _ = fixture.pass(.seconds(14))
            guard let next = fixture.handle(.received(1, .comparison(work.answered([1])))).works.first else { break }
            work = next
        }
        #expect(questions == 5)
        #expect(fixture.mesh.antiEntropy.neighbours.map(\.isComparing) == [false])
    }

    // MARK: - Room

    /// Asks in one session until there are no more questions; each answer has `count` ids.
    private func tell(
        _ fixture: inout Fixture, _ work: ComparisonWork, _ count: Int, from start: Int = 0
    ) throws -> (last: ComparisonWork, told: Int) {
        var (work, told) = (work, 0)
        var asked = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1], have: [], need: []))))
        while !asked.comparisons.isEmpty, told < 200_000 {
            work = try #require(fixture.handle(.received(1, .comparison(work.answered([1])))).works.first)
            let need = try Fixture.ids(start + told..<start + told + count)
            told += count
            asked = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1], have: [], need: need))))
        }
        return (work, told)
    }

    @Test func aQuestionIsHeldBackUntilThereIsRoomForWhatItsAnswerMayTell() throws {
        var fixture = try Fixture()
        let only = Keeping([Keeping.Entry(.chat, since: HybridTime(rawValue: 0))])
        let work = try #require(try fixture.dialled(200, on: 1, keeping: only).works.first)
        let told = try tell(&fixture, work, MeshLimit.answerIDsMax).told
        #expect(told <= MeshLimit.wantedMax && told > MeshLimit.wantedMax - 2 * MeshLimit.answerIDsMax)
        #expect(fixture.mesh.antiEntropy.progress.missing == told)
        // It is not given up for that.
        _ = fixture.handle(.received(1, .lack(RecordIDs(try Fixture.ids(0..<128)))))
        #expect(fixture.mesh.antiEntropy.neighbours.map(\.isComparing) == [true])
        let settled = fixture.handle(.dropped(try Fixture.ids(128..<3_000)))
        #expect(settled.comparisons.map(\.comparison.message) == [[1]])
    }

    @Test func whatThereWasNoRoomForIsFoundAgainWhenThereIs() throws {
        var fixture = try Fixture()
        let only = Keeping([Keeping.Entry(.chat, since: HybridTime(rawValue: 0))])
        let works = try fixture.dialled(200, on: 1, keeping: only).works
        _ = fixture.compareAll(works, need: try Fixture.ids(0..<40_000))
        #expect(fixture.mesh.antiEntropy.progress.missing == MeshLimit.wantedMax)
        #expect(fixture.handle(.dropped(try Fixture.ids(0..<20_000)), after: .seconds(5)).works.isEmpty)
        #expect(fixture.handle(.dropped(try Fixture.ids(20_000..<30_000))).begun == [1])
    }

    @Test func aScopeIsBegunAgainAFewTimesOnly() throws {
        var fixture = try Fixture()
        func keeping(_ since: UInt64) -> Keeping {
            Keeping([Keeping.Entry(.posts, since: HybridTime(rawValue: since))])
        }
        var works = try fixture.dialled(200, on: 1, keeping: keeping(1)).works
        var begun = 0
        while let work = works.first, begun < 100 {
            begun += 1
            _ = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1], have: [], need: []))))
            _ = fixture.handle(.received(1, .keeping(keeping(UInt64(1 + begun)))))
            works = fixture.handle(.received(1, .comparison(work.answered([])))).works
        }
        #expect(begun == 1 + MeshLimit.reopeningsMax)
    }

    @Test func anAnswerToAnotherQuestionIsNone() throws {
        var fixture = try Fixture()
        let work = try #require(try fixture.dialled(200, on: 1).works.first)
        _ = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1], have: [], need: []))))
        let other = Comparison(
            side: .answer, session: work.session, scope: SyncScope(.posts), since: work.since, message: [1])
        let later = Comparison(
            side: .answer, session: work.session, scope: work.scope, since: HybridTime(rawValue: 9), message: [1])
        let session = Comparison(side: .answer, session: 99, scope: work.scope, since: work.since, message: [1])
        for answer in [other, later, session] { #expect(fixture.handle(.received(1, .comparison(answer))).isEmpty) }
        #expect(fixture.handle(.received(1, .comparison(work.answered([1])))).works.count == 1)
        // Nor is a second one.
        #expect(fixture.handle(.received(1, .comparison(work.answered([1])))).isEmpty)
    }

    @Test func whatIsKeptMayBeSaidSixteenTimesInARow() throws {
        var fixture = try Fixture()
        try fixture.wasDialled(by: 1, on: 1)
        for number in UInt64(0)..<100 {
            let keeping = Keeping([Keeping.Entry(.chat, since: HybridTime(rawValue: number))])
            _ = fixture.handle(.received(1, .keeping(keeping)))
        }
        // The first was said on linking.
        #expect(fixture.mesh.antiEntropy.neighbours.first?.keeping?.since(.chat) == HybridTime(rawValue: 14))
    }

    // MARK: - Their questions

    @Test func aQuestionIsAnsweredByWhoeverHasTheSet() throws {
        var fixture = try Fixture()
        try fixture.wasDialled(by: 1, on: 1)
        let question = Comparison(
            side: .question, session: 70_000, scope: SyncScope(.people), since: HybridTime(rawValue: 3), message: [1])
        let work = ComparisonWork(
            link: 1, side: .answer, session: 70_000, scope: SyncScope(.people), since: HybridTime(rawValue: 3),
            message: [1])
        #expect(fixture.handle(.received(1, .comparison(question))) == [.compare(work)])
        let answer = Comparison(
            side: .answer, session: 70_000, scope: SyncScope(.people), since: HybridTime(rawValue: 3), message: [2])
        let answered = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [2], have: [], need: []))))
        #expect(answered == [.send(.comparison(answer), to: 1)])
        #expect(fixture.mesh.antiEntropy.neighbours.first?.comparedAt == fixture.now)
    }

    @Test func aQuestionOutsideOfWhatBothKeepIsAnsweredWithNothing() throws {
        var fixture = try Fixture()
        let ours = Keeping([Keeping.Entry(.chat, since: HybridTime(rawValue: 5))], rooms: [[1], [2]])
        _ = fixture.handle(.keepingChanged(ours))
        _ = try fixture.connect(1, on: 1)
        _ = fixture.handle(.received(1, .keeping(.everything)))
        func isWorkedOn(_ scope: SyncScope, since: UInt64, message: [UInt8] = [1]) -> Bool {
            var copy = fixture
            let question = Comparison(
                side: .question, session: 1, scope: scope, since: HybridTime(rawValue: since), message: message)
            let effects = copy.handle(.received(1, .comparison(question)))
            if effects.works.isEmpty { #expect(effects.comparisons.map(\.comparison.message) == [[]]) }
            return !effects.works.isEmpty
        }
        #expect(isWorkedOn(SyncScope(.chat, room: [1]), since: 5))
        #expect(isWorkedOn(SyncScope(.chat, room: [1]), since: 6))
        #expect(!isWorkedOn(SyncScope(.chat, room: [1]), since: 4))
        #expect(!isWorkedOn(SyncScope(.chat, room: [3]), since: 5))
        #expect(!isWorkedOn(SyncScope(.chat), since: 5))
        #expect(!isWorkedOn(SyncScope(.posts), since: 5))
        #expect(!isWorkedOn(SyncScope(.chat, room: [1]), since: 5, message: []))
    }

    @Test func questionsOfOneNeighbourAreAnsweredOneAfterAnotherAndFewWait() throws {
        var fixture = try Fixture()
        try fixture.wasDialled(by: 1, on: 1)
        func question(_ session: UInt32) -> Frame {
            .comparison(
                Comparison(
                    side: .question, session: session, scope: SyncScope(.chat), since: HybridTime(rawValue: 0),
                    message: [1]))
        }
        let first = try #require(fixture.handle(.received(1, question(0))).works.first)
        let most = UInt32(MeshLimit.questionsWaitingMax)
        for session in 1...most { #expect(fixture.handle(.received(1, question(session))).isEmpty) }
        #expect(fixture.handle(.received(1, question(99))).comparisons.map(\.comparison.message) == [[]])
        let next = fixture.handle(.compared(ComparisonOutcome(first, .unready)))
        #expect(next.comparisons.map(\.comparison.message) == [[]])
        #expect(next.works.map(\.session) == [1])
    }

    /// A question of 58 bytes, over an empty list, is answered with as many ids as one message holds.
    @Test func smallQuestionsWithLargeAnswersDrawNoMoreThanTheRate() throws {
        var fixture = try Fixture()
        try fixture.wasDialled(by: 1, on: 1)
        let reply = [UInt8](repeating: 1, count: Comparison.messageBytesMax)
        var bytes = 0
        for session in UInt32(0)..<5_000 {
            let question = Comparison(
                side: .question, session: session, scope: SyncScope(.chat), since: HybridTime(rawValue: 0),
                message: [0x61, 0, 0, 2, 0])
            for work in fixture.handle(.received(1, .comparison(question))).works where work.side == .answer {
                bytes += reply.count
                _ = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: reply, have: [], need: []))))
            }
            fixture.now = fixture.now.advanced(by: .milliseconds(1))
        }
        let most = (2_048 + 5 * 256) << 10
        #expect(bytes <= most + reply.count && bytes >= most * 8 / 10)
    }

    /// A neighbour that lacks everything fetches the ids of one answer and gets the next without waiting.
    @Test func whoFetchesWhatItWasToldOfMayAskOn() throws {
        var fixture = try Fixture()
        try fixture.wasDialled(by: 1, on: 1)
        let reply = [UInt8](repeating: 1, count: Comparison.messageBytesMax)
        let ids = try (0..<1_875).map { number in
            var bytes = [UInt8](repeating: 5, count: 32)
            (bytes[0], bytes[1]) = (UInt8(number & 255), UInt8(number >> 8))
            return RecordID(try #require(Bytes32(bytes)))
        }
        var answers = 0
        for session in UInt32(0)..<200 {
            let question = Comparison(
                side: .question, session: session, scope: SyncScope(.chat), since: HybridTime(rawValue: 0),
                message: [0x61, 0, 0, 2, 0])
            for work in fixture.handle(.received(1, .comparison(question))).works where work.side == .answer {
                answers += 1
                _ = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: reply, have: [], need: []))))
            }
            _ = fixture.handle(.received(1, .fetch(RecordIDs(Array(ids[..<1_024])))))
            _ = fixture.handle(.received(1, .fetch(RecordIDs(Array(ids[1_024...])))))
            fixture.now = fixture.now.advanced(by: .milliseconds(110))
        }
        #expect(answers == 200)
    }

    @Test func questionsWithoutEndAreAnsweredAtABoundedRate() throws {
        var fixture = try Fixture()
        try fixture.wasDialled(by: 1, on: 1)
        let long = [UInt8](repeating: 1, count: Comparison.messageBytesMax)
        var answers = 0
        for session in UInt32(0)..<3_000 {
            let question = Comparison(
                side: .question, session: session, scope: SyncScope(.chat), since: HybridTime(rawValue: 0),
                message: long)
            for work in fixture.handle(.received(1, .comparison(question))).works where work.side == .answer {
                answers += 1
                _ = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: long, have: [], need: []))))
            }
            fixture.now = fixture.now.advanced(by: .milliseconds(1))
        }
        #expect((33...45).contains(answers))
        // Who waits has its turn without asking again.
        #expect(fixture.pass(.seconds(1)).works.contains { $0.side == .answer })
    }
}
