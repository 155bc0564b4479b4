import LatticeAPI
import Testing

@testable import LatticeNode

/// The events that one reader gets.
@Suite(.timeLimit(.minutes(10))) struct NodeEventsTests {
    private func notice(_ text: String) -> NodeEvent {
        .notice(Notice(.information, code: "test", text))
    }

    @Test func whatHappenedIsReadInItsOrderAndThenTheEnd() async {
        var broadcast = FrontTable()
        var events = broadcast.add().makeAsyncIterator()
        broadcast.tell(notice("a"))
        broadcast.tell(notice("b"))
        broadcast.finish()
        #expect(await events.next() == notice("a"))
        #expect(await events.next() == notice("b"))
        #expect(await events.next() == nil)
        #expect(await events.next() == nil)
    }

    @Test func whoeverWaitsIsWokenByWhatHappensAndByTheEnd() async {
        let (stream, input) = NodeEvents.makeStream(atMost: 4)
        let reader = Task {
            var heard: [NodeEvent] = []
            for await event in stream { heard.append(event) }
            return heard
        }
        #expect(input.yield(notice("a")))
        input.finish()
        #expect(await reader.value == [notice("a")])
    }

    @Test func aReaderThatFallsBehindIsToldHowMuchItMissed() async {
        let (stream, input) = NodeEvents.makeStream(atMost: 4)
        var events = stream.makeAsyncIterator()
        for number in 0..<7 { input.yield(notice("\(number)")) }
        #expect(await events.next() == notice("0"))
        #expect(await events.next() == notice("1"))
        input.yield(notice("again"))
        for number in 2..<4 { #expect(await events.next() == notice("\(number)")) }
        #expect(await events.next() == .missed(3))
        #expect(await events.next() == notice("again"))
    }

    @Test func whatWasMissedLastIsToldAtTheEnd() async {
        let (stream, input) = NodeEvents.makeStream(atMost: 1)
        for number in 0..<3 { input.yield(notice("\(number)")) }
        input.finish()
        var heard: [NodeEvent] = []
        for await event in stream { heard.append(event) }
        #expect(heard == [notice("0"), .missed(2)])
    }

    @Test func whoseReaderHasGoneIsToldSo() {
        var stream: NodeEvents?
        let input: NodeEvents.Input
        (stream, input) = NodeEvents.makeStream()
        #expect(stream != nil && input.yield(notice("a")) && !input.isGone)
        stream = nil
        #expect(!input.yield(notice("b")) && input.isGone)
    }

    @Test func aTaskThatIsCancelledWaitsNoLonger() async {
        let (stream, input) = NodeEvents.makeStream()
        let reader = Task {
            for await _ in stream {}
        }
        reader.cancel()
        await reader.value
        #expect(input.isGone)
    }

    @Test func aTaskThatIsCancelledReadsNothingOfWhatWaits() async {
        let (stream, input) = NodeEvents.makeStream()
        for number in 0..<100 { input.yield(notice("\(number)")) }
        let reader = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var count = 0
            for await _ in stream { count += 1 }
            return count
        }
        #expect(await reader.value == 0)
        #expect(input.isGone && !input.yield(notice("more")))
    }
}
