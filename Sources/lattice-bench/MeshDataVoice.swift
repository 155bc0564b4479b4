import LatticeCore
import LatticeNode

/// Sends each message as data to its recipient only: encrypted on each link, and not signed.
struct MeshDataVoice: MeshVoice {
    private let node: Node
    private let bytes: Int
    private var received: ReceivedData.AsyncIterator

    init(_ node: Node, bytes: Int) throws {
        self.node = node
        self.bytes = bytes
        received = try node.data.received().makeAsyncIterator()
    }

    nonisolated(nonsending) mutating func say(_ message: MeshMessage, to peers: [PeerID]) async throws {
        try await node.data.send(message.bytes(filledTo: bytes), to: peers)
    }

    nonisolated(nonsending) func reach(_ peer: PeerID) async throws { try await node.data.reach(peer) }

    nonisolated(nonsending) mutating func next() async throws -> (message: MeshMessage, from: PeerID) {
        while let data = await received.next() {
            if !data.bytes.isEmpty { return (try MeshMessage(data.bytes), data.from) }
        }
        throw BenchError("the node ended before all was heard")
    }
}

extension DataExchange {
    /// Sends empty messages until there is a route and the recipient listens.
    func reach(_ peer: PeerID) async throws {
        while true {
            do {
                try await send([], to: peer)
                return try await flush(to: peer)
            } catch DataError.noRoute, DataError.unwanted {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }
}
