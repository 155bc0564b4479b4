import LatticeCore
import LatticeDiscovery

extension FuzzTarget {
    static let sighting = FuzzTarget(
        "sighting",
        "TXT records and announcements of strangers: read and written as the same, found before lost, bounded",
        inputBytesMax: 2_048
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        if source.flag() { return try SightingTrial.txt(source.all()) }
        var trial = SightingTrial()
        var steps = 0
        while !source.isEmpty, steps < 300 {
            steps += 1
            try trial.step(&source)
        }
        try trial.end()
    }
}

private struct SightingTrial {
    private static let own = MeshCast.shared.me.prefix

    private var table = SightingTable(source: .embedded, ownPeer: own)
    private var found: Set<Sighting> = []

    static func txt(_ bytes: [UInt8]) throws(BrokenProperty) {
        let record = TXTRecord(parsing: bytes)
        try hold(record.entries.count <= TXTRecord.entryCountMax, "more entries than are read")
        try hold(record.bytes.count <= max(1, min(bytes.count, TXTRecord.bytesMax)), "more is written than was read")
        let again = TXTRecord(parsing: record.bytes)
        try hold(again == record && again.bytes == record.bytes, "a record is read as another")
        for entry in record.entries {
            try hold(record.entry(entry.key.uppercased()) == entry, "an entry is not found by its key")
            try ScreenOracle.check(entry.key, of: "a key")
        }
    }

    mutating func step(_ source: inout ByteSource) throws(BrokenProperty) {
        var events: [DiscoveryEvent] = []
        let form = source.byte()
        let label = form & 1 == 0 ? Array("bob \(source.byte() % 40)".utf8) : source.bytes(Int(source.byte() % 70))
        guard let instance = ServiceInstance(interface: UInt32(source.byte() % 4), label: label) else {
            return try hold(label.isEmpty || label.count > PeerName.bytesMax || label.contains(0), "a label is refused")
        }
        if form & 0x30 == 0x30 {
            table.gone(instance, into: &events)
        } else {
            let peer = source.index(below: 40)
            let id = PeerPrefix(hex: Hex.string([0, 0, 0, 0, 0, 0, 7, UInt8(peer)]))
            var txt = TXTRecord([("txtvers", "1"), ("id", id?.description ?? ""), ("mesh", "0000000\(form & 2)")])
            if form & 4 == 4 { txt = TXTRecord(parsing: source.bytes(Int(source.byte()))) }
            let address = PeerAddress(host: "10.0.0.\(source.byte() % 6)", port: UInt16(source.byte() % 3))
            table.seen(instance, InstanceAnswer(txt: txt, address: address), into: &events)
        }
        try told(events)
    }

    private mutating func told(_ events: [DiscoveryEvent]) throws(BrokenProperty) {
        for event in events {
            switch event {
            case .found(let sighting):
                try hold(found.insert(sighting).inserted, "one sighting is found twice")
                try hold(sighting.peer != Self.own && sighting.address.port > 0, "what cannot be dialled is found")
            case .lost(let sighting): try hold(found.remove(sighting) != nil, "what was not found is lost")
            case .running, .stopped, .trouble, .recovered, .chosen: throw BrokenProperty("a table tells of a responder")
            }
        }
        try hold(table.peerCount <= SightingTable.peerCountMax, "too many peers")
        let byPeer = Dictionary(grouping: found, by: \.peer)
        try hold(byPeer.values.allSatisfy { $0.count <= SightingTable.addressCountMax }, "too many addresses of a peer")
        try hold(byPeer.count == table.peerCount || byPeer.count < table.peerCount, "somebody is found and not kept")
    }

    mutating func end() throws(BrokenProperty) {
        var events: [DiscoveryEvent] = []
        table.clear(into: &events)
        try told(events)
        try hold(found.isEmpty && table.peerCount == 0, "somebody stays found")
    }
}
