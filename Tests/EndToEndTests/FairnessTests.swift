import Glibc
import Testing

extension EndToEnd {
    /// Somebody says very much, somebody takes in very slowly: nothing is lost, and others get a word in.
    @Suite(.timeLimit(.minutes(10))) struct FairnessTests {
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
            try await inLab("line") { stage, lab in
                // Left to themselves they grow to 32 MB, and then everything is on its way before there is a choice.
                for host in ["b", "c"] {
                    for buffer in ["rmem", "wmem"] {
                        let limits = "echo 4096 65536 262144 > /proc/sys/net/ipv4/tcp_\(buffer)"
                        try await lab.run(host, "sh", "-c", limits)
                    }
                }
                let embedded = ["--discovery", "embedded"]
                let alice = try stage.start("alice", on: "a", embedded)
                let dave = try stage.start("dave", on: "a", embedded)
                let bob = try stage.start("bob", on: "b", embedded)
                let carol = try stage.start("carol", on: "c", embedded)
                for peer in [alice, dave, carol] {
                    try await bob.connected(to: peer)
                    try await peer.connected(to: bob)
                }
                for (attempt, count) in zip(1..., [1_000, 1_000, 700, 500, 400]) {
                    let (before, first) = (try carol.heard().count, try bob.events().count)
                    let lines = try await Self.speak(
                        attempt, count, alice, dave, bob, whileStopped: carol)
                    let all = Set(lines + ["excuse me \(attempt)"])
                    let heard = try await eventually("carol hears everything") { () -> [String]? in
                        let heard = try carol.heard().dropFirst(before)
                        return heard.count < all.count ? nil : Array(heard)
                    }
                    let isAll = Set(heard) == all && heard.count == all.count
                    #expect(isAll)
                    let lost = try bob.events().dropFirst(first).contains {
                        $0.event == "peer" && $0.state == "notConnected" && $0.name == "carol"
                    }
                    // A machine so slow that the link did not outlive the wait: what is fetched then comes in its own order.
                    if lost {
                        try await bob.connected(to: carol, from: first)
                        continue
                    }
                    #expect(try #require(heard.firstIndex(of: "excuse me \(attempt)")) < lines.count - 100)
                    return
                }
                Issue.record("the link never outlived the wait")
            }
        }

        /// Alice says very much and Dave one line while Carol takes in nothing; all of it waits at Bob's.
        ///
        /// - Returns: what Alice said.
        private static func speak(
            _ attempt: Int, _ count: Int, _ alice: Peer, _ dave: Peer, _ bob: Peer, whileStopped carol: Peer
        ) async throws -> [String] {
            let before = try bob.heard().count
            carol.child.send(SIGSTOP)
            defer { carol.child.send(SIGCONT) }
            // 4 MB, or on a slow machine 1.6: more than sockets hold, less than is dropped, and no more lines than neighbours can still ask
            // alice for.
            let padding = String(repeating: "x", count: 3_950)
            let lines = (1...count).map { "\(attempt) \($0) \(padding)" }
            alice.say(lines)
            try await eventually("bob hears everything") { try bob.heard().count == before + lines.count }
            dave.say("excuse me \(attempt)")
            try await bob.hears("excuse me \(attempt)")
            return lines
        }
    }
}
