import LatticeAPI
import LatticeCore
import LatticeNode
import LatticeWire

/// Sends each message as a chat line, which everybody hears.
struct MeshSignedVoice: MeshVoice {
    private let node: Node
    private let me: PeerID
    private let room: RoomName
    private let textBytes: Int
    private var events: NodeEvents.Iterator

    /// - Parameter recordBytes: size of the whole record, including its signature.
    nonisolated(nonsending) init(_ node: Node, room: RoomName, recordBytes: Int) async throws {
        self.node = node
        self.room = room
        let me = await node.me
        self.me = me.id
        let filling = String(repeating: "x", count: 128)
        let line = ChatLine(style: .says, name: me.name, text: filling)
        let record = Record(
            kind: .chat, author: me.id, created: HybridTime(rawValue: 0), lifetimeSeconds: 7 * 86_400,
            topic: Array(room.text.utf8), body: line.body)
        let around = record.unsignedBytes.count + Record.signatureBytes - filling.utf8.count
        guard recordBytes >= around + MeshMessage.bytesMin else {
            throw BenchError("a record has \(around + MeshMessage.bytesMin) bytes at least")
        }
        textBytes = recordBytes - around
        events = await node.events().makeAsyncIterator()
    }

    nonisolated(nonsending) func reach(_ peer: PeerID) async {}

    nonisolated(nonsending) mutating func say(_ message: MeshMessage, to peers: [PeerID]) async throws {
        let text = String(decoding: message.bytes(filledTo: textBytes), as: UTF8.self)
        _ = try await node.perform(Say(text, style: .says, room: room))
    }

    nonisolated(nonsending) mutating func next() async throws -> (message: MeshMessage, from: PeerID) {
        while let event = await events.next() {
            switch event {
            case .message(let line) where line.from != me: return (try MeshMessage(line.text.utf8), line.from)
            case .missed(let count): throw BenchError("\(count) events were lost on the way to the front")
            default: continue
            }
        }
        throw BenchError("the node ended before all was heard")
    }
}
