import Testing

extension EndToEnd {
    /// The machine's own mDNS responder, and what happens without one.
    @Suite(.timeLimit(.minutes(10))) struct DiscoveryTests {
        @Suite(.enabled(if: Lab.hasAvahi, "this needs root, iproute2, avahi-daemon and dbus"))
        struct WithADaemon {
            @Test(arguments: ["system", "embedded", "auto"])
            func aPeerOfTheDaemonFindsOneOf(other: String) async throws {
                try await inLab("pair") { stage, lab in
                    try await lab.avahi("a", "start")
                    if other != "embedded" { try await lab.avahi("b", "start") }
                    let alice = try stage.start("alice", on: "a", ["--discovery", "system", "--info", "role=kitchen"])
                    let bob = try stage.start("bob", on: "b", ["--discovery", other, "--info", "role=tap"])
                    try await alice.connected(to: bob)
                    try await bob.connected(to: alice)
                    #expect(try await alice.ready().discovery == "system")
                    switch other {
                    case "auto": try await bob.usesTheDaemon()
                    default: #expect(try await bob.ready().discovery == other)
                    }
                    // Each reads what the other announces, through either stack.
                    for (peer, role) in [(alice, "tap"), (bob, "kitchen")] {
                        // Who was found first may be linked before it has found the other.
                        try await eventually("\(role) is read") {
                            try await peer.ask("/peers").peers?.map(\.info) == [["role=\(role)"]]
                        }
                    }
                    bob.say("hello")
                    try await alice.hears("hello")
                    alice.endInput()
                    #expect(try await alice.exitCode() == 0)
                    #expect(try await bob.notConnected(to: alice).reason == "they left")
                }
            }

            @Test(arguments: ["system", "embedded"])
            func twoOfOneNameOnOneHostAreBothFound(discovery: String) async throws {
                try await inLab("pair") { stage, lab in
                    if discovery == "system" { try await lab.avahi("a", "start") }
                    let bobs = try (1...2).map { number in
                        try stage.start(
                            "bob", on: "a",
                            ["--discovery", discovery, "--data-dir", "\(stage.folder)/bob\(number)"])
                    }
                    let alice = try stage.start("alice", on: "b", ["--discovery", "embedded"])
                    for bob in bobs { try await alice.connected(to: bob) }
                    try await bobs[0].connected(to: bobs[1])
                    try await bobs[1].connected(to: bobs[0])
                    bobs[1].say("hello")
                    try await alice.hears("hello")
                }
            }

            /// What others see of somebody who begins: at once a name that is surely his, and in its place the one he wants.
            @Test(arguments: ["system", "embedded"])
            func whoBeginsIsSeenBeforeHisNameIsProbedFor(discovery: String) async throws {
                try await inLab("pair") { stage, lab in
                    for host in ["a", "b"] { try await lab.avahi(host, "start") }
                    let browser = try stage.run(
                        ["avahi-browse", "--parsable", "_lattice._tcp"], as: "avahi-browse", on: "b", isProgram: false)
                    let alice = try stage.start("alice", on: "a", ["--discovery", discovery])
                    let id = try #require(try await alice.ready().id).prefix(16)
                    let ending = discovery == "system" ? "\\040\(id)\\041" : "\\091\(id)\\093"
                    let early = ";IPv4;alice\\032\(ending);_lattice._tcp;local"
                    try await eventually("seen early") { browser.output.text.contains("+;eth0\(early)") }
                    try await eventually("seen early no more") { browser.output.text.contains("-;eth0\(early)") }
                    #expect(browser.output.text.contains("+;eth0;IPv4;alice;"))
                    #expect(!browser.output.text.contains("-;eth0;IPv4;alice;"))
                }
            }

            @Test func autoFollowsTheDaemon() async throws {
                try await inLab("segment 4") { stage, lab in
                    try await lab.avahi("h1", "start")
                    let alice = try stage.start("alice", on: "h1")
                    let bob = try stage.start("bob", on: "h2", ["--discovery", "embedded"])
                    try await alice.usesTheDaemon()
                    try await alice.connected(to: bob)

                    var knew = try alice.events().count
                    try await lab.avahi("h1", "kill")
                    try await alice.event("that its own stack took over", from: knew) {
                        $0.code == "discoveryChanged" && $0.message?.contains("inside this program") == true
                    }
                    let carol = try stage.start("carol", on: "h3", ["--discovery", "embedded"])
                    try await carol.connected(to: alice)

                    knew = try alice.events().count
                    try await lab.avahi("h1", "start")
                    try await alice.usesTheDaemon(from: knew)
                    let dave = try stage.start("dave", on: "h4", ["--discovery", "embedded"])
                    try await dave.connected(to: alice)
                    // Nobody lost anybody on the way.
                    #expect(try !alice.events().contains { $0.event == "peer" && $0.state == "notConnected" })
                }
            }

            @Test func theDaemonMayComeLater() async throws {
                try await inLab("pair") { stage, lab in
                    let alice = try stage.start("alice", on: "a", ["--discovery", "system"])
                    let bob = try stage.start("bob", on: "b", ["--discovery", "embedded"])
                    let trouble = try await alice.event("that no daemon answers") { $0.event == "error" }
                    #expect(trouble.code == "noDaemon")
                    #expect(trouble.message?.contains("start avahi-daemon") == true)
                    #expect(trouble.message?.contains("--discovery embedded") == true)
                    try await lab.avahi("a", "start")
                    try await alice.connected(to: bob)
                    try await lab.avahi("a", "restart")
                    alice.say("hello")
                    try await bob.hears("hello")
                }
            }
        }

        @Suite(.enabled(if: Lab.isPossible, "a lab of hosts needs root and iproute2"))
        struct WithoutANetwork {
            @Test func aHostWithoutANetworkSaysSoAndGoesOnWhenOneComes() async throws {
                try await inLab("pair") { stage, lab in
                    try await lab.run("a", "ip", "link", "set", "eth0", "down")
                    let alice = try stage.start("alice", on: "a", ["--discovery", "embedded"])
                    let bob = try stage.start("bob", on: "b", ["--discovery", "embedded"])
                    let trouble = try await alice.event("that there is no network") { $0.event == "error" }
                    #expect(trouble.code == "noInterface")
                    #expect(trouble.message?.contains("Wi-Fi") == true)
                    try await lab.run("a", "ip", "link", "set", "eth0", "up")
                    try await alice.event("that there is one again") { $0.code == "discoveryRecovered" }
                    try await alice.connected(to: bob)
                    try await bob.connected(to: alice)
                }
            }

            @Test func anInterfaceWithoutMulticastIsTold() async throws {
                try await inLab("pair") { stage, lab in
                    try await lab.run("a", "ip", "link", "set", "eth0", "multicast", "off")
                    let alice = try stage.start("alice", on: "a", ["--discovery", "embedded"])
                    let trouble = try await alice.event("that multicast is missing") { $0.event == "error" }
                    #expect(trouble.code == "noMulticast")
                    #expect(trouble.message?.contains("eth0") == true)
                    #expect(trouble.message?.contains("--peer") == true)
                }
            }

            @Test func anInterfaceThatIsNamedIsTheOnlyOneUsed() async throws {
                try await inLab("line") { stage, _ in
                    let alice = try stage.start("alice", on: "a", ["--discovery", "embedded"])
                    let bob = try stage.start("bob", on: "b", ["--discovery", "embedded", "--interface", "eth1"])
                    let carol = try stage.start("carol", on: "c", ["--discovery", "embedded"])
                    try await bob.connected(to: carol)
                    bob.say("hello")
                    try await carol.hears("hello")
                    #expect(try #require(try await alice.ask("/peers").peers).isEmpty)
                }
            }
        }

        @Test func anInterfaceThatDoesNotExistIsTold() async throws {
            try await onStage { stage in
                let alice = try stage.start("alice", ["--interface", "nosuch0"], json: false)
                #expect(try await alice.exitCode() == 1)
                #expect(alice.error.lines.count == 1)
                #expect(alice.error.text.contains("nosuch0"))
                #expect(alice.error.text.contains("ip link"))
            }
        }
    }
}

extension Peer {
    /// Waits until it looks for peers through the daemon: at once, or later where the daemon was slow to answer.
    fileprivate func usesTheDaemon(from first: Int = 0) async throws {
        try await event("that it uses the daemon", from: first) {
            $0.event == "ready" && $0.discovery == "system"
                || $0.code == "discoveryChanged" && $0.message?.contains("responder") == true
        }
    }
}
