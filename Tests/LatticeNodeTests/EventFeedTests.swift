import LatticeAPI
import Testing

@testable import LatticeNode

/// What one reader in the process is told.
@Suite(.timeLimit(.minutes(10))) struct EventFeedTests {
    private func notice(_ text: String) -> NodeEvent {
        .notice(Notice(.information, code: "test", text))
    }

    @Test func whatHappenedIsReadInItsOrderAndThenTheEnd() async {
        var broadcast = Broadcast()
        let feed = broadcast.addFeed()
        broadcast.tell(notice("a"))
        broadcast.tell(notice("b"))
        broadcast.finish()
        #expect(await feed.next() == notice("a"))
        #expect(await feed.next() == notice("b"))
        #expect(await feed.next() == nil)
        #expect(await feed.next() == nil)
    }

    @Test func whoeverWaitsIsWokenByWhatHappensAndByTheEnd() async {
        let feed = EventFeed(eventsMax: 4)
        async let first = feed.next()
        #expect(feed.put(notice("a")))
        #expect(await first == notice("a"))
        async let second = feed.next()
        feed.finish()
        #expect(await second == nil)
    }

    @Test func aReaderThatFallsBehindIsToldHowMuchItMissed() async {
        var broadcast = Broadcast()
        let feed = broadcast.addFeed()
        for number in 0..<Broadcast.eventsMax + 3 { broadcast.tell(notice("\(number)")) }
        #expect(await feed.next() == notice("0"))
        #expect(await feed.next() == notice("1"))
        broadcast.tell(notice("again"))
        for number in 2..<Broadcast.eventsMax { #expect(await feed.next() == notice("\(number)")) }
        #expect(await feed.next() == .missed(3))
        #expect(await feed.next() == notice("again"))
    }
}
