package import LatticeCore
import OrderedCollections

/// The finds of one source: many announcements (one per interface and name) become few sightings (one per peer and
/// address). Each sighting is reported as found once, and as lost when its last announcement is gone.
package struct SightingTable: Sendable {
    /// A limit against strangers who announce many. A guess: no local network has as many peers.
    package static let peerCountMax = 1_024
    /// Reported per peer; a caller dials each of them.
    package static let addressCountMax = 4
    /// Announcements remembered per peer: four addresses, each on a few interfaces and under an old and a new name.
    static let claimCountMax = 16

    /// What one announcement says about a peer.
    private struct Claim {
        let instance: ServiceInstance
        let sighting: Sighting
        /// Its name may be cut to make space for an id after it.
        let isEarly: Bool
    }

    private struct Peer {
        var claims: [Claim] = []
        /// The reported sightings, with the claims that they came from.
        var told: [Claim] = []
    }

    private let source: Sighting.Source
    private let ownPeer: PeerPrefix
    private var peers: OrderedDictionary<PeerPrefix, Peer> = [:]
    private var peerOfInstance: [ServiceInstance: PeerPrefix] = [:]
    /// Announcements skipped because of a limit, or because the TXT record is not ours.
    private(set) var refusedCount = 0

    package init(source: Sighting.Source, ownPeer: PeerPrefix) {
        self.source = source
        self.ownPeer = ownPeer
    }

    package var peerCount: Int { peers.count }

    /// An announcement was looked up, for the first time or again.
    package mutating func seen(
        _ instance: ServiceInstance, _ answer: InstanceAnswer, into events: inout [DiscoveryEvent]
    ) {
        guard let sighting = sighting(of: instance, answer) else {
            refusedCount += 1
            gone(instance, into: &events)
            return
        }
        guard let peer = sighting.peer, peer != ownPeer else {
            gone(instance, into: &events)
            return
        }
        if let before = peerOfInstance[instance], before != peer { gone(instance, into: &events) }
        guard peers[peer] != nil || peers.count < Self.peerCountMax else {
            refusedCount += 1
            return
        }
        let isEarly = EarlyAnnouncement.isEarly(instance.name, of: peer)
        let isAccepted = claim(Claim(instance: instance, sighting: sighting, isEarly: isEarly), for: peer)
        refusedCount += isAccepted ? 0 : 1
        settle(peer, into: &events)
    }

    /// An announcement was withdrawn or has expired.
    package mutating func gone(_ instance: ServiceInstance, into events: inout [DiscoveryEvent]) {
        guard let peer = peerOfInstance.removeValue(forKey: instance) else { return }
        peers[peer]?.claims.removeAll { $0.instance == instance }
        settle(peer, into: &events)
    }

    /// The source is gone, with everything that it found.
    package mutating func clear(into events: inout [DiscoveryEvent]) {
        for peer in peers.values { events += peer.told.map { DiscoveryEvent.lost($0.sighting) } }
        peers = [:]
        peerOfInstance = [:]
    }

    private func sighting(of instance: ServiceInstance, _ answer: InstanceAnswer) -> Sighting? {
        guard
            answer.address.port > 0,
            let id = answer.txt.text("id"), let peer = PeerPrefix(hex: id),
            let mesh = answer.txt.text("mesh"), let tag = Hex.bytes(mesh), tag.count == 4
        else { return nil }
        let meshTag = tag.reduce(0) { $0 << 8 | UInt32($1) }
        let name = EarlyAnnouncement.name(instance.name, of: peer)
        return Sighting(
            source: source, peer: peer, name: name, meshTag: meshTag, address: answer.address,
            info: answer.txt.info)
    }

    /// - Returns: `false` if the peer has too many claims.
    private mutating func claim(_ claim: Claim, for peer: PeerPrefix) -> Bool {
        var claims = peers[peer, default: Peer()].claims
        if let index = claims.firstIndex(where: { $0.instance == claim.instance }) {
            claims[index] = claim
        } else {
            guard claims.count < Self.claimCountMax else { return false }
            claims.append(claim)
        }
        peers[peer, default: Peer()].claims = claims
        peerOfInstance[claim.instance] = peer
        return true
    }

    /// Reports the difference between the current claims about a peer and what was reported before.
    private mutating func settle(_ prefix: PeerPrefix, into events: inout [DiscoveryEvent]) {
        guard var peer = peers[prefix] else { return }
        var kept: [Claim] = []
        for told in peer.told {
            let same = peer.claims.filter { Self.sayTheSame($0.sighting, told.sighting) }
            if same.isEmpty {
                events.append(.lost(told.sighting))
            } else if told.isEarly, let lasting = same.first(where: { !$0.isEarly }) {
                // In this order, so that the peer is never out of sight.
                if lasting.sighting != told.sighting { events += [.found(lasting.sighting), .lost(told.sighting)] }
                kept.append(lasting)
            } else if let news = same.first, !same.contains(where: { $0.sighting.info == told.sighting.info }) {
                // It was started again with something else to say.
                events += [.found(news.sighting), .lost(told.sighting)]
                kept.append(news)
            } else {
                kept.append(told)
            }
        }
        for claim in peer.claims where kept.count < Self.addressCountMax {
            if kept.contains(where: { $0.sighting.address == claim.sighting.address }) { continue }
            kept.append(claim)
            events.append(.found(claim.sighting))
        }
        peer.told = kept
        peers[prefix] = peer.claims.isEmpty ? nil : peer
    }

    /// Another name for the same address in the same mesh is no news: the name is only a hint.
    private static func sayTheSame(_ left: Sighting, _ right: Sighting) -> Bool {
        left.address == right.address && left.meshTag == right.meshTag
    }
}
