import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// What is shown of private messages, and when.
struct PrivateNewsTests {
    private var news = PrivateNews()

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    private func outcome(_ effects: [PrivateNews.Effect]) -> PrivateNews.Outcome? {
        guard effects.count == 1, case .outcome(let outcome) = effects[0] else { return nil }
        return outcome
    }

    @Test mutating func whatSomebodyHasAtOnceIsNotTold() throws {
        #expect(news.handle(.said(try Samples.privateMessage("hi", isMine: true), isGoingOut: false), at: at(0)) == [])
        #expect(news.handle(.progress(Samples.progress(1, .relayed)), at: at(100)) == [])
        #expect(news.handle(.progress(Samples.progress(1, .delivered)), at: at(1_999)) == [])
        #expect(!news.isWaiting && news.handle(.leaving, at: at(2_000)) == [])
    }

    @Test mutating func wordThatComesBeforeTheAnswerIsAtOnceToo() throws {
        #expect(news.handle(.progress(Samples.progress(1, .delivered)), at: at(0)) == [])
        #expect(news.handle(.said(try Samples.privateMessage("hi", isMine: true), isGoingOut: false), at: at(1)) == [])
        #expect(news.handle(.tick, at: at(1_500)) == [])
    }

    @Test mutating func whatSomebodyHasLaterIsTold() throws {
        let message = try Samples.privateMessage("hi", isMine: true)
        _ = news.handle(.said(message, isGoingOut: false), at: at(0))
        #expect(news.handle(.progress(Samples.progress(1, .delivered)), at: at(2_000)) == [])
        #expect(news.handle(.tick, at: at(2_999)) == [])
        let told = outcome(news.handle(.tick, at: at(3_000)))
        #expect(told?.peer == message.peer && told?.state == .delivered && told?.count == 1)
        #expect(told?.first == 1 && told?.since == message.at)
        #expect(!news.isWaiting && news.handle(.tick, at: at(9_000)) == [])
    }

    @Test mutating func whatNobodyTakesThoughSomebodyIsThereIsTold() throws {
        let message = try Samples.privateMessage("hi", isMine: true)
        _ = news.handle(.said(message, isGoingOut: true), at: at(0))
        #expect(news.isWaiting && news.handle(.tick, at: at(1_999)) == [])
        #expect(news.handle(.tick, at: at(2_000)) == [])
        let told = outcome(news.handle(.tick, at: at(3_000)))
        #expect(told?.state == .waiting && told?.peer == message.peer && told?.since == message.at)
        #expect(!news.isWaiting && news.handle(.tick, at: at(9_000)) == [])
        _ = news.handle(.progress(Samples.progress(1, .delivered)), at: at(9_000))
        #expect(outcome(news.handle(.leaving, at: at(9_001)))?.state == .delivered)
    }

    @Test(arguments: [true, false])
    mutating func whatSomebodyTakesIsNotToldToWait(isOvertaken: Bool) throws {
        let word = PrivateNews.Event.progress(Samples.progress(1, .relayed))
        if isOvertaken { _ = news.handle(word, at: at(0)) }
        _ = news.handle(.said(try Samples.privateMessage("hi", isMine: true), isGoingOut: true), at: at(1))
        if !isOvertaken { _ = news.handle(word, at: at(2)) }
        #expect(!news.isWaiting)
        #expect(news.handle(.tick, at: at(5_000)) == [] && news.handle(.leaving, at: at(9_000)) == [])
    }

    @Test mutating func whatWasShownToWaitIsNotToldAgain() throws {
        _ = news.handle(.said(try Samples.privateMessage("hi", isMine: true), isGoingOut: false), at: at(0))
        #expect(!news.isWaiting && news.handle(.tick, at: at(9_000)) == [])
    }

    @Test mutating func manyLinesAreToldOfAsOneForEachPersonAndOutcome() {
        for number in Int64(1)...30 { _ = news.handle(.progress(Samples.progress(number, .delivered)), at: at(0)) }
        _ = news.handle(.progress(Samples.progress(31, .lapsed)), at: at(0))
        _ = news.handle(.progress(Samples.progress(32, .delivered, peer: 3)), at: at(0))
        let counts = news.handle(.leaving, at: at(1)).map { effect in
            if case .outcome(let outcome) = effect { outcome.count } else { 0 }
        }
        #expect(counts == [30, 1, 1])
    }

    @Test mutating func lateLinesAreShownTogetherByTheirDates() throws {
        let (new, old) = (
            try Samples.privateMessage("new", number: 1, isLate: true),
            try Samples.privateMessage("old", number: 2, ago: 9, isLate: true)
        )
        #expect(news.handle(.line(new), at: at(0)) == [])
        #expect(news.handle(.line(old), at: at(900)) == [])
        #expect(news.handle(.tick, at: at(1_800)) == [])
        #expect(news.handle(.tick, at: at(1_900)) == [.lines([old, new], omitted: 0)])
    }

    @Test mutating func whatNeverEndsIsShownAllTheSame() throws {
        for step in Int64(0)...5 {
            _ = news.handle(.line(try Samples.privateMessage("x", number: step, isLate: true)), at: at(step * 990))
        }
        #expect(news.handle(.tick, at: at(4_999)) == [])
        #expect(news.handle(.tick, at: at(5_000)).count == 1)
    }

    @Test mutating func ofVeryManyTheLastAreKeptAndTheRestIsCounted() throws {
        for number in 1...Int64(PrivateNews.linesMax + 5) {
            _ = news.handle(.line(try Samples.privateMessage("x", number: number, isLate: true)), at: at(0))
        }
        guard case .lines(let lines, let omitted) = news.handle(.leaving, at: at(0)).first else {
            Issue.record("they are shown")
            return
        }
        #expect(lines.count == PrivateNews.linesMax && lines.first?.number == 6 && omitted == 5)
    }

    @Test mutating func ofVeryManyOfOnesOwnTheFirstAreForgotten() throws {
        for number in 1...Int64(PrivateNews.saidMax + 1) {
            _ = news.handle(
                .said(try Samples.privateMessage("x", number: number, isMine: true), isGoingOut: false), at: at(0))
        }
        _ = news.handle(.progress(Samples.progress(1, .delivered)), at: at(1))
        _ = news.handle(.progress(Samples.progress(2, .delivered)), at: at(1))
        let told = outcome(news.handle(.leaving, at: at(1)))
        #expect(told?.first == 1 && told?.count == 1 && told?.since == nil)
    }
}
