import Lattice
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeLink
import NIOCore
import Testing

@testable import LatticeTesting

/// Where sessions are on a network, and how they find and dial each other.
@Suite(.timeLimit(.minutes(10))) struct HostTests {
    /// A network of two hosts that listen.
    private struct Two {
        let network: InMemoryNetwork
        let ports: [any CarrierPort]
        let peers: [LatticeCore.PeerID]

        init(seed: UInt64, _ conditions: InMemoryNetwork.Conditions = InMemoryNetwork.Conditions()) {
            network = InMemoryNetwork(seed: seed, conditions: conditions)
            let hosts = [network.addHost(), network.addHost()]
            peers = hosts.map(\.identity.peer)
            ports = hosts.map { $0.listen(port: 0, as: $0.identity.peer) }
        }

        /// The first dials the second.
        func dial(timeout: Duration = .seconds(600)) async throws(DialEnd) -> any Channel {
            try await ports[0].dial(address, timeout: timeout)
        }

        /// Where the second listens.
        var address: LatticeCore.PeerAddress {
            LatticeCore.PeerAddress(host: InMemoryState.host(2), port: ports[1].port)
        }
    }

    // MARK: - Dialling

    @Test func aDialTakesARoundTrip() async throws {
        let latency: Duration = .milliseconds(20)
        let two = Two(seed: 42, InMemoryNetwork.Conditions(latency: latency...latency))
        let start = ContinuousClock.now
        let channel = try await two.dial()
        #expect(start.duration(to: .now) >= latency * 2)
        try await channel.close()
        await #expect(throws: DialEnd.noAnswer(seconds: 0)) { try await two.dial(timeout: .milliseconds(39)) }
    }

    @Test func aDialThatIsCancelledEndsAtOnce() async throws {
        let two = Two(seed: 44, InMemoryNetwork.Conditions(latency: .seconds(2) ... .seconds(2)))
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await two.dial(timeout: .seconds(36_000)) }
            group.cancelAll()
            await #expect(throws: DialEnd.self) { try await group.waitForAll() }
        }
    }

    /// In one turn of the event loop.
    ///
    /// - Returns: the connections that were made before the way was closed.
    private func dialUntilCut(_ two: Two) async throws -> [InMemoryChannel] {
        try await two.network.eventLoop.submit {
            var channels: [InMemoryChannel] = []
            while true {
                switch two.network.connect(from: 1, to: two.address) {
                case .success(let channel): channels.append(channel)
                case .failure(.noConnection(reason: "No route to host")): return channels
                // More than wait to be accepted.
                case .failure: continue
                }
            }
        }.get()
    }

    @Test func noConnectionGetsPastACut() async throws {
        for count in 1...100 {
            let two = Two(seed: 43)
            let ids = two.peers.compactMap { Lattice.PeerID($0.hex) }
            async let dialled = dialUntilCut(two)
            while two.network.read({ $0.connections.count < count }) {
                try Task.checkCancellation()
                await Task.yield()
            }
            two.network.cut(ids[0], ids[1])
            let channels = try await dialled
            // What the cut breaks is broken in the next turn.
            try await two.network.eventLoop.submit {}.get()
            #expect(channels.count { $0.isActive } == 0)
        }
    }

    // MARK: - Finding

    @Test func aFinderThatIsOffStaysSo() async throws {
        let network = InMemoryNetwork(seed: 45)
        let hosts = (0..<3).map { _ in network.addHost() }
        let ports = hosts.map { $0.listen(port: 0, as: $0.identity.peer) }
        let finders = try zip(hosts, [DiscoveryMode.off, .auto, .auto]).map { host, mode in
            let advertisement = Advertisement(
                name: try PeerName("peer\(host.number)"), peer: host.identity.peer.prefix, meshTag: 1, port: 7_000)
            defer { network.announce { $0.begin(host.number) } }
            return host.finder(for: advertisement, mode: mode, roles: .both)
        }
        finders[0].play(.both)
        finders[2].rename(try PeerName("last"))
        var names: [String?] = []
        for await event in finders[1].events {
            if case .found(let sighting) = event { names.append(sighting.name) }
            if names.last == "last" { break }
        }
        #expect(names == ["peer3", "last"])
        withExtendedLifetime((ports, finders)) {}
    }

    // MARK: - Numbers

    @Test func aFaultyConfigurationTakesNoAddress() async throws {
        let network = InMemoryNetwork(seed: 46)
        await expect(.invalid) { try Session.inMemory(Configuration(name: "", mesh: "memory"), network: network) }
        try await Meeting.of(["ada"], on: network) { sessions in
            let id = try await sessions[0].me.id
            #expect(network.address(of: id)?.description == "10.0.0.1:7000")
        }
    }

    @Test func aHostListensOnce() async throws {
        await #expect(processExitsWith: .failure) {
            let host = InMemoryNetwork(seed: 47).addHost()
            let first = host.listen(port: 1, as: host.identity.peer)
            let second = host.listen(port: 2, as: host.identity.peer)
            withExtendedLifetime((first, second)) {}
        }
    }

    @Test func aPeerInTwoGroupsStopsTheProgram() async throws {
        await #expect(processExitsWith: .failure) {
            let network = InMemoryNetwork(seed: 48)
            guard let peer = Lattice.PeerID(network.addHost().identity.peer.hex) else { return }
            network.partition([[peer], [peer]])
        }
    }
}
