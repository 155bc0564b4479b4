import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeWire

enum StreamHandlers {
    static func register(in table: inout HandlerTable) {
        table.onOwner(OpenStream.self) { node, request throws(RequestError) in
            let peer = try await node.peer(request.peer, for: node.personas.owner)
            try check(peer, on: node)
            return try await node.streams.open(peer, for: request.label, patience: request.wait)
        }
        table.onOwner(ListenForStream.self) { node, request throws(RequestError) in
            var peer: PeerID?
            if let reference = request.peer {
                let found = try await node.peer(reference, for: node.personas.owner)
                try check(found, on: node)
                peer = found
            }
            return try await node.streams.listen(for: request.label, from: peer)
        }
        table.onOwner(SendBytes.self) { node, request throws(RequestError) in
            try await node.streams.send(request.bytes, on: request.stream)
            return Done()
        }
        table.onOwner(FinishStream.self) { node, request throws(RequestError) in
            try await node.streams.finish(request.stream)
            return Done()
        }
        table.onOwner(ReceiveBytes.self) { node, request throws(RequestError) in
            let (bytes, isEnd) = try await node.streams.receive(request.stream)
            return ReceiveBytes.Reply(bytes, isEnd: isEnd)
        }
        table.onOwner(ResetStream.self) { node, request throws(RequestError) in
            node.streams.reset(request.stream, StreamReset(request.reason))
            return Done()
        }
    }
    private static func check(_ peer: PeerID, on node: isolated Node) throws(RequestError) {
        guard peer != node.mesh.me else { throw .invalid(faults: [.isSelf]) }
        guard !node.contacts.contactMarks.blocked.contains(peer) else {
            throw .blocked(who: .stream)
        }
    }
}
