import LatticeCore

// Encoding and decoding of the overlay's frames.
extension ByteReader {
    mutating func have() throws(WireError) -> Have {
        let count = try count("have entries", in: 1...Have.countMax)
        var entries: [Have.Entry] = []
        entries.reserveCapacity(min(count, remaining / 33))
        for _ in 0..<count {
            let id = try recordID("have id")
            entries.append(Have.Entry(id: id, hops: try links("have hops", in: 1...RecordFrame.timeToLiveMax)))
        }
        return Have(entries: entries)
    }

    mutating func graft() throws(WireError) -> Graft {
        let count = try count("graft ids", in: 0...Graft.countMax)
        var ids: [RecordID] = []
        ids.reserveCapacity(min(count, remaining / 32))
        for _ in 0..<count { ids.append(try recordID("graft id")) }
        return Graft(ids: ids)
    }

    mutating func walk() throws(WireError) -> Walk {
        guard let kind = Walk.Kind(rawValue: try byte("walk kind")) else { throw .outOfRange(field: "walk kind") }
        let timeToLive = try links("walk TTL", in: 0...Walk.timeToLiveMax)
        return Walk(kind: kind, timeToLive: timeToLive, origin: try peerCard())
    }

    mutating func shuffleFrame() throws(WireError) -> Shuffle {
        guard let direction = Shuffle.Direction(rawValue: try byte("shuffle direction")) else {
            throw .outOfRange(field: "shuffle direction")
        }
        let timeToLive = try links("shuffle TTL", in: 0...Shuffle.timeToLiveMax)
        let origin = try peerID("shuffle origin")
        let count = try count("shuffle cards", in: 0...Shuffle.cardsMax)
        var cards: [PeerCard] = []
        for _ in 0..<count { cards.append(try peerCard()) }
        return Shuffle(direction: direction, timeToLive: timeToLive, origin: origin, cards: cards)
    }

    private mutating func peerCard() throws(WireError) -> PeerCard {
        let peer = try peerID("card peer")
        let host = try text("card host", bytesMax: PeerCard.hostBytesMax)
        let port = UInt16(truncatingIfNeeded: try integer(bytes: 2, "card port"))
        guard let card = PeerCard(peer: peer, address: PeerAddress(host: host, port: port)) else {
            throw .outOfRange(field: "card address")
        }
        return card
    }

    mutating func count(_ field: String, in range: ClosedRange<Int>) throws(WireError) -> Int {
        guard let count = Int(exactly: try varint(field)), range.contains(count) else {
            throw .outOfRange(field: field)
        }
        return count
    }

    mutating func recordID(_ field: String) throws(WireError) -> RecordID {
        guard let hash = Bytes32(try fixed(32, field)) else { throw .truncated(field: field) }
        return RecordID(hash)
    }
}

extension ByteWriter {
    mutating func have(_ have: Have) {
        varint(UInt64(have.entries.count))
        for entry in have.entries {
            fixed(entry.id.hash)
            varint(UInt64(entry.hops))
        }
    }

    mutating func graft(_ graft: Graft) {
        varint(UInt64(graft.ids.count))
        for id in graft.ids { fixed(id.hash) }
    }

    mutating func walk(_ walk: Walk) {
        byte(walk.kind.rawValue)
        varint(UInt64(walk.timeToLive))
        peerCard(walk.origin)
    }

    mutating func shuffle(_ shuffle: Shuffle) {
        byte(shuffle.direction.rawValue)
        varint(UInt64(shuffle.timeToLive))
        fixed(shuffle.origin.key)
        varint(UInt64(shuffle.cards.count))
        for card in shuffle.cards { peerCard(card) }
    }

    private mutating func peerCard(_ card: PeerCard) {
        fixed(card.peer.key)
        text(card.address.host)
        integer(UInt64(card.address.port), bytes: 2)
    }
}
