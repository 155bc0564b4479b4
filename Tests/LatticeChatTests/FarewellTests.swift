import LatticeAPI
import LatticeChat
import LatticeCore
import Synchronization
import Testing

/// How long the end of input waits for somebody to take what was said.
@Suite(.timeLimit(.minutes(10)))
struct FarewellTests {
    /// A node that answers each question with the next of these counts of unconfirmed lines.
    private static func answering(_ unconfirmed: [Int]) -> FakeNode.Answering {
        let rest = Rest(unconfirmed)
        return { request throws(RequestError) in
            guard request is Flush else { return try await FakeNode.obliging(request) }
            return Flush.Reply(unconfirmed: rest.next())
        }
    }

    private final class Rest: Sendable {
        private let counts: Mutex<[Int]>

        init(_ counts: [Int]) {
            self.counts = Mutex(counts)
        }

        func next() -> Int { counts.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    }

    private static let whole = Flush(timeout: .seconds(10))
    /// What is left of what was said here.
    private static let own = Flush(timeout: .zero, lines: [RecordID(.zero)])

    @Test func aLoneChatWaitsOnce() async throws {
        let rig = try ChatRig(isInteractive: false, answering: Self.answering([1]))
        #expect(await rig.run(typing: ["one"]) == .nobodyThere)
        #expect(await rig.node.requests.dropFirst() == [Flush(timeout: .zero), Self.whole, Self.own])
    }

    /// Other programs of this person say lines through the same node, and what waits from before is none of this chat's.
    @Test func whatOthersSaidIsNotThisChatsToAnswerFor() async throws {
        let rig = try ChatRig(isInteractive: false) { request throws(RequestError) in
            guard let flush = request as? Flush else { return try await FakeNode.obliging(request) }
            return Flush.Reply(unconfirmed: flush.lines == nil ? 2 : 0)
        }
        #expect(await rig.run(typing: ["one"]) == .done)
        #expect(rig.screen.error.isEmpty)
    }

    @Test func whoeverSaidNothingLeavesNothingBehind() async throws {
        let rig = try ChatRig(answering: Self.answering([2]))
        #expect(await rig.run(typing: ["/quit"]) == .done)
        #expect(rig.screen.error.isEmpty)
    }

    @Test func whatCouldNotBeKeptIsNotSaidToBe() async throws {
        let rig = try ChatRig { request throws(RequestError) in
            if request is Say { return Say.Reply(RecordID(.zero), isWaiting: true, unkept: .quotaFull) }
            if request is Flush { return Flush.Reply(unconfirmed: 1) }
            return try await FakeNode.obliging(request)
        }
        #expect(await rig.run(typing: ["one", "/quit"]) == .nobodyThere)
        #expect(
            rig.screen.error == [
                "* Nobody is connected, and your messages are lost if nobody connects before you leave: the storage quota is used up",
                "lattice: 1 line reached nobody: no peer was connected. It is not stored; send it again.",
            ])
    }

    @Test func asLongAsSomethingIsConfirmedItGoesOn() async throws {
        let rig = try ChatRig(isInteractive: false, answering: Self.answering([9, 5, 2, 0]))
        #expect(await rig.run(typing: ["one"]) == .done)
        #expect(
            await rig.node.requests.dropFirst() == [Flush(timeout: .zero), Self.whole, Self.whole, Self.whole])
    }

    @Test func aSignalEndsTheWaitForThoseWhoAreNotThere() async throws {
        let rig = try ChatRig(isInteractive: false) { request throws(RequestError) in
            guard let flush = request as? Flush else { return try await FakeNode.obliging(request) }
            guard flush.timeout > .zero else { return Flush.Reply(unconfirmed: 1) }
            // As a node does: until it is cancelled.
            let (never, input) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            input.finish()
            return Flush.Reply(unconfirmed: 1)
        }
        async let end = rig.run(typing: ["one"])
        try await rig.until("it waits") { await rig.node.requests.last == AnyHashable(Self.whole) }
        rig.interrupt()
        #expect(await end == .done)
        #expect(rig.screen.error.isEmpty)
    }
}
