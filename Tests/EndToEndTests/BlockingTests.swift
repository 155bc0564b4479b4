import Foundation
import Testing

extension EndToEnd {
    /// Whom one blocks: over a friend in between, and as a neighbour.
    @Suite(.timeLimit(.minutes(10))) struct BlockingTests {
        @Test func whoIsBlockedIsNotHeardOverOthersNorLetIn() async throws {
            try await inLab("line") { stage, _ in
                let embedded = ["--discovery", "embedded"]
                let alice = try stage.start("alice", on: "a", embedded)
                let bob = try stage.start("bob", on: "b", embedded)
                let carol = try stage.start("carol", on: "c", embedded)
                try await bob.connected(to: alice)
                try await bob.connected(to: carol)
                let id = try await alice.ready().id
                try await carol.event("alice is here") { $0.event == "presence" && $0.id == id && $0.state == "here" }
                alice.say("before")
                try await carol.hears("before")
                carol.say("/block alice")
                try await carol.event("alice is blocked") { $0.event == "contact" && $0.id == id }
                alice.say("unheard")
                try await bob.hears("unheard")
                // Links keep the order: had it been shown, it would have come before this.
                bob.say("over")
                try await carol.hears("over")
                #expect(try carol.heard() == ["before", "over"])
                bob.say("/block alice")
                #expect(try await alice.notConnected(to: bob).reason == "it has blocked this peer")
                alice.say("to nobody")
                bob.say("still here")
                try await carol.hears("still here")
                #expect(try bob.heard() == ["before", "unheard"])
            }
        }
    }
}
