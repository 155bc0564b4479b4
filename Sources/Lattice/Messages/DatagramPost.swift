import LatticeAPI
import LatticeCore
import LatticeNode
import Synchronization

/// Unreliable messages: their keys go over the stream of messages between the two sessions.
final class DatagramPost: Sendable {
    private let inbox: Watched<MessageInbox>
    private let board: Watched<PeerBoard>
    /// Of the node that runs or ran.
    private let exchange = Mutex<DatagramExchange?>(nil)
    /// Peers whose key is to be asked for.
    let keyless: AsyncStream<LatticeCore.PeerID>
    private let keylessInput: AsyncStream<LatticeCore.PeerID>.Continuation

    init(inbox: Watched<MessageInbox>, board: Watched<PeerBoard>) {
        (self.inbox, self.board) = (inbox, board)
        // As many as there are streams. A peer that finds no place is asked two seconds later.
        (keyless, keylessInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(64))
    }

    func begin(on running: ServingNode) {
        let datagrams = running.node.data.datagrams
        exchange.withLock { $0 = datagrams }
        let (inbox, board) = (inbox, board)
        datagrams.onReceived { id, bytes in
            let status = board.read { $0[id] }
            inbox.change { inbox in
                guard let status, status.state == .connected else { return inbox.dropDatagram() }
                inbox.putDatagram(Received(peer: status.peer, bytes: bytes, mode: .unreliable))
            }
        }
    }

    /// Waits for no peer.
    nonisolated(nonsending) func send(
        _ bytes: [UInt8], to peers: [Peer], on running: ServingNode
    ) async -> SendReport {
        let outcome = await running.node.sendDatagram(bytes, to: peers.map(\.id.core))
        for peer in outcome.keyless { keylessInput.yield(peer) }
        let unreachable = Set(outcome.unreachable)
        return SendReport(
            dropped: outcome.dropped, unreachable: peers.filter { unreachable.contains($0.id.core) })
    }

    var statistics: DatagramStatistics {
        let counts = exchange.withLock { $0 }?.counts ?? DatagramCounts()
        return DatagramStatistics(
            sent: counts.sent, forwarded: counts.forwarded, received: counts.received,
            droppedWhenFull: counts.droppedWhenFull, droppedUnread: inbox.read(\.droppedDatagrams),
            droppedOld: counts.droppedOld, droppedWithoutWay: counts.droppedWithoutWay)
    }
}
