import LatticeCore
import LatticeMesh
import LatticeWire

/// One peer of a world: the real mesh, and what it has shown.
struct SimulatedPeer {
    let id: PeerID
    let instance: UInt64
    var mesh: Mesh
    var clock = HybridClock()
    /// How often each record was shown here.
    var delivered: [RecordID: Int] = [:]
    /// Links of this peer that are up, by the connection they belong to.
    var links: [LinkID: Int] = [:]

    init(index: Int, instance: UInt64, seed: UInt64, timeToLive: UInt8, policy: MeshOptions.Policy) {
        id = Self.id(of: index)
        self.instance = instance
        let name = Self.name(of: index)
        do {
            var options = MeshOptions(mesh: try MeshName("simulation"), meshTag: 1)
            options.timeToLive = timeToLive
            options.policy = policy
            let presence = Presence(isHere: true, name: name, rooms: [])
            mesh = Mesh(me: id, presence: presence, options: options, seed: seed)
        } catch {
            preconditionFailure("'simulation' is a mesh name")
        }
    }

    /// Ids are scattered, so that which of two peers is the smaller does not follow their numbers.
    static func id(of index: Int) -> PeerID {
        var generator = SeededGenerator(seed: UInt64(index) + 1)
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(UInt8(truncatingIfNeeded: generator.next())) }
        guard let key = Bytes32(bytes) else { preconditionFailure("32 bytes are 32 bytes") }
        return PeerID(key)
    }

    static func name(of index: Int) -> PeerName {
        do {
            return try PeerName("peer\(index)")
        } catch {
            preconditionFailure("'peer\(index)' is a name")
        }
    }

    static func address(of index: Int) -> PeerAddress {
        PeerAddress(host: "10.0.\(index / 256).\(index % 256)", port: 1)
    }
}
