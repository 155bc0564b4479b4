import LatticeAPI
import LatticeCore

/// The machines of the mesh, who visits each, and the links between them.
struct MeshGraph {
    private struct Machine {
        let person: [(String, JSON)]
        let isMe: Bool
        let isHere: Bool
        let hops: Int?
        var visitors: [JSON] = []
    }

    private var machines: [Machine] = []
    private var indices: [PeerID: Int] = [:]
    private var links: [JSON] = []
    /// The machine that answers.
    private let home: PeerID

    /// - Parameters:
    ///   - me: who asks.
    ///   - isVisitor: whether they visit the machine that answers. It is the peer at 0 hops then.
    init(_ me: Me, isVisitor: Bool, _ peers: [PeerInfo]) {
        let owner = isVisitor ? peers.first { $0.hops == 0 && $0.host == nil } : nil
        home = owner?.id ?? me.id
        add(home, owner?.name ?? me.name.text, isHere: true, hops: 0)
        for peer in peers where peer.isMachine && (peer.isHere || peer.state != .notConnected) {
            guard let id = peer.id, id != home else { continue }
            add(id, peer.name, isHere: peer.isHere, hops: peer.hops)
            link(id, peer)
        }
        if isVisitor { visit(home, me.id, me.name.text) }
        for peer in peers where peer.isHere && !peer.isMachine {
            if let id = peer.id, let host = peer.host { visit(host, id, peer.name) }
        }
    }

    private mutating func add(_ id: PeerID, _ name: String, isHere: Bool, hops: Int?) {
        indices[id] = machines.count
        machines.append(Machine(person: Self.members(id, name), isMe: id == home, isHere: isHere, hops: hops))
    }

    /// Visitors of a machine that is not known here are left out.
    private mutating func visit(_ host: PeerID, _ id: PeerID, _ name: String) {
        guard let index = indices[host] else { return }
        machines[index].visitors.append(.object(Self.members(id, name)))
    }

    /// A machine that is not a neighbour is drawn at the neighbour that leads to it. `hops` is the number of links to it;
    /// from 2 on, the machines in between are unknown.
    private mutating func link(_ id: PeerID, _ peer: PeerInfo) {
        let isNeighbour = peer.state == .connected
        guard let hops = isNeighbour ? 1 : peer.hops else { return }
        let via = hops > 1 ? peer.via : nil
        let count = via == nil ? max(1, hops) : hops - 1
        links.append([
            "a": .text((via ?? home).hex), "b": .text(id.hex), "hops": .integer(count),
            "round_trip_ms": via == nil && count == 1 ? .number(peer.roundTrip?.milliseconds) : nil,
        ])
    }

    private static func members(_ id: PeerID, _ name: String) -> [(String, JSON)] {
        [("id", .text(id.hex)), ("short", .text(id.short)), ("name", .text(name))]
    }

    var json: JSON {
        let nodes = machines.map { one -> JSON in
            let people = one.visitors.isEmpty ? [] : [("people", JSON.list(one.visitors))]
            let hops = one.hops.map { [("hops", JSON.integer($0))] } ?? []
            return .object(one.person + [("me", .flag(one.isMe)), ("here", .flag(one.isHere))] + hops + people)
        }
        return ["nodes": .list(nodes), "links": .list(links)]
    }

    private static let person = [("id", JSONSchema.id), ("short", JSONSchema.text), ("name", JSONSchema.text)]

    static let schema = JSONSchema.object(
        (
            "nodes",
            JSONSchema.list(
                JSONSchema.object(
                    person + [
                        ("me", JSONSchema.flag), ("here", JSONSchema.flag), ("hops?", JSONSchema.integer),
                        ("people?", JSONSchema.list(JSONSchema.object(person))),
                    ]))
        ),
        (
            "links",
            JSONSchema.list(
                JSONSchema.object(
                    ("a", JSONSchema.id), ("b", JSONSchema.id), ("hops", JSONSchema.integer(1...Int(UInt8.max))),
                    ("round_trip_ms?", JSONSchema.number)))
        ))
}

extension PeerInfo {
    /// Whether it has a node of its own. A neighbour has one, whatever was said of it before.
    fileprivate var isMachine: Bool { host == nil || state == .connected }
}
