import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

/// What is said in a kept session, as values.
enum KeptFrames {
    /// Every type of frame there is in version 1.
    static func version1() throws -> [Frame] {
        try linkFrames() + overlayFrames() + syncFrames() + dataFrames()
    }

    private static func linkFrames() throws -> [Frame] {
        let stop = Probe.Stop(peer: peer(1), name: try PeerName("zoë"), signature: [UInt8](repeating: 9, count: 64))
        return [
            .ping(nonce: 0x0102_0304_0506_0708), .pong(nonce: 7),
            .invitation(
                Invitation(mesh: try MeshName("camp"), context: [2, 1, 2], isUrgent: true, room: 5)),
            .accept(room: 3), .refuse(.closed),
            .record(RecordFrame(timeToLive: 32, hops: 1, isStray: true, signed: try signed("good morning"))),
            .probe(
                Probe(direction: .there, nonce: 1, from: peer(1), to: peer(2), timeToLive: 32, path: [stop])),
        ]
    }

    private static func overlayFrames() throws -> [Frame] {
        let cards = try [card(2, "192.168.1.7"), card(3, "2001:db8::7")]
        return [
            .have(Have(entries: [Have.Entry(id: id(1), hops: 2), Have.Entry(id: id(2), hops: 64)])),
            .graft(Graft(ids: [id(1)])), .prune(of: nil), .prune(of: peer(2)),
            .walk(Walk(kind: .join, timeToLive: 6, origin: .own(peer(1)))),
            .shuffle(Shuffle(direction: .request, timeToLive: 3, origin: peer(1), cards: cards)),
        ]
    }

    private static func syncFrames() throws -> [Frame] {
        let since = HybridTime(wallTime: WallTime(milliseconds: 1_700_000_000_000), counter: 7)
        let camp = Array("#camp".utf8)
        let scope = SyncScope(.chat, room: camp)
        return [
            .keeping(
                Keeping(
                    [Keeping.Entry(.chat, since: since), Keeping.Entry(.posts, since: HybridTime(rawValue: 0))],
                    rooms: [camp])),
            .comparison(Comparison(side: .question, session: 7, scope: scope, since: since, message: [0x61, 0])),
            .offer(RecordIDs([id(1)])), .fetch(RecordIDs([id(1), id(2)])),
            .serve(ServedRecord(ageSeconds: 300, signed: try signed("what was said before"))),
            .lack(RecordIDs([id(1)])), .stored(RecordIDs([id(2)])),
        ]
    }

    private static func dataFrames() throws -> [Frame] {
        var messages = DataMessages()
        messages.append([0x68, 0x69])
        messages.append([])
        let route = DataRoute(timeToLive: 31, from: peer(1), to: peer(2))
        return [
            .data(DataFrame(route: route, flow: 9, offset: 300, messages: messages)),
            .dataAnswer(DataAnswer(route: nil, flow: 9, received: 300, limit: 524_588, state: .open)),
            .goodbye(Goodbye(.leaving, "good night")),
        ]
    }

    private static func signed(_ text: String) throws -> SignedRecord {
        let identity = Identity(seed: SecretBytes(copying: [UInt8](repeating: 5, count: 32)))
        let record = Record(
            kind: .chat, author: identity.peer,
            created: HybridTime(wallTime: WallTime(milliseconds: 1_700_000_000_000), counter: 7),
            lifetimeSeconds: 604_800,
            topic: Array("#camp".utf8), body: ChatLine(style: .says, name: try PeerName("zoë"), text: text).body)
        return identity.sign(record).signed
    }

    private static func peer(_ octet: UInt64) -> PeerID { PeerID(Bytes32(words: (octet, octet, octet, octet))) }

    private static func id(_ octet: UInt64) -> RecordID { RecordID(peer(octet).key) }

    private static func card(_ octet: UInt64, _ host: String) throws -> PeerCard {
        try #require(PeerCard(peer: peer(octet), address: PeerAddress(host: host, port: 4_000)))
    }
}
