import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeWire
import Logging

// What others say about the time, and the notices about it.
extension NodeClock {
    /// A neighbour's clock arrived with its handshake.
    func linked(by link: Link, for node: isolated Node) {
        tell(linked(link.peer.peer, clock: link.peer.clock), for: node)
    }

    /// A presence is dated only by its author's clock; authors who share a clock count once.
    func heard(_ presences: [VerifiedRecord], for node: isolated Node) {
        for presence in presences
        where !node.mesh.facts.isOwn(presence.author) && node.personas.hosts[presence.author] == nil {
            guard let news = heard(presence.author, said: presence.created.wallTime) else { continue }
            do {
                let name = try Presence(decoding: presence.record.body).name.text
                node.notifier.tell(.notice(news.notice(name: name)), for: node)
            } catch {
                node.logger.debug("malformed presence", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Called once a second.
    func look(for node: isolated Node) {
        let (hasLeapt, news) = look()
        // What had expired by the old time may be valid again.
        if hasLeapt { node.handle(.clockLeapt) }
        tell(news, for: node)
    }

    private func tell(_ news: [ClockNews], for node: isolated Node) {
        for one in news {
            let name = one.peer.flatMap { node.links.introduction(of: $0)?.name.text }
            node.notifier.tell(.notice(one.notice(name: name)), for: node)
        }
    }
}
