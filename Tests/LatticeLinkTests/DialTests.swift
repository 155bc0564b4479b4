import LatticeCore
import LatticeLink
import LatticeSession
import LatticeWire
import NIOPosix
import Testing

/// Addresses that cannot be reached, and ports that cannot be had.
@Suite(.timeLimit(.minutes(10)))
struct DialTests {
    private func end(_ address: PeerAddress, from alice: Station) async throws -> DialEnd {
        let dial = alice.dial(address)
        try await until("the dial fails") { alice.owner.failure(dial) != nil }
        return try #require(alice.owner.failure(dial))
    }

    @Test func aClosedPortRefuses() async throws {
        let alice = try await Station("alice")
        try await serving(alice) {
            let stranger = try await Stranger(to: alice.address)
            #expect(try await end(stranger.deafAddress, from: alice) == .noConnection(reason: "Connection refused"))
            try await stranger.close()
            #expect(alice.owner.opened.isEmpty)
        }
    }

    @Test(arguments: ["double..dot", "fe80::1%nosuch0"])
    func anUnknownHostIsNamedAsSuch(host: String) async throws {
        let alice = try await Station("alice")
        try await serving(alice) {
            let end = try await end(PeerAddress(host: host, port: 4_000), from: alice)
            guard case .noHost = end else {
                Issue.record("\(end)")
                return
            }
        }
    }

    @Test func hostNamesAndBothFamiliesAreDialled() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        try await serving(alice, bob) {
            for host in ["localhost", "127.0.0.1"] {
                let dial = alice.dial(PeerAddress(host: host, port: bob.links.port))
                try await until("\(host) is reached") { alice.owner.opened.contains { $0.dial == dial } }
            }
        }
    }

    @Test func whoeverIsNoPeerIsDescribed() async throws {
        var limits = LinkLimits()
        limits.connectionsMax = 0
        let (alice, full) = (try await Station("alice"), try await Station("full", limits))
        try await serving(alice, full) {
            let end = try await end(full.address, from: alice)
            guard case .closed = end else {
                Issue.record("\(end)")
                return
            }
        }
        #expect(full.owner.wasToldNothing)
    }

    @Test func whoeverIsDialledAndSaysNothingIsGivenUp() async throws {
        var limits = LinkLimits()
        limits.handshakeTimeout = .milliseconds(100)
        let alice = try await Station("alice", limits)
        // A port that takes connections; nobody runs what listens there.
        let silent = try await Station("silent")
        try await serving(alice) {
            _ = try await end(silent.address, from: alice)
            #expect(alice.owner.opened.isEmpty)
        }
        try await serving(silent) {}
    }

    @Test func aPortInUseIsNamed() async throws {
        let alice = try await Station("alice")
        await #expect(throws: ListenError.portInUse(alice.links.port)) {
            try await Links.listening(
                port: alice.links.port, interface: nil, session: alice.session,
                turn: LoopTurn(MultiThreadedEventLoopGroup.singleton.next()), logger: Station.quiet)
        }
        #expect(ListenError.portInUse(4_000).description.hasPrefix("port 4000 is in use by another program; choose"))
        try await serving(alice) {}
    }

    @Test(arguments: ["nosuch0", "", "a-name-that-is-too-long"])
    func anInterfaceThatIsNotThereIsNamed(interface: String) async throws {
        await #expect(throws: ListenError.noInterface(interface)) {
            _ = try await Station("alice", interface: interface)
        }
    }

    @Test func aPortIsFreeAgainAfterTheEnd() async throws {
        // Another test's connection may take a port that is free again; not twenty times.
        for _ in 0..<20 {
            let alice = try await Station("alice")
            try await serving(alice) {}
            do {
                let next = try await Links.listening(
                    port: alice.links.port, interface: nil, session: alice.session,
                    turn: LoopTurn(MultiThreadedEventLoopGroup.singleton.next()), logger: Station.quiet)
                #expect(next.port == alice.links.port)
                let run = Task { await next.run(owner: alice.owner) }
                run.cancel()
                return await run.value
            } catch ListenError.portInUse {
                continue
            }
        }
        Issue.record("no port was free again")
    }

    @Test func loopbackAloneCanBeChosen() async throws {
        let (alice, bob) = (try await Station("alice", interface: "lo"), try await Station("bob", interface: "lo"))
        try await serving(alice, bob) {
            let link = try await alice.link(with: bob)
            #expect(link.peer.peer == bob.peer)
        }
    }
}
