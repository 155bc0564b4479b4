import Glibc
import Testing

extension EndToEnd {
    /// Hosts of their own on segments of their own, found by the stack inside the program.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: Lab.isPossible, "a lab of hosts needs root and iproute2"))
    struct MeshTests {
        static let embedded = ["--discovery", "embedded"]

        @Test func aPairFindsEachOtherTalksAndTakesLeave() async throws {
            try await inLab("pair") { stage, _ in
                let alice = try stage.start("alice", on: "a", Self.embedded)
                let bob = try stage.start("bob", on: "b", Self.embedded)
                try await alice.connected(to: bob)
                try await bob.connected(to: alice)
                #expect(try await alice.ready().discovery == "embedded")
                alice.say("hello")
                #expect(try await bob.hears("hello").hops == 1)
                let seen = try #require(try await bob.ask("/peers").peers)
                #expect(seen.map(\.name) == ["alice"])
                #expect(seen.first?.state == "connected")
                #expect(seen.first?.hops == 1)
                alice.endInput()
                #expect(try await alice.exitCode() == 0)
                #expect(try await bob.notConnected(to: alice).reason == "they left")
                // Its announcement is withdrawn too.
                try await eventually("bob knows of nobody") {
                    try #require(try await bob.ask("/peers").peers).isEmpty
                }
            }
        }

        @Test func firstAndThirdOfALineTalkThroughTheSecond() async throws {
            try await inLab("line") { stage, _ in
                let alice = try stage.start("alice", on: "a", Self.embedded)
                let bob = try stage.start("bob", on: "b", Self.embedded)
                let carol = try stage.start("carol", on: "c", Self.embedded)
                try await bob.connected(to: alice)
                try await bob.connected(to: carol)
                for (near, far) in [(alice, carol), (carol, alice)] {
                    let id = try await far.ready().id
                    try await near.event("\(far.name) is two hops away") {
                        $0.event == "presence" && $0.id == id && $0.state == "here" && $0.hops == 2
                    }
                    near.say("from \(near.name)")
                    #expect(try await far.hears("from \(near.name)").hops == 2)
                }
                let trace = try await alice.ask("/trace carol")
                #expect(trace.event == "trace")
                #expect(trace.hops == 2)
                #expect(trace.path?.map(\.name) == ["alice", "bob", "carol"])
                let far = try #require(try await alice.ask("/peers").peers).first { $0.name == "carol" }
                #expect(far?.state == "notConnected")
                #expect(far?.hops == 2)
                #expect(far?.via == (try await bob.ready().id))
            }
        }

        @Test func withATimeToLiveOfOneALineReachesNeighboursOnly() async throws {
            try await inLab("line") { stage, _ in
                let alice = try stage.start("alice", on: "a", Self.embedded + ["--ttl", "1"])
                let bob = try stage.start("bob", on: "b", Self.embedded)
                let carol = try stage.start("carol", on: "c", Self.embedded)
                try await bob.connected(to: alice)
                try await bob.connected(to: carol)
                try await carol.connected(to: bob)
                alice.say("near")
                #expect(try await bob.hears("near").hops == 1)
                // Links keep the order: had it been passed on, it would have come before this.
                bob.say("over")
                try await carol.hears("over")
                // What comes by comparing stores has no hops: no ttl holds that up.
                let relayed = try carol.events().filter { $0.event == "message" && $0.hops ?? 0 > 0 }
                #expect(relayed.map(\.text) == ["over"])
                let id = try await alice.ready().id
                #expect(try !carol.events().contains { $0.id == id })
            }
        }

        @Test(arguments: [("ring 5", 2), ("segment 5", 4)])
        func fiveHearEachLineOnceOverOneLinkAPair(topology: String, neighbours: Int) async throws {
            try await inLab(topology) { stage, _ in
                let peers = try (1...5).map { try stage.start("peer\($0)", on: "h\($0)", Self.embedded) }
                for peer in peers {
                    try await eventually("\(peer.name) has \(neighbours) neighbours and knows all") {
                        let known = try #require(try await peer.ask("/peers").peers)
                        let connected = known.filter { $0.state == "connected" }
                        return connected.count == neighbours && Set(connected.compactMap(\.id)).count == neighbours
                            && known.count { ($0.hops ?? 0) >= 1 } == 4
                    }
                }
                for peer in peers {
                    // The links that yielded take a moment to close.
                    try await eventually("\(peer.name) keeps one link a pair") {
                        try peer.child.connectionCount() == neighbours
                    }
                }
                let lines = peers.flatMap { peer in (1...3).map { "\(peer.name) says \($0)" } }
                for peer in peers { peer.say((1...3).map { "\(peer.name) says \($0)" }) }
                for peer in peers {
                    for line in lines where !line.hasPrefix(peer.name) { try await peer.hears(line) }
                }
                for peer in peers {
                    try #require(try peer.heard().sorted() == lines.filter { !$0.hasPrefix(peer.name) })
                }
            }
        }

        /// More than keep links with everybody. Two places may stay free where all others are taken.
        @Test func fourteenKeepAboutEightLinksEachAndAllHearEachLineOnce() async throws {
            try await inLab("segment 14") { stage, _ in
                let peers = try (1...14).map { try stage.start("peer\($0)", on: "h\($0)", Self.embedded) }
                for peer in peers {
                    try await eventually("\(peer.name) has its neighbours and knows all") {
                        let known = try #require(try await peer.ask("/peers").peers)
                        let connected = known.count { $0.state == "connected" }
                        return (6...8).contains(connected) && known.count { ($0.hops ?? 0) >= 1 } == 13
                    }
                }
                for peer in peers { peer.say("\(peer.name) speaks") }
                for peer in peers {
                    for other in peers where other.name != peer.name { try await peer.hears("\(other.name) speaks") }
                    try #require(try peer.heard().count == 13)
                }
            }
        }

        @Test func differentMeshesDoNotSeeEachOther() async throws {
            try await inLab("segment 4") { stage, _ in
                let red = try [1, 2].map {
                    try stage.start("red\($0)", on: "h\($0)", Self.embedded + ["--mesh", "red"])
                }
                let blue = try [3, 4].map {
                    try stage.start("blue\($0)", on: "h\($0)", Self.embedded + ["--mesh", "blue"])
                }
                for (mesh, color) in [(red, "red"), (blue, "blue")] {
                    try await mesh[0].connected(to: mesh[1])
                    try await mesh[1].connected(to: mesh[0])
                    mesh[0].say("a line of \(color)")
                    try await mesh[1].hears("a line of \(color)")
                }
                for (peer, stranger) in [(red[0], "blue"), (blue[1], "red")] {
                    let known = try #require(try await peer.ask("/peers").peers)
                    #expect(known.count == 1)
                    #expect(try !peer.events().contains { $0.name?.hasPrefix(stranger) == true })
                }
            }
        }

        @Test func whoIsKilledIsNoticedByAll() async throws {
            try await inLab("segment 3") { stage, _ in
                let peers = try (1...3).map { try stage.start("peer\($0)", on: "h\($0)", Self.embedded) }
                for peer in peers.dropFirst() { try await peer.connected(to: peers[0]) }
                peers[0].child.send(SIGKILL)
                for peer in peers.dropFirst() {
                    #expect(try await peer.notConnected(to: peers[0]).reason != "they left")
                }
                peers[1].say("we go on")
                try await peers[2].hears("we go on")
            }
        }

        @Test func linesSaidWhileTheCableWasCutArriveAfterwards() async throws {
            try await inLab("pair") { stage, lab in
                let alice = try stage.start("alice", on: "a", Self.embedded)
                let bob = try stage.start("bob", on: "b", Self.embedded)
                try await alice.connected(to: bob)
                try await bob.connected(to: alice)
                try await lab.cut("a")
                alice.say("before it was noticed")
                try await alice.notConnected(to: bob)
                try await bob.notConnected(to: alice)
                alice.say("after it was noticed")
                bob.say("from the other side")
                let (aliceKnew, bobKnew) = (try alice.events().count, try bob.events().count)
                try await lab.mend("a")
                try await alice.connected(to: bob, from: aliceKnew)
                try await bob.connected(to: alice, from: bobKnew)
                try await bob.hears("after it was noticed")
                try await alice.hears("from the other side")
                #expect(try bob.heard() == ["before it was noticed", "after it was noticed"])
                #expect(try alice.heard() == ["from the other side"])
            }
        }
    }
}
