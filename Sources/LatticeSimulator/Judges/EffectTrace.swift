import LatticeCore
import LatticeMesh
import LatticeWire

/// A hash of all effects of a run, in order. It stays the same under changes to the mesh that should not change its
/// behaviour.
package struct EffectTrace: Hashable, Sendable, CustomStringConvertible {
    package private(set) var value: UInt64 = 0

    package init() {}

    package var description: String { String(value, radix: 16) }

    /// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of `word` affects every bit of the hash.
    package mutating func add(_ word: UInt64) {
        var mixed = (value &+ word) &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        value = mixed ^ mixed >> 31
    }

    mutating func add(_ effects: [MeshEffect], of peer: Int, at now: Instant) {
        guard !effects.isEmpty else { return }
        add(UInt64(peer))
        add(UInt64(bitPattern: now.nanoseconds))
        for effect in effects { add(effect) }
    }

    private mutating func add(_ effect: MeshEffect) {
        switch effect {
        case .dial(let dial, let address): add(1, "\(dial.rawValue) \(address)")
        case .send(let frame, let link): add(2, frame.bytes, [link])
        case .forward(let record, let timeToLive, let hops, let isStray, let isUrgent, let links):
            add(3, record, [UInt32(timeToLive), UInt32(hops), (isStray ? 1 : 0) + (isUrgent ? 2 : 0)], links)
        case .handPresence(let record, let timeToLive, let hops, let age, let links):
            add(4, record, [UInt32(timeToLive), UInt32(hops), age], links)
        case .endorse(let probe, let links): add(5, Frame.probe(probe).bytes, links)
        case .close(let link, let goodbye): add(6, Frame.goodbye(goodbye).bytes, [link])
        case .deliver(let record, let hops, let isUrgent): add(7, record, [UInt32(hops) + (isUrgent ? 256 : 0)], [])
        case .announce(let presence): add(8, presence.body, [])
        case .stateChanged(let peer, let name, let state, let end):
            add(9, "\(peer.hex) \(name.text) \(state.rawValue) \(end?.story ?? "")")
        case .ask(let peer, let name, let context, _): add(10, "\(peer.hex) \(name.text) \(context)")
        case .unreachable(let sighting, let end): add(11, "\(sighting.name ?? "") \(end.story)")
        case .dialledSelf(let address): add(12, "\(address)")
        case .presenceChanged(let peer, let presence, let hops):
            add(13, peer.key.bytes + presence.body + [hops], [])
        case .probed(let nonce, let outcome):
            add(14, "\(nonce) \(outcome)")
        case .compare(let work):
            add(15, work.message, [work.link])
            add(UInt64(work.session) << 1 | (work.side == .question ? 1 : 0))
        case .keep(let record, let age, let isUrgent, let link):
            add(isUrgent ? 23 : 16, record, [age], [link])
        case .serve(let ids, let link): add(17, ids.flatMap(\.hash.bytes), [link])
        case .syncChanged: add(18)
        case .comparedWith(let peer): add(19, peer.key.bytes, [])
        case .confirmed(let ids): add(20, ids.flatMap(\.hash.bytes), [])
        case .outboxFull(let id): add(21, id.hash.bytes, [])
        // Simulated worlds carry no data, no datagrams and no blobs.
        case .data: add(22)
        case .blob: add(24)
        // Nor are there programs that invite.
        case .invitationEnded: add(25)
        case .datagram: add(26)
        case .supplied(let record, _): add(27, record, [], [])
        }
    }

    private mutating func add(_ tag: UInt64, _ record: VerifiedRecord, _ numbers: [UInt32], _ links: [LinkID]) {
        add(tag, record.id.hash.bytes, links)
        for number in numbers { add(UInt64(number)) }
    }

    private mutating func add(_ tag: UInt64, _ text: String) { add(tag, Array(text.utf8), []) }

    private mutating func add(_ tag: UInt64, _ bytes: [UInt8], _ links: [LinkID]) {
        add(tag)
        add(UInt64(bytes.count))
        var word: UInt64 = 0
        // By an index: without an optimiser, an iterator takes several times as long.
        var index = 0
        while index < bytes.count {
            word = word << 8 | UInt64(bytes[index])
            if index % 8 == 7 { add(word) }
            index += 1
        }
        add(word)
        for link in links { add(link.rawValue) }
    }
}
