import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import Logging
import Testing

@testable import LatticeDiscovery
@testable import LatticeNode

/// What discovery and the interfaces of this machine mean for the mesh and for fronts.
struct LocalNetworkTests {
    private static let noon = WallTime(milliseconds: 20_779 * 86_400_000 + 43_200_000)
    private static let key = MeshKey(master: SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
    private let address = PeerAddress(host: "192.0.2.1", port: 4_000)

    private func network(key: MeshKey? = nil, interface: String? = nil) throws -> LocalNetwork {
        var configuration = NodeConfiguration(
            identity: .generate(), name: try PeerName("alice"), rooms: [], mesh: try MeshName("camp"))
        configuration.meshKey = key
        configuration.interface = interface
        return LocalNetwork(configuration, port: 4_000, at: Self.noon, logger: Logger(label: "test"))
    }

    private func sighting(_ source: Sighting.Source = .system, tag: UInt32 = 1) -> Sighting {
        Sighting(source: source, peer: PeerPrefix(7), name: "bob", meshTag: tag, address: address)
    }

    /// The names of the effects.
    private func effects(
        of event: DiscoveryEvent, on network: inout LocalNetwork, isReady: Bool, isLinked: Bool = false
    ) -> [String] {
        var effects: [LocalNetwork.Effect] = []
        network.handle(event, isReady: isReady, isLinked: isLinked, at: Self.noon, into: &effects)
        return effects.map(name)
    }

    private func name(_ effect: LocalNetwork.Effect) -> String {
        switch effect {
        case .ready: "ready"
        case .notice(let notice): notice.code
        case .mesh(.sighted(let sighting)): "sighted \(sighting.peer.map(\.description) ?? "nobody")"
        case .mesh(.lost): "lost"
        case .mesh(.visibilityChanged(let isVisible)): "visible \(isVisible)"
        case .mesh(.networkChanged(let lost)): "network changed without \(lost.map(\.rawValue))"
        case .mesh(let event): "\(event)"
        }
    }

    @Test func theFirstSourceIsKnownBeforeFrontsHearOfReadiness() throws {
        var network = try network()
        #expect(network.source == "embedded")
        let chosen = effects(of: .chosen(.system), on: &network, isReady: false)
        #expect(chosen == ["ready"] && network.source == "system")
        let running = effects(of: .running(.system), on: &network, isReady: true)
        #expect(running == ["ready", "visible true"])
        // Later it changes with a notice only.
        _ = effects(of: .found(sighting(.embedded)), on: &network, isReady: true)
        #expect(network.source == "system")
        let changed = effects(of: .running(.embedded), on: &network, isReady: true)
        #expect(changed == ["discoveryChanged", "ready", "visible true"] && network.source == "embedded")
    }

    @Test func peersOfAnOpenMeshAreSightedAndLost() throws {
        var network = try network()
        let found = effects(of: .found(sighting()), on: &network, isReady: false)
        #expect(found == ["ready", "sighted 0000000000000007"])
        #expect(effects(of: .lost(sighting()), on: &network, isReady: true) == ["lost"])
        #expect(effects(of: .stopped(.system), on: &network, isReady: true) == [])
        #expect(effects(of: .trouble(.noInterface), on: &network, isReady: true) == ["ready", "noInterface"])
        #expect(effects(of: .recovered, on: &network, isReady: true) == ["discoveryRecovered"])
    }

    @Test func aClosedMeshReportsAStrangerOnceAndOnlyIfNobodyIsLinked() throws {
        var network = try network(key: Self.key)
        #expect(network.isClosed)
        let stranger = DiscoveryEvent.found(sighting(tag: 5))
        #expect(effects(of: stranger, on: &network, isReady: true, isLinked: true) == ["ready"])
        #expect(effects(of: stranger, on: &network, isReady: true) == ["ready", "otherMesh"])
        #expect(effects(of: stranger, on: &network, isReady: true) == ["ready"])
        let tag = Self.key.announcedTag(day: 20_779)
        #expect(network.tags(of: 0, at: Self.noon).contains(tag))
        // Who it is becomes known only by the handshake.
        #expect(effects(of: .found(sighting(tag: tag)), on: &network, isReady: true) == ["ready", "sighted nobody"])
    }

    @Test func onlyInterfacesThatLinksCanUseCount() throws {
        let interfaces = [
            interface("lo", isLoopback: true), interface("eth0"), interface("eth1", isUp: false),
            interface("eth2", addresses: []), interface("wlan0"),
        ]
        #expect(try network().usable(interfaces).map(\.name) == ["lo", "eth0", "wlan0"])
        #expect(try network(interface: "eth0").usable(interfaces).map(\.name) == ["eth0"])
        #expect(try network(interface: "eth1").usable(interfaces).isEmpty)
    }

    @Test func withoutANetworkNothingIsReportedUnlessLinksAreLost() throws {
        let network = try network()
        let lost = LinkID(rawValue: 3)
        func effects(_ interfaces: [NetworkInterface], _ lost: [LinkID]) -> [String] {
            var effects: [LocalNetwork.Effect] = []
            network.changed(to: interfaces, lost: lost, into: &effects)
            return effects.map(name)
        }
        #expect(effects([interface("lo", isLoopback: true)], []) == [])
        #expect(effects([interface("lo", isLoopback: true)], [lost]) == ["network changed without [3]"])
        #expect(effects([interface("eth0")], []) == ["network changed without []"])
    }

    private func interface(
        _ name: String, isUp: Bool = true, isLoopback: Bool = false, addresses: [String] = ["192.0.2.7"]
    ) -> NetworkInterface {
        NetworkInterface(
            name: name, index: 1, isUp: isUp, isLoopback: isLoopback, carriesMulticast: true,
            addresses: addresses.map { InterfaceAddress(family: .v4, text: $0) })
    }
}
