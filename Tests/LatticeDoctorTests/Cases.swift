import LatticeAPI
import LatticeCore
import LatticeDiscovery

@testable import LatticeDoctor

/// Facts to begin with: a machine on one good network, where nobody else is.
enum Case {
    static let tag: UInt32 = 0xA1B2_C3D4
    static let other: UInt32 = 0x0102_0304

    static var wish: Facts.Wish { Facts.Wish(mesh: mesh("lattice"), meshTags: [tag]) }

    static var quiet: Facts {
        var facts = Facts(wish: wish)
        facts.interfaces = [
            InterfaceFact(name: "lo", index: 1, kind: .loopback, carriesMulticast: false, v4: ["127.0.0.1"]),
            InterfaceFact(name: "wlan0", index: 2, v4: ["192.168.1.7"], v6: ["fe80::7"]),
        ]
        facts.defaultInterface = "wlan0"
        facts.echoes = [EchoFact(interface: "wlan0", outcome: .heard)]
        facts.responder = ResponderFact(daemon: .absent)
        facts.othersHeard = 3
        facts.machine = MachineFact(
            folder: .init(
                path: "/home/anna/.local/share/lattice/anna", freeBytes: 50_000_000_000, totalBytes: 100_000_000_000),
            descriptors: 1_024, clock: WallTime(milliseconds: 1_795_253_400_000))
        facts.node = NodeFact(me: me, health: health)
        facts.sightings = [
            SightedPeer(
                name: "anna", prefix: me.id.prefix, meshTag: tag, addresses: [address("192.168.1.7")], isOwn: true)
        ]
        return facts
    }

    /// Bob is in sight and takes connections.
    static var met: Facts {
        var facts = quiet
        facts.sightings.append(bob)
        facts.reaches = [Reach(address: bob.addresses[0], outcome: .open, isNeighbour: true)]
        return facts
    }

    /// Bob is in sight, and this came of connecting.
    static func met(_ outcome: Reach.Outcome, isNeighbour: Bool? = true) -> Facts {
        var facts = met
        facts.reaches = [
            Reach(address: bob.addresses[0], outcome: outcome, isNeighbour: isNeighbour, isLocal: isNeighbour != nil)
        ]
        return facts
    }

    static let bob = SightedPeer(
        name: "bob", prefix: peer(2).prefix, meshTag: tag, addresses: [address("192.168.1.8")])

    static let me = Me(
        id: peer(1), name: name("anna"), mesh: mesh("lattice"), port: 40_000, discovery: "embedded", rooms: [])

    static let health = NodeHealth(meshTags: [tag], isClosed: false)

    static var linked: PeerInfo {
        PeerInfo(
            id: peer(3), prefix: peer(3).prefix, name: "carol", state: .connected, hops: 1,
            address: address("192.168.1.9"))
    }

    static func miss(_ reason: NodeHealth.Reason) -> NodeHealth.DialFailure {
        NodeHealth.DialFailure(
            id: peer(2), name: "bob", address: nil, reason: reason, end: .handshake(fault: "in riddles"))
    }

    static func peer(_ number: UInt8) -> PeerID {
        guard let key = Bytes32([UInt8](repeating: number, count: 32)) else { preconditionFailure("32 are 32") }
        return PeerID(key)
    }

    static func address(_ host: String, _ port: UInt16 = 40_000) -> PeerAddress { PeerAddress(host: host, port: port) }

    static func mesh(_ text: String) -> MeshName {
        do {
            return try MeshName(text)
        } catch {
            preconditionFailure("\(text) is a name")
        }
    }

    static func name(_ text: String) -> PeerName {
        do {
            return try PeerName(text)
        } catch {
            preconditionFailure("\(text) is a name")
        }
    }

    /// What is found where something is otherwise.
    static func judged(_ facts: Facts = quiet, _ change: (inout Facts) -> Void) -> [String] {
        var facts = facts
        change(&facts)
        return codes(facts)
    }

    /// What is found, with how much it weighs.
    static func codes(_ facts: Facts) -> [String] {
        Diagnosis(facts).findings.map { "\($0.severity) \($0.code)" }
    }
}
