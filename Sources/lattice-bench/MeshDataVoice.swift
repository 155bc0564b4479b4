import LatticeCore
import LatticeNode

/// Sends each message as data, to whom it is for alone: encrypted on each link, and signed by nobody.
struct MeshDataVoice: MeshVoice {
    private let node: Node
    private let bytes: Int
    private var received: ReceivedData.AsyncIterator
    /// To whom a message has come already.
    private var reached: Set<PeerID> = []

    init(_ node: Node, bytes: Int) throws {
        self.node = node
        self.bytes = bytes
        received = try node.data.received().makeAsyncIterator()
    }

    nonisolated(nonsending) mutating func say(_ message: MeshMessage, to peers: [PeerID]) async throws {
        for peer in peers where reached.insert(peer).inserted { try await reach(peer) }
        try await node.data.send(message.bytes(filledTo: bytes), to: peers)
    }

    /// Empty messages, until a way is known and somebody listens there.
    private nonisolated(nonsending) func reach(_ peer: PeerID) async throws {
        while true {
            do {
                try await node.data.send([], to: peer)
                return try await node.data.flush(to: peer)
            } catch DataError.noRoute, DataError.unwanted {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    nonisolated(nonsending) mutating func next() async throws -> (message: MeshMessage, from: PeerID) {
        while let data = await received.next(isolation: #isolation) {
            if !data.bytes.isEmpty { return (try MeshMessage(data.bytes), data.from) }
        }
        throw BenchError("the node ended before all was heard")
    }
}
