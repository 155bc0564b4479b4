import LatticeCore
import LatticeMesh
import LatticeWire

// Frames from neighbours, about existing and invented peers and records.
extension MeshTrial {
    mutating func peer() -> PeerID {
        let index = source.index(below: cast.peers.count + 1)
        return index < cast.peers.count ? cast.peers[index] : PeerID(made(of: source.byte()))
    }

    mutating func recordID() -> RecordID {
        let index = source.index(below: cast.records.count + 8)
        return index < cast.records.count ? cast.records[index].id : RecordID(made(of: source.byte()))
    }

    /// A few ids; now and then as many as a frame can hold.
    mutating func recordIDs() -> [RecordID] {
        let count = source.byte()
        guard count == 255, source.byte() == 255 else { return (0..<count % 5).map { _ in recordID() } }
        let seed = source.byte()
        return (0..<RecordIDs.countMax).map { number in
            RecordID(Bytes32(words: (UInt64(seed), UInt64(number), 0, 0)))
        }
    }

    private func made(of byte: UInt8) -> Bytes32 {
        Bytes32(words: (UInt64(byte) << 56 | 1, 2, 3, 4))
    }

    mutating func sighting() -> Sighting {
        let rank = source.index(below: cast.peers.count)
        let form = source.byte()
        return Sighting(
            source: source.choice(of: [.system, .embedded, .given, .neighbour]),
            peer: form & 1 == 0 ? cast.peers[rank].prefix : nil, name: "bob", meshTag: form & 2 == 0 ? 7 : nil,
            address: cast.address(rank), alias: form & 4 == 0 ? nil : cast.peers[rank].prefix)
    }

    mutating func invitation() -> Invitation {
        Invitation(
            mesh: cast.mesh, context: [], isUrgent: source.flag(), room: source.byte())
    }

    mutating func presence() -> Presence {
        Presence(isHere: source.flag(), name: cast.name, rooms: source.flag() ? cast.rooms : [])
    }

    mutating func keeping() -> Keeping {
        let groups = source.byte()
        let since = HybridTime(rawValue: source.number(bytes: 1))
        let entries = SyncScope.Group.allCases.enumerated().filter { groups >> $0.offset & 1 == 0 }
            .map { Keeping.Entry($0.element, since: since) }
        return Keeping(entries, rooms: groups & 0x80 == 0 ? nil : cast.rooms.map { Array($0.text.utf8) })
    }

    mutating func probe() -> Probe {
        let stops = (0..<source.byte() % 4).map { _ in
            Probe.Stop(
                peer: peer(), name: cast.name, signature: [UInt8](repeating: 0, count: Record.signatureBytes))
        }
        return Probe(
            direction: source.flag() ? .back : .there, nonce: source.number(bytes: 1), from: peer(), to: peer(),
            timeToLive: 1 + source.byte() % 64, path: stops)
    }

    private mutating func card() -> PeerCard {
        let rank = source.index(below: cast.peers.count)
        guard source.flag(), let card = PeerCard(peer: cast.peers[rank], address: cast.address(rank)) else {
            return .own(cast.peers[rank])
        }
        return card
    }

    private mutating func comparison() -> Comparison {
        let group = source.choice(of: SyncScope.Group.allCases)
        let room = group == .chat && source.flag() ? Array(cast.rooms[0].text.utf8) : nil
        let asked = watch.questions.isEmpty ? UInt32(source.byte()) : source.choice(of: watch.questions)
        return Comparison(
            side: source.flag() ? .answer : .question, session: source.flag() ? asked : UInt32(source.byte()),
            scope: SyncScope(group, room: room), since: HybridTime(rawValue: source.number(bytes: 1)),
            message: source.bytes(Int(source.byte() % 16)))
    }

    mutating func frame() -> Frame {
        switch source.byte() % 25 {
        case 0: return .ping(nonce: source.number(bytes: 1))
        case 1: return .pong(nonce: source.number(bytes: 1))
        case 2: return .refuse(source.choice(of: [.otherMesh, .duplicate, .declined, .full, .unknown]))
        case 3, 4:
            let entries = recordIDs().map { Have.Entry(id: $0, hops: 1 + source.byte() % 64) }
            return .have(Have(entries: entries.isEmpty ? [Have.Entry(id: recordID(), hops: 1)] : entries))
        case 5: return .graft(Graft(ids: recordIDs()))
        case 6: return .prune(of: source.flag() ? peer() : nil)
        case 7:
            return .walk(
                Walk(
                    kind: source.choice(of: [.join, .seek, .offer]), timeToLive: source.byte() % 33, origin: card()))
        case 8:
            return .shuffle(
                Shuffle(
                    direction: source.flag() ? .answer : .request, timeToLive: source.byte() % 33, origin: peer(),
                    cards: (0..<source.byte() % 17).map { _ in card() }))
        case 9: return .keeping(keeping())
        case 10, 11: return .comparison(comparison())
        case 12: return .offer(RecordIDs(some()))
        case 13: return .fetch(RecordIDs(some()))
        case 14: return .lack(RecordIDs(some()))
        case 15: return .stored(RecordIDs(some()))
        case 16: return .probe(probe())
        case 17: return .goodbye(Goodbye(.leaving, ""))
        case 18: return .invitation(invitation())
        case 19: return .data(data())
        case 20: return .dataAnswer(dataAnswer())
        case 22: return .want(Want(ask: 1 + UInt32(source.byte()), .more(PieceRanges(asking: [Int(source.byte())]))))
        case 23: return .piece(PieceFrame(ask: 1, number: Int(source.byte()), octets: source.bytes(Int(source.byte()))))
        case 24: return .datagram(datagram())
        default: return raw() ?? .rekey
        }
    }

    private mutating func data() -> DataFrame {
        var messages = DataMessages()
        for _ in 0..<source.byte() % 4 { messages.append(source.bytes(Int(source.byte()))) }
        return DataFrame(
            route: route(), flow: UInt64(source.byte() % 4), offset: source.number(bytes: 1), messages: messages)
    }

    private mutating func dataAnswer() -> DataAnswer {
        let received = source.number(bytes: 2)
        return DataAnswer(
            route: route(), flow: UInt64(source.byte() % 4), received: received,
            limit: received + source.number(bytes: 2),
            state: source.choice(of: [.open, .missing, .unwanted, .unknown, .full]))
    }

    /// As long as its tag at least.
    mutating func sealed() -> [UInt8] {
        [UInt8](repeating: 0, count: DatagramFrame.tagBytes) + source.bytes(Int(source.byte()))
    }

    private mutating func datagram() -> DatagramFrame {
        DatagramFrame(
            route: route(), sequence: source.number(bytes: 1), ageMilliseconds: UInt32(source.byte()) << 2,
            octets: sealed())
    }

    private mutating func route() -> DataRoute? {
        source.flag() ? DataRoute(timeToLive: 1 + source.byte() % 64, from: peer(), to: peer()) : nil
    }

    private mutating func some() -> [RecordID] {
        let ids = recordIDs()
        return ids.isEmpty ? [recordID()] : ids
    }

    private mutating func raw() -> Frame? {
        let bytes = source.bytes(Int(source.byte()))
        let frames = accepted { try Frame.decode(message: bytes[...]) }
        return frames?.first { frame in
            switch frame {
            // A link turns these frames into events of their own.
            case .record, .serve: false
            default: true
            }
        }
    }
}
