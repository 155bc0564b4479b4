import LatticeAPI
import LatticeCore
import LatticeMesh
import Synchronization
import Testing

@testable import LatticeNode

/// Callers that wait for an event or until a deadline.
@Suite(.timeLimit(.minutes(10)))
struct WaitsTests {
    /// Waits that several tasks share.
    private final class Desk: Sendable {
        private struct State {
            var waits = Waits()
            var tickets: [Waits.Ticket] = []
        }

        private let state = Mutex(State())

        var deadline: Instant? { state.withLock(\.waits.deadline) }
        var isEmpty: Bool { state.withLock(\.waits.isEmpty) }
        var tickets: [Waits.Ticket] { state.withLock(\.tickets) }

        func change(_ work: (inout Waits) -> Void) { state.withLock { work(&$0.waits) } }

        func wait(for event: Waits.Event?, until seconds: Int64?) async -> Waits.Outcome {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    let ticket = state.waits.ticket()
                    state.tickets.append(ticket)
                    state.waits.open(ticket, for: event, until: seconds.map(instant), continuation)
                }
            }
        }

        /// Returns when this many have begun to wait.
        func waiting(_ count: Int) async {
            while tickets.count < count { await Task.yield() }
        }
    }

    private let desk = Desk()

    @Test func anEventEndsAllWaitsForItAndNoOthers() async {
        async let one = desk.wait(for: .flushed, until: 5)
        async let two = desk.wait(for: .flushed, until: nil)
        async let other = desk.wait(for: .probed(nonce: 7), until: nil)
        await desk.waiting(3)
        desk.change { $0.resolve(.flushed) }
        #expect(await [one, two] == [.happened, .happened])
        #expect(!desk.isEmpty && desk.deadline == nil)
        desk.change { $0.resolve(.probed(nonce: 8), .probed(.noRoute)) }
        #expect(!desk.isEmpty)
        desk.change { $0.resolve(.probed(nonce: 7), .probed(.timedOut)) }
        #expect(await other == .probed(.timedOut))
        #expect(desk.isEmpty)
    }

    @Test func aWaitEndsAtItsDeadlineAndTheEarliestIsFirst() async {
        async let late = desk.wait(for: .unlinked, until: 9)
        await desk.waiting(1)
        async let early = desk.wait(for: nil, until: 3)
        await desk.waiting(2)
        async let between = desk.wait(for: .drained(LinkID(rawValue: 1)), until: 5)
        await desk.waiting(3)
        #expect(desk.deadline == instant(3))
        desk.change { $0.expire(at: instant(2)) }
        #expect(desk.deadline == instant(3))
        desk.change { $0.expire(at: instant(3)) }
        #expect(await early == .ended && desk.deadline == instant(5))
        desk.change { $0.resolve(.drained(LinkID(rawValue: 1))) }
        #expect(await between == .happened && desk.deadline == instant(9))
        desk.change { $0.expire(at: instant(100)) }
        #expect(await late == .ended && desk.deadline == nil && desk.isEmpty)
    }

    @Test func whoGivesUpGoesOnAlone() async {
        async let one = desk.wait(for: .flushed, until: 4)
        await desk.waiting(1)
        async let two = desk.wait(for: .flushed, until: 4)
        await desk.waiting(2)
        let first = desk.tickets[0]
        desk.change { $0.giveUp(first) }
        #expect(await one == .ended && !desk.isEmpty && desk.deadline == instant(4))
        desk.change { $0.giveUp(first) }
        desk.change { $0.resolve(.flushed) }
        #expect(await two == .happened)
    }

    @Test func afterTheEndNobodyWaits() async {
        async let one = desk.wait(for: .flushed, until: nil)
        await desk.waiting(1)
        desk.change { $0.finish() }
        #expect(await one == .ended)
        #expect(await desk.wait(for: .unlinked, until: 10) == .ended)
        #expect(desk.isEmpty && desk.deadline == nil)
    }

    @Test func aCancelledCallerWaitsNoLongerForAConfirmation() async throws {
        let alice = try await Chatter(try Home("alice"))
        let answer = try await alice.run {
            try await alice.say("is anybody there?")
            let waiting = Task { try await alice.node.perform(Flush(timeout: .seconds(86_400))) }
            try await eventually("it waits") { await !alice.node.waits.isEmpty }
            waiting.cancel()
            return try await waiting.value
        }
        #expect(answer == .init(unconfirmed: 1))
    }
}

private func instant(_ seconds: Int64) -> Instant { Instant.zero.advanced(by: .seconds(seconds)) }
