public import FoundationEssentials
import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeNode
import LatticeWire

extension Session {
    /// How long the sender of a resource may take to say what it is.
    private static let offerTimeout: Duration = .seconds(10)

    /// Files that others offer. One reader at a time.
    public var resources: IncomingResources { IncomingResources(queue: resourceQueue) }

    /// Offers a file to a peer, sealed from end to end, over any number of links.
    ///
    /// The steps begin when the other side saves it, and end when it has verified all. Nothing is read or sent before the
    /// sequence is iterated; leaving it or cancelling its task withdraws the offer. Each iteration is an offer of its own. The
    /// file is read once to name it by its hash, and once more while it is sent; it must not change meanwhile. A transfer takes
    /// one of the 32 streams of a session on both sides.
    ///
    /// - Parameters:
    ///   - url: a file of at most 32 GiB.
    ///   - name: how it is called there: 1–255 bytes without `/`, `\`, control characters and invisible ones, without a blank at
    ///     its ends and a dot at its end; `nil` is the name of the file.
    ///   - peer: who may save it.
    /// - Returns: the transfer, which throws ``LatticeError/Code/invalid`` for a name or a URL that cannot be, or this session's
    ///   own id; ``LatticeError/Code/file`` if the file cannot be read, is a folder or changes;
    ///   ``LatticeError/Code/noRoute``, ``LatticeError/Code/timedOut`` if the peer cannot be reached;
    ///   ``LatticeError/Code/unwanted`` if its program does not read ``resources``; ``LatticeError/Code/busy`` if too many wait there or there are 32 streams;
    ///   ``LatticeError/Code/declined``; ``LatticeError/Code/interrupted`` if the other side ended, could not save it, did not
    ///   answer for half a minute or took nothing for a minute; ``LatticeError/Code/closed``, ``LatticeError/Code/cancelled``.
    public func sendResource(at url: URL, named name: String? = nil, to peer: Peer) -> ResourceTransfer {
        ResourceTransfer { ResourceSender(self, url, named: name, to: peer) }
    }

    /// Takes what others offer, as long as there is room.
    func acceptResources(on running: ServingNode) async {
        guard await resourceQueue.first({ $0.isWanted ? () : nil }) != nil else { return }
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                do throws(RequestError) {
                    let info = try await running.node.streams.listen(for: .resource, from: nil)
                    let stream = ResourceStream(info, on: running.node)
                    _ = resourceQueue.change { $0.removeWithdrawn() }
                    if resourceQueue.change({ $0.arrives(from: info.peer) }) {
                        group.addTask { await self.acceptResource(stream, from: info.peer) }
                    } else {
                        stream.refuse()
                    }
                } catch {
                    return  // The node ends.
                }
            }
        }
    }

    private func acceptResource(_ stream: ResourceStream, from id: LatticeCore.PeerID) async {
        let offer = await Bounded.first(within: Self.offerTimeout) { await Self.readOffer(stream) }
        let name = board.read { $0[id]?.peer.name } ?? ""
        let resource = offer.map { IncomingResource($0, from: Peer(id, name: name), stream) }
        resourceQueue.change { $0.came(resource, from: id) }
    }

    private static func readOffer(_ stream: ResourceStream) async -> ResourceOffer? {
        do {
            let length = try await stream.take(ResourceOffer.lengthBytes).reduce(0) { $0 << 8 | Int($1) }
            guard length <= ResourceOffer.bytesMax else { return nil }
            return try ResourceOffer(try await stream.take(length))
        } catch {
            return nil  // The stream ended, or holds something else.
        }
    }
}
