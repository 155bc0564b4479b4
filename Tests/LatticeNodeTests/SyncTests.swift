import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Nodes that lack what others have, over real links.
@Suite(.timeLimit(.minutes(10))) struct SyncTests {
    @Test func whoComesLateGetsWhatWasSaidAndLeft() async throws {
        let (alice, bob) = (try Home("alice"), try Home("bob"))
        let host = try await Chatter(alice)
        try await host.run {
            for text in ["one", "two", "three"] { try await host.say(text) }
            _ = try await host.node.perform(NewPost(text: "water", at: try .park()))
            let late = try await Chatter(bob)
            try await late.run {
                _ = try await late.node.perform(SetHere(try .park()))
                try await late.meet(host)
                try await eventually("five records") { try await late.count() == 5 }
                try await eventually("lines are delivered") { late.lines.count == 3 }
                #expect(late.lines.map(\.text) == ["one", "two", "three"])
                try await eventually("the post is reported") {
                    late.events.contains { if case .posted(let item) = $0 { item.text == "water" } else { false } }
                }
                try await eventually("caught up") {
                    late.events.contains { if case .sync(let progress) = $0 { progress.isCaughtUp } else { false } }
                }
                #expect(try await late.history().map(\.text) == ["one", "two", "three"])
            }
        }
    }

    @Test func whatWasSaidReachesWhoNeverMetItsAuthor() async throws {
        let homes = (try Home("alice"), try Home("bob"), try Home("carol"))
        let said = ChatRig.lines(3, by: homes.0.identity)
        _ = try await homes.0.store().insert(said, at: Clocks.machine())
        let bob = try await Chatter(homes.1)
        try await bob.run {
            let alice = try await Chatter(homes.0)
            try await alice.run {
                try await alice.meet(bob)
                try await eventually("bob has it") { try await bob.count() == 3 }
            }
            let carol = try await Chatter(homes.2)
            try await carol.run {
                try await carol.meet(bob)
                try await eventually("carol is notified") { carol.lines.count == 3 }
                #expect(carol.lines.map(\.record) == said.map(\.id))
                #expect(carol.lines.allSatisfy { $0.isLate && $0.hops == nil })
            }
        }
    }

    @Test func bothGetWhatTheOtherHas() async throws {
        let (alice, bob) = (try Home("alice"), try Home("bob"))
        let (hers, his) = (ChatRig.lines(300, by: alice.identity), ChatRig.lines(200, by: bob.identity))
        _ = try await alice.store().insert(hers, at: Clocks.machine())
        _ = try await bob.store().insert(his, at: Clocks.machine())
        let (one, other) = (try await Chatter(alice), try await Chatter(bob))
        try await one.run {
            try await other.run {
                try await one.meet(other)
                for chatter in [one, other] {
                    try await eventually("all lines") { try await chatter.count() == 500 }
                }
                let order = (try await one.history(), try await other.history())
                #expect(order.0.map(\.record) == order.1.map(\.record), "one order for everybody")
                try await eventually("told") { one.lines.count == 200 && other.lines.count == 300 }
                #expect(one.lines.allSatisfy { $0.isLate && $0.hops == nil })
                let status = try await one.node.perform(ShowSyncStatus())
                #expect(status.groups.first { $0.name == "chat" }?.records == 500)
                #expect(status.peers.map(\.name) == ["bob"] && status.peers.allSatisfy(\.isConnected))
            }
        }
        let store = try one.home.store()
        try await eventually("written down") {
            let compared = try await store.reconciling.comparedPeers()
            return compared.map(\.gained) == [200] && compared.map(\.given) == [300]
        }
    }

    @Test func whatIsSaidMeanwhilePassesTwoThousandPosts() async throws {
        let (alice, bob) = (try Home("alice"), try Home("bob"))
        _ = try await alice.store().insert(
            ChatRig.lines(2_000, by: Identity.generate(), bytes: 2_000), at: Clocks.machine())
        let (host, late) = (try await Chatter(alice), try await Chatter(bob))
        try await host.run {
            try await late.run {
                try await late.meet(host)
                for number in 0..<20 { try await host.say("now \(number)") }
                try await eventually("what is said now") { late.lines.filter { !$0.isLate }.count == 20 }
                #expect(late.lines.filter { !$0.isLate }.map(\.text) == (0..<20).map { "now \($0)" })
                try await eventually("all of it") { try await late.count() == 2_020 }
                try await eventually("told") { late.lines.count == 2_020 }
                let told = late.lines.map(\.record)
                #expect(Set(told).count == told.count, "nothing is delivered twice")
            }
        }
    }

    @Test func whatWasTakenBackNeverComesBack() async throws {
        let homes = (try Home("alice"), try Home("bob"), try Home("carol"))
        let (bob, carol) = (try await Chatter(homes.1), try await Chatter(homes.2))
        try await bob.run {
            try await carol.run {
                let alice = try await Chatter(homes.0)
                let post = try await alice.run {
                    for other in [bob, carol] { try await alice.meet(other) }
                    let post = try await alice.node.perform(NewPost(text: "water", at: try .park()))
                    for other in [bob, carol] { try await eventually("the post") { try await other.count() == 2 } }
                    return post
                }
                // Carol is not told that it was taken back.
                let again = try await Chatter(homes.0)
                try await again.run {
                    try await again.meet(bob)
                    _ = try await again.node.perform(DeleteItem(post.reference))
                    try await eventually("taken back") {
                        try await bob.store.catalogue.served([post.id], at: Clocks.machine()).isEmpty
                    }
                }
                try await bob.meet(carol)
                try await eventually("carol knows") {
                    try await carol.store.catalogue.served([post.id], at: Clocks.machine()).isEmpty
                }
                #expect(try await bob.store.catalogue.served([post.id], at: Clocks.machine()).isEmpty)
            }
        }
    }

    @Test func whatAnotherProcessWritesMeanwhileIsComparedToo() async throws {
        let (alice, bob) = (try Home("alice"), try Home("bob"))
        let (host, late) = (try await Chatter(alice), try await Chatter(bob))
        let other = try alice.store()
        try await host.run {
            try await late.run {
                try await late.meet(host)
                for part in 0..<5 {
                    _ = part
                    _ = try await other.insert(ChatRig.lines(40, by: Identity.generate()), at: Clocks.machine())
                }
                try await eventually("all of it") {
                    _ = try await late.node.perform(SyncNow())
                    return try await late.count() == 200
                }
            }
        }
    }
}
