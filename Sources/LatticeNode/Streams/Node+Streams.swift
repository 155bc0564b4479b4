import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeWire

// Streams of bytes between programs.
extension Node {
    func perform(_ request: StreamRequest) async throws(RequestError) -> StreamAnswer {
        switch request {
        case .open(let peer, let label, let wait):
            try checkStream(to: peer)
            return .opened(try await streams.open(peer, for: label, patience: wait))
        case .listen(let label, let peer):
            if let peer { try checkStream(to: peer) }
            return .opened(try await streams.listen(for: label, from: peer))
        case .send(let stream, let bytes): try await streams.send(bytes, on: stream)
        case .finish(let stream): try await streams.finish(stream)
        case .receive(let stream):
            let (bytes, isEnd) = try await streams.receive(stream)
            return .bytes(bytes, isEnd: isEnd)
        case .reset(let stream, let reason): streams.reset(stream, StreamReset(reason))
        }
        return .done
    }

    private func checkStream(to peer: PeerID) throws(RequestError) {
        guard peer != mesh.me else { throw RequestError(.invalid, Naming.isYou) }
        guard !standing.blocked.contains(peer) else {
            throw RequestError(
                .blocked, "you have blocked this person; unblock them first: 'lattice unblock' or /unblock")
        }
    }
}
