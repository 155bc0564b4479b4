import Glibc
import Testing

extension EndToEnd {
    /// Somebody says very much, somebody takes in very slowly: nothing is lost, and others get a word in.
    @Suite(.timeLimit(.minutes(5))) struct FairnessTests {
        @Test func whoSaysMoreThanIsTakenAtOnceIsHeardToTheEnd() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let bob = try await stage.guest("bob", of: alice)
                // Half as much again as is taken at once. Bob has no other neighbour that could bring what he refused.
                let lines = (1...12_000).map { "line \($0)" }
                alice.say(lines)
                alice.say("over")
                try await bob.hears("over")
                let heard = try bob.heard()
                let isAll = heard == lines + ["over"]
                #expect(isAll, "\(heard.count) of \(lines.count + 1) came")
            }
        }

        @Test(.enabled(if: Lab.isPossible, "a lab of hosts needs root and iproute2"))
        func aQuietLinePassesALoudOnesBacklog() async throws {
            try await inLab("line") { stage, _ in
                let embedded = ["--discovery", "embedded"]
                let alice = try stage.start("alice", on: "a", embedded)
                let dave = try stage.start("dave", on: "a", embedded)
                let bob = try stage.start("bob", on: "b", embedded)
                let carol = try stage.start("carol", on: "c", embedded)
                for peer in [alice, dave, carol] {
                    try await bob.connected(to: peer)
                    try await peer.connected(to: bob)
                }
                carol.child.send(SIGSTOP)
                // 4 MB: more than sockets hold, less than is dropped, and no more lines than neighbours can still ask alice for.
                let padding = String(repeating: "x", count: 3_950)
                let lines = (1...1_000).map { "\($0) \(padding)" }
                alice.say(lines)
                try await eventually("bob hears everything") { try bob.heard().count == lines.count }
                dave.say("excuse me")
                try await bob.hears("excuse me")
                carol.child.send(SIGCONT)
                let all = Set(lines + ["excuse me"])
                let heard = try await eventually("carol hears everything") { () -> [String]? in
                    let heard = try carol.heard()
                    return heard.count < all.count ? nil : heard
                }
                #expect(try #require(heard.firstIndex(of: "excuse me")) < lines.count - 100)
                let isAll = Set(heard) == all && heard.count == all.count
                #expect(isAll)
            }
        }
    }
}
