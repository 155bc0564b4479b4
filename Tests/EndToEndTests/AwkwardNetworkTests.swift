import Foundation
import Testing

extension EndToEnd {
    /// Networks as they are where people meet: both find each other, every line comes once, and nobody dials more than it takes.
    @Suite(
        .timeLimit(.minutes(10)),
        .enabled(if: DialCount.isPossible, "a lab of hosts needs root and iproute2, and nftables for counting"))
    struct AwkwardNetworkTests {
        /// Two who link may dial each other at once, and at more than one address each.
        private static let dialsMax = 6

        // MARK: - Addresses that come and go

        @Test(arguments: ["embedded", "system"])
        func whoRoamsIsHeardAgain(discovery: String) async throws {
            guard discovery == "embedded" || Lab.hasAvahi else { return }
            try await inLab("pair") { stage, lab in
                if discovery == "system" { for host in ["a", "b"] { try await lab.avahi(host, "start") } }
                // An IPv6 address that stays would keep the link.
                try await Self.onlyIPv4(lab, "a", "b")
                let pair = try await Pair(stage, lab, ["--discovery", discovery])
                for round in 1...5 {
                    let knew = try pair.alice.events().count
                    try await lab.readdress("a", octet: 70 + round)
                    let lost = try await pair.alice.notConnected(to: pair.bob, from: knew)
                    #expect(lost.reason == "the address that this machine had there is gone")
                    try await pair.alice.connected(to: pair.bob, from: knew)
                    try await pair.talk("after roaming \(round) times")
                }
                // The other has never been without a link: the new one took the place of the old.
                #expect(try !pair.bob.events().contains { $0.reason == "it does not answer any more" })
                // One for each is enough; both may begin.
                try await pair.expectDials(atMost: Self.dialsMax + 5 * 2)
            }
        }

        @Test func aNetworkThatIsGoneAndComesBackIsUsedAgain() async throws {
            try await inLab("pair") { stage, lab in
                let pair = try await Pair(stage, lab)
                for round in 1...3 {
                    let knew = try pair.alice.events().count
                    for change in ["down", "up"] {
                        try await lab.run("a", "ip", "link", "set", "eth0", change)
                        if change == "down" { try await lab.run("a", "ip", "addr", "flush", "dev", "eth0") }
                        if change == "down" { try await pair.alice.notConnected(to: pair.bob, from: knew) }
                    }
                    try await lab.readdress("a", octet: 1)
                    try await pair.alice.connected(to: pair.bob, from: knew)
                    try await pair.talk("back for the \(round)th time")
                }
                try await pair.expectDials(atMost: Self.dialsMax + 3 * 4)
            }
        }

        @Test func anInterfaceThatFlapsMakesNoStorm() async throws {
            try await inLab("pair") { stage, lab in
                let pair = try await Pair(stage, lab)
                for round in 1...40 { try await lab.readdress("a", octet: 100 + round) }
                try await pair.talk("after forty addresses")
                try await pair.expectDials(atMost: 40)
            }
        }

        @Test func twoInterfacesOnOneSegmentAreOneWayToOnePeer() async throws {
            try await inLab("pair") { stage, lab in
                let pair = try await Pair(stage, lab)
                for host in ["a", "b"] { try await lab.plug(host, segment: 1) }
                try await pair.talk("over two interfaces")
                let carol = try stage.start("carol", on: "a", MeshTests.embedded)
                try await carol.connected(to: pair.bob)
                try await pair.talk("with carol")
                #expect(try await pair.bob.ask("/peers").peers?.count == 2)
                // The one that the link goes over, most likely.
                try await lab.run("a", "ip", "link", "set", "eth0", "down")
                try await pair.talk("over the other one")
                try await pair.expectDials(atMost: 4 * Self.dialsMax)
            }
        }

        /// Nothing tells of it: the link is up, and no packet comes through.
        @Test func whenNothingCameThroughForAWhileTheLinkIsMadeAgain() async throws {
            try await inLab("pair") { stage, lab in
                let pair = try await Pair(stage, lab)
                let (aliceKnew, bobKnew) = (try pair.alice.events().count, try pair.bob.events().count)
                try await lab.cut("a")
                try await pair.alice.notConnected(to: pair.bob, from: aliceKnew)
                try await pair.bob.notConnected(to: pair.alice, from: bobKnew)
                try await lab.mend("a")
                try await pair.alice.connected(to: pair.bob, from: aliceKnew)
                try await pair.talk("after the silence")
                try await pair.expectDials(atMost: 2 * Self.dialsMax)
            }
        }

        /// A switch that is switched off and on again: all lose all at once, and all come back at once.
        @Test func whenEverybodyComesBackAtOnceThereIsNoStorm() async throws {
            try await inLab("segment 6") { stage, lab in
                let hosts = (1...6).map { "h\($0)" }
                var counts: [DialCount] = []
                for host in hosts { counts.append(try await DialCount(host, of: lab)) }
                let peers = try hosts.map { try stage.start("peer-\($0)", on: $0, MeshTests.embedded) }
                func allMeet(from knew: [Int]) async throws {
                    for (index, peer) in peers.enumerated() {
                        let others = peers.filter { $0 !== peer }
                        for other in others { try await peer.connected(to: other, from: knew[index]) }
                    }
                }
                try await allMeet(from: peers.map { _ in 0 })
                let knew = try peers.map { try $0.events().count }
                for host in hosts { try await lab.cut(host) }
                for (index, peer) in peers.enumerated() {
                    let others = peers.filter { $0 !== peer }
                    for other in others { try await peer.notConnected(to: other, from: knew[index]) }
                }
                let knewAlone = try peers.map { try $0.events().count }
                for host in hosts { try await lab.mend(host) }
                try await allMeet(from: knewAlone)
                for peer in peers { peer.say("\(peer.name) is back") }
                for peer in peers {
                    for other in peers where other !== peer { try await peer.hears("\(other.name) is back") }
                    #expect(try peer.heard().count == 5)
                }
                var dials = 0
                for count in counts { dials += try await count.now() }
                // Fifteen links, twice, each from both ends at the worst, and what was tried in vain meanwhile.
                #expect((30...240).contains(dials), "\(dials) dials")
            }
        }

        // MARK: - One kind of address

        @Test func whereThereIsIPv6Alone() async throws {
            try await inLab("pair") { stage, lab in
                for (host, address) in [("a", "fd77::1/64"), ("b", "fd77::2/64")] {
                    try await lab.run(host, "ip", "-4", "addr", "flush", "dev", "eth0")
                    try await lab.run(host, "ip", "addr", "add", address, "dev", "eth0")
                }
                try await Self.bothTalk(stage, lab)
            }
        }

        @Test func whereThereIsIPv4Alone() async throws {
            try await inLab("pair") { stage, lab in
                try await Self.onlyIPv4(lab, "a", "b")
                try await Self.bothTalk(stage, lab)
            }
        }

        /// Nobody gives addresses: a cable between two machines, or a switch.
        @Test(arguments: ["fe80", "169.254"])
        func whereThereAreLinkLocalAddressesAlone(range: String) async throws {
            try await inLab("pair") { stage, lab in
                if range == "169.254" { try await Self.onlyIPv4(lab, "a", "b") }
                for (host, address) in [("a", "169.254.7.1/16"), ("b", "169.254.7.2/16")] {
                    try await lab.run(host, "ip", "-4", "addr", "flush", "dev", "eth0")
                    if range == "169.254" { try await lab.run(host, "ip", "addr", "add", address, "dev", "eth0") }
                }
                try await Self.bothTalk(stage, lab)
            }
        }

        // MARK: - Bad cables

        @Test(arguments: [30, 50])
        func whereSoManyInAHundredPacketsAreLost(percent: Int) async throws {
            try await inLab("pair") { stage, lab in
                try await lab.loss("a", percent: percent)
                // A connection may be given up while it is made.
                try await Self.bothTalk(stage, lab, lines: 50, dialsMax: 40)
            }
        }

        @Test func whereEveryPacketTakes300Milliseconds() async throws {
            try await inLab("pair") { stage, lab in
                try await lab.delay("a", milliseconds: 300)
                try await Self.bothTalk(stage, lab, lines: 50)
            }
        }

        /// The least that IPv6 allows (RFC 8200 section 5).
        @Test func wherePacketsHave1280Bytes() async throws {
            try await inLab("pair") { stage, lab in
                for host in ["a", "b"] { try await lab.run(host, "ip", "link", "set", "eth0", "mtu", "1280") }
                let long = String(repeating: "longer than a packet ", count: 90)
                let pair = try await Pair(stage, lab)
                try await pair.talk(long, lines: 20)
                try await pair.expectDials(atMost: Self.dialsMax)
            }
        }

        // MARK: - Between networks

        @Test func behindARouterThatTranslatesAddresses() async throws {
            try await inLab("nat") { stage, lab in
                let (outgoing, incoming) = (try await DialCount("a", of: lab), try await DialCount("b", of: lab))
                let bob = try stage.start("bob", on: "b", MeshTests.embedded)
                let port = try #require(try await bob.ready().port)
                let alice = try stage.start("alice", on: "a", MeshTests.embedded + ["--peer", "10.77.2.3:\(port)"])
                let pair = Pair(alice: alice, bob: bob, dials: [outgoing, incoming])
                try await pair.meet()
                try await pair.talk("through the router")
                // The router forgets whom it let out, or is put in the place of another.
                let knew = try alice.events().count
                try await lab.readdress("a", octet: 9)
                try await lab.run("a", "ip", "route", "replace", "default", "via", "10.77.1.2")
                try await alice.connected(to: bob, from: knew)
                try await pair.talk("from another address")
                try await pair.expectDials(atMost: 2 * Self.dialsMax)
            }
        }

        // MARK: -

        private static func bothTalk(
            _ stage: Stage, _ lab: Lab, lines: Int = 5, dialsMax: Int = dialsMax
        ) async throws {
            let pair = try await Pair(stage, lab)
            try await pair.talk("hello", lines: lines)
            try await pair.expectDials(atMost: dialsMax)
        }

        private static func onlyIPv4(_ lab: Lab, _ hosts: String...) async throws {
            for host in hosts {
                try await lab.run(host, "sh", "-c", "echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6")
            }
        }
    }
}

/// Alice on one host and bob on the other, and how often each has dialled.
private struct Pair {
    let alice: Peer
    let bob: Peer
    let dials: [DialCount]

    init(alice: Peer, bob: Peer, dials: [DialCount]) {
        (self.alice, self.bob, self.dials) = (alice, bob, dials)
    }

    init(_ stage: Stage, _ lab: Lab, _ arguments: [String] = EndToEnd.MeshTests.embedded) async throws {
        dials = [try await DialCount("a", of: lab), try await DialCount("b", of: lab)]
        alice = try stage.start("alice", on: "a", arguments)
        bob = try stage.start("bob", on: "b", arguments)
        try await meet()
    }

    func meet() async throws {
        try await alice.connected(to: bob)
        try await bob.connected(to: alice)
    }

    /// Both say this number of lines at once, and each hears the other's lines once.
    func talk(_ topic: String, lines: Int = 2) async throws {
        let (fromAlice, fromBob) = (Self.lines("alice", topic, lines), Self.lines("bob", topic, lines))
        alice.say(fromAlice)
        bob.say(fromBob)
        for line in fromBob { try await alice.hears(line) }
        for line in fromAlice { try await bob.hears(line) }
        #expect(try alice.heard().filter { $0.hasSuffix(topic) && $0.hasPrefix("bob") }.sorted() == fromBob.sorted())
        #expect(try bob.heard().filter { $0.hasSuffix(topic) && $0.hasPrefix("alice") }.sorted() == fromAlice.sorted())
    }

    private static func lines(_ name: String, _ topic: String, _ count: Int) -> [String] {
        (1...count).map { "\(name) \($0) \(topic)" }
    }

    func expectDials(atMost limit: Int) async throws {
        var count = 0
        for host in dials { count += try await host.now() }
        #expect((1...limit).contains(count), "\(count) dials")
    }
}
