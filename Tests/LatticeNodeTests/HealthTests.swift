import LatticeAPI
import LatticeCore
import LatticeDiscovery
import LatticeDoctor
import LatticeMesh
import LatticeWire
import Testing

@testable import LatticeNode

/// What a node tells of itself that may keep others away, and what follows from it.
@Suite(.timeLimit(.minutes(10))) struct HealthTests {
    private static let mesh = "synced"

    private func health(of chatter: Chatter) async throws -> NodeHealth {
        let health = try await chatter.node.perform(ShowHealth())
        return health
    }

    private func findings(of chatter: Chatter) async throws -> [Finding.Code] {
        let wish = Facts.Wish(mesh: try MeshName(Self.mesh), discovery: .off, given: [PeerAddress(host: "x", port: 1)])
        var facts = Facts(wish: wish)
        facts.node = NodeFact(me: await chatter.node.me, health: try await health(of: chatter))
        return Diagnosis(facts).findings.map(\.code)
    }

    @Test func aClockThatIsOffIsFound() async throws {
        let fast = try await Chatter(try Home("alice"), clock: .seconds(2_580))
        let (bob, carol) = (try await Chatter(try Home("bob")), try await Chatter(try Home("carol")))
        try await fast.run {
            try await bob.run {
                try await carol.run {
                    try await fast.meet(bob)
                    try await fast.meet(carol)
                    let told = try await health(of: fast)
                    let ahead = try #require(told.clockAhead)
                    // What passed between two looks at the clock lies in between.
                    #expect(ahead > .seconds(2_400) && ahead < .seconds(2_760), "\(ahead)")
                    #expect(told.clockPeers == 2 && !told.isClockWrong)
                    let found = try await findings(of: fast)
                    #expect(found.contains(.clockSkew))
                }
            }
        }
    }

    @Test func aMachineAt1970IsFound() async throws {
        let lost = try await Chatter(try Home("alice")) { WallTime(milliseconds: 12_000) }
        try await lost.run {
            let told = try await health(of: lost)
            let found = try await findings(of: lost)
            #expect(told.isClockWrong && found.contains(.clockWrong))
        }
    }

    @Test func anOpenMeshHasOneTagAndNothingWasMissed() async throws {
        let alice = try await Chatter(try Home("alice"))
        try await alice.run {
            let told = try await health(of: alice)
            #expect(told.meshTags.count == 1 && !told.isClosed && told.dialFailures.isEmpty)
            #expect(told.invitations == "auto" && told.discovery == "off" && told.clockAhead == nil)
        }
    }

    @Test func dialFailuresAreRememberedAndBounded() throws {
        var failures = DialFailures()
        let name = try PeerName("bob")
        for number in 0..<UInt8(NodeHealth.dialFailuresMax + 8) {
            failures.changed(Self.peer(number), name, .notConnected, .refused(.notAContact))
        }
        #expect(failures.all.count == NodeHealth.dialFailuresMax)
        #expect(failures.all.last?.id == Self.peer(UInt8(NodeHealth.dialFailuresMax + 7)))
        // Who is linked is missed no more, and who left was not missed.
        failures.changed(Self.peer(20), name, .connected, nil)
        failures.changed(Self.peer(0), name, .notConnected, .silent)
        #expect(failures.all.count == NodeHealth.dialFailuresMax - 1)
        #expect(failures.all.allSatisfy { $0.reason == .policyThere })
    }

    private static func peer(_ number: UInt8) -> PeerID {
        guard let key = Bytes32([UInt8](repeating: number, count: 32)) else { preconditionFailure("32 are 32") }
        return PeerID(key)
    }
}
