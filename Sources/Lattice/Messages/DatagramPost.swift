import LatticeAPI
import LatticeCore
import LatticeNode
import Synchronization

/// Unreliable messages. To a peer over several links they need a stream of messages, whose handshake yields their keys.
final class DatagramPost: Sendable {
    private let inbox: Watched<MessageInbox>
    private let board: Watched<PeerBoard>
    /// The exchange of the node that runs or ran.
    private let exchange = Mutex<DatagramExchange?>(nil)
    private let channels: Watched<MessageChannels>
    /// Peers to which an attempt to open a stream has begun.
    let toOpen: AsyncStream<LatticeCore.PeerID>
    private let toOpenInput: AsyncStream<LatticeCore.PeerID>.Continuation

    init(inbox: Watched<MessageInbox>, board: Watched<PeerBoard>, channels: Watched<MessageChannels>) {
        (self.inbox, self.board, self.channels) = (inbox, board, channels)
        // Each peer stands in it once.
        (toOpen, toOpenInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(MessageChannels.openingMax))
    }

    func begin(on running: ServingNode) {
        let datagrams = running.node.data.datagrams
        exchange.withLock { $0 = datagrams }
        let (inbox, board) = (inbox, board)
        datagrams.onReceived { id, bytes in
            let status = board.read { $0[id] }
            inbox.changeIfNeeded { inbox in
                guard let status, status.state == .connected else {
                    inbox.dropDatagram()
                    return false
                }
                return inbox.putDatagram(
                    Received(peer: status.peer, bytes: bytes, mode: .unreliable, hops: status.hops ?? 1))
            }
        }
    }

    /// Waits for no peer.
    nonisolated(nonsending) func send(
        _ bytes: [UInt8], to peers: [Peer], on running: ServingNode
    ) async -> SendReport {
        let outcome = await running.node.sendDatagram(bytes, to: peers.map(\.id.core))
        for peer in outcome.waiting {
            let opens = channels.changeIfNeeded { $0.mayOpenForDatagrams(to: peer, at: .now) }
            if opens { toOpenInput.yield(peer) }
        }
        let (unreachable, waiting) = (Set(outcome.unreachable), Set(outcome.waiting))
        return SendReport(
            dropped: outcome.dropped, unreachable: peers.filter { unreachable.contains($0.id.core) },
            waiting: peers.filter { waiting.contains($0.id.core) })
    }

    var statistics: DatagramStatistics {
        let counts = exchange.withLock { $0 }?.counts ?? DatagramCounts()
        return DatagramStatistics(
            sent: counts.sent, forwarded: counts.forwarded, received: counts.received,
            droppedWhenFull: counts.droppedWhenFull,
            droppedUnread: counts.droppedUnread + inbox.read(\.droppedDatagrams), droppedOld: counts.droppedOld,
            droppedWithoutWay: counts.droppedWithoutWay, droppedInvalid: counts.droppedInvalid)
    }
}
