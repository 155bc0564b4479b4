import LatticeCore
import LatticeDiscovery
import LatticeLink
import LatticeMesh
import LatticeWire
import Logging

// Links that open and end, and what goes out over them.
extension LinkTable {
    static func opened(_ link: Link, for node: isolated Node) {
        if let dial = link.dial, let expected = node.configuration.expected[link.address], expected != link.peer.peer {
            link.close(Goodbye(.refused, "another peer was expected"))
            return failed(dial, .otherPeer, for: node)
        }
        node.links.opened(link)
        node.network.failures.reached(link)
        let opened = OpenedLink(
            peer: link.peer.peer, name: link.peer.name, instance: link.peer.instance, address: link.listeningAddress,
            dial: link.dial)
        node.handle(.linkOpened(link.id, opened))
        node.clock.linked(by: link, for: node)
    }

    static func closed(_ link: Link, _ closure: LinkClosure, for node: isolated Node) {
        if case .fault = closure { node.meter.refused(.faults) }
        node.sync.countNeighbours(for: node)
        node.links.closed(link.id)
        node.waits.resolve(.drained(link.id))
        node.sync.closed(link)
        node.clock.unlinked(link.peer.peer)
        node.network.discovery.refresh()
        node.handle(.linkClosed(link.id, LinkEnd(closure)))
        node.blobs?.linksChanged(for: node)
        if node.links.isEmpty { node.waits.resolve(.unlinked) }
    }

    static func failed(_ dial: DialID, _ end: DialEnd, for node: isolated Node) {
        node.logger.debug("dial failed", metadata: ["reason": "\(end)"])
        node.network.failures.failed(dial, end)
        node.handle(.dialFailed(dial, end))
    }

    static func dial(_ dial: DialID, _ address: PeerAddress, for node: isolated Node) {
        node.logger.debug("dialling", metadata: ["address": "\(address)"])
        node.network.failures.dialled(dial, address)
        node.links.transport.dial(dial, address)
    }

    /// Encodes it once for all of these.
    static func send(
        _ frame: Frame, to targets: [LinkID], isUrgent: Bool = false, for node: isolated Node
    ) {
        let bytes = frame.bytes
        for link in targets { send(bytes, frame.type, to: link, isUrgent: isUrgent, for: node) }
    }

    static func send(
        _ frame: [UInt8], _ type: Frame.TypeNumber, to id: LinkID, isUrgent: Bool = false, for node: isolated Node
    ) {
        let lane: SendLane = isUrgent ? .urgent : type.beginsLink ? .fence : .usual
        if node.links.send(frame, to: id, lane) { node.meter.metrics.sent(type) }
    }
}

extension Frame.TypeNumber {
    /// Whether records are allowed only after it.
    fileprivate var beginsLink: Bool { self == .invitation || self == .accept }
}

extension LinkEnd {
    init(_ closure: LinkClosure) {
        switch closure {
        case .goodbye(let goodbye): self = .goodbye(goodbye)
        case .broken(let reason): self = .broken(reason)
        case .fault(let reason): self = .fault(reason)
        }
    }
}
