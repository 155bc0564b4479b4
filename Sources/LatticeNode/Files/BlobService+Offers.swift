import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire

// Private files for somebody who is away: neighbours are asked to keep them meanwhile.
extension BlobService {
    /// - Parameter name: a private file that is here.
    func offer(_ name: BlobName, for recipient: PeerID, for node: isolated Node) {
        guard offers.add(name, for: recipient) else { return }
        askToKeep(for: node)
    }

    /// Asks neighbours that were not asked yet.
    func askToKeep(for node: isolated Node) {
        guard offers.areAny else { return }
        let open = node.ask { $0.register.connectedLinks }.filter {
            node.links[$0.link]?.peer.exchangesBlobs ?? false
        }
        for question in offers.ask(open.map { (link: $0.link, peer: $0.peer) }) {
            handle(.offer(question.name, to: question.links), for: node)
        }
    }

    /// A neighbour asks this node to keep a blob.
    func offered(_ name: BlobName, over link: LinkID, for node: isolated Node) {
        let peer = node.ask { $0.register.connectedLinks }.first { $0.link == link }?.peer
        guard let peer, downloads[name] == nil, !node.contacts.contactMarks.blocked.contains(peer),
            offers.take(name, from: peer, at: Clocks.now)
        else { return }
        work(for: node) { service, node in
            guard await !service.isComplete(name), let have = await service.beginPassing(name) else { return }
            service.handle(.taken(name, have: have, from: link), for: node)
        }
    }

    private nonisolated(nonsending) func isComplete(_ name: BlobName) async -> Bool {
        do {
            return try await store.blobs.find(name)?.isComplete ?? false
        } catch {
            return true  // A store that cannot be read keeps nothing more.
        }
    }
}
