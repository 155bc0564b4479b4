import LatticeCore

@testable import LatticeDiscovery

func instance(_ name: String, on interface: UInt32 = 2) -> ServiceInstance {
    guard let instance = ServiceInstance(interface: interface, label: Array(name.utf8)) else {
        preconditionFailure("\(name) is no label")
    }
    return instance
}

func answer(
    peer: UInt64, mesh: String = "feedbeef", host: String = "10.0.0.1", port: UInt16 = 4_000
) -> InstanceAnswer {
    let txt = TXTRecord([("txtvers", "1"), ("id", PeerPrefix(peer).description), ("mesh", mesh), ("v", "1")])
    return InstanceAnswer(txt: txt, address: PeerAddress(host: host, port: port))
}

func sighting(
    peer: UInt64, name: String, mesh: UInt32 = 0xFEED_BEEF, host: String = "10.0.0.1", port: UInt16 = 4_000,
    source: Sighting.Source = .system
) -> Sighting {
    let address = PeerAddress(host: host, port: port)
    return Sighting(source: source, peer: PeerPrefix(peer), name: name, meshTag: mesh, address: address)
}

func advertisement(_ name: String, peer: UInt64, port: UInt16 = 4_000) throws -> Advertisement {
    Advertisement(name: try PeerName(name), peer: PeerPrefix(peer), meshTag: 0xFEED_BEEF, port: port)
}

func after(_ duration: Duration) -> Instant {
    Instant.zero.advanced(by: duration)
}
