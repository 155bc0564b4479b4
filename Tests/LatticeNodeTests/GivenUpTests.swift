import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeNode

/// A request that waits for a confirmation and is cancelled.
@Suite(.timeLimit(.minutes(10)))
struct GivenUpTests {
    @Test func whoIsCancelledWaitsNoLongerForAConfirmation() async throws {
        let alice = try await Chatter(try Home("alice"))
        let answer = try await alice.run {
            try await alice.say("is anybody there?")
            let waiting = Task { try await alice.node.perform(Flush(timeout: .seconds(86_400))) }
            try await eventually("it waits") { await !alice.node.flushWaiters.isEmpty }
            waiting.cancel()
            return try await waiting.value
        }
        #expect(answer == .init(unconfirmed: 1))
    }
}
