import LatticeCore
import LatticeWire
import Testing

/// Values and their bytes, written out by hand; the page of the protocol shows the same.
enum Samples {
    static let authorHex = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"

    /// Version, kind, author, created, lifetime, topic, body; then a signature that another implementation made with the
    /// key of RFC 8032 section 7.1, test 1.
    static let recordHex =
        "01" + "01" + authorHex + "018bcfe568000007" + "80f524" + "05237061726b"
        + "08" + "00" + "03626f62" + "026869" + recordSignatureHex

    static let recordSignatureHex =
        "3769a006ba08b9f876c9b216fcd09fcc1b0adc9b03ad8b7559995b659ecb5e14"
        + "907f381885cbcbdeea04849e791ca00e3e41da904e810dcf4ac848aa67cb4400"

    /// Key, signature, instance, clock, port, capabilities, name.
    static let introductionHex =
        authorHex + introductionSignatureHex + "0102030405060708" + "0000018bcfe56800" + "a01f" + "00" + "03626f62"

    static let introductionSignatureHex =
        "ce85511aae40956ec268d5bfed8a5eb13dca97ba14d777ea4e84b012ae9338ce"
        + "b325bf02f7d4b0eca2c6d207ecc4fdb49eef19b0f29e7ab1fb3bdb936eed1c02"

    /// Made by another implementation, over what the stop of `probe` signs.
    static let stopSignatureHex =
        "c7a794607c93a9d05cb59c4e5ffd85d63b1da347320b702a7186c581063743a2"
        + "e7716664cd51e3a52f5746d78e276e50054986b3251dbd3787302d7b62bb2905"

    static func bytes(_ hex: String) throws -> [UInt8] {
        try #require(Hex.bytes(hex))
    }

    static func author() throws -> PeerID {
        try #require(PeerID(hex: authorHex))
    }

    static func peer(_ byte: UInt8) throws -> PeerID {
        PeerID(try #require(Bytes32([UInt8](repeating: byte, count: 32))))
    }

    static func record() throws -> Record {
        Record(
            kind: .chat, author: try author(),
            created: HybridTime(wallTime: WallTime(milliseconds: 1_700_000_000_000), counter: 7),
            lifetimeSeconds: 604_800,
            topic: Array("#park".utf8), body: ChatLine(style: .says, name: try PeerName("bob"), text: "hi").body
        )
    }

    static func signed() throws -> SignedRecord {
        SignedRecord(try record(), signature: try bytes(recordSignatureHex))
    }

    static func introduction() throws -> Introduction {
        Introduction(
            peer: try author(), signature: try bytes(introductionSignatureHex), instance: 0x0102_0304_0506_0708,
            clock: WallTime(milliseconds: 1_700_000_000_000), port: 4_000, capabilities: 0, name: try PeerName("bob")
        )
    }

    /// On its way from the author of `record`, who calls himself bob, to the peer 02…02.
    static func probe() throws -> Probe {
        let stop = Probe.Stop(peer: try author(), name: try PeerName("bob"), signature: try bytes(stopSignatureHex))
        return Probe(
            direction: .there, nonce: 1, from: try author(), to: try peer(2), timeToLive: 32, path: [stop])
    }

    static func recordID(_ byte: UInt8) throws -> RecordID {
        RecordID(try peer(byte).key)
    }

    static func card(_ byte: UInt8, _ host: String, port: UInt16 = 4_000) throws -> PeerCard {
        try #require(PeerCard(peer: try peer(byte), address: PeerAddress(host: host, port: port)))
    }

    static func thirtyTwo(_ byte: String) -> String {
        String(repeating: byte, count: 32)
    }

    /// Every type of frame with its bytes, some of them twice.
    static func frames() throws -> [(frame: Frame, hex: String)] {
        try linkFrames() + overlayFrames() + syncFrames() + dataFrames() + blobFrames() + presenceFrames()
    }

    private static func linkFrames() throws -> [(frame: Frame, hex: String)] {
        [
            (.goodbye(Goodbye(.leaving, "bye")), "01" + "05" + "00" + "03627965"),
            (.ping(nonce: 1), "02" + "08" + "0000000000000001"),
            (.pong(nonce: 0x0102_0304_0506_0708), "03" + "08" + "0102030405060708"),
            (.rekey, "0400"),
            (
                .invitation(Invitation(mesh: try MeshName("lattice"), context: [1, 2], isUrgent: true, room: 5)),
                "05" + "0d" + "076c617474696365" + "020102" + "01" + "05"
            ),
            (.accept(room: 3), "06" + "01" + "03"),
            (.refuse(.closed), "07" + "01" + "05"),
            (
                .record(RecordFrame(timeToLive: 32, hops: 1, signed: try signed())),
                "08" + "7f" + "20" + "01" + "00" + recordHex
            ),
            (
                .record(RecordFrame(timeToLive: 29, hops: 4, isStray: true, signed: try signed())),
                "08" + "7f" + "1d" + "04" + "01" + recordHex
            ),
            (
                .probe(try probe()),
                "09" + "af01" + "00" + "0000000000000001" + authorHex + thirtyTwo("02") + "20" + "01"
                    + authorHex + "03626f62" + stopSignatureHex
            ),
        ]
    }

    private static func overlayFrames() throws -> [(frame: Frame, hex: String)] {
        let entries = [
            Have.Entry(id: try recordID(1), hops: 2), Have.Entry(id: try recordID(2), hops: 64),
        ]
        let cards = [try card(2, "192.168.1.7"), try card(3, "2001:db8::7")]
        return [
            (
                .have(Have(entries: entries)),
                "0a" + "43" + "02" + thirtyTwo("01") + "02" + thirtyTwo("02") + "40"
            ),
            (.graft(Graft(ids: [try recordID(1)])), "0b" + "21" + "01" + thirtyTwo("01")),
            (.prune(of: nil), "0c00"),
            (.prune(of: try peer(2)), "0c" + "20" + thirtyTwo("02")),
            (
                .walk(Walk(kind: .join, timeToLive: 6, origin: .own(try peer(1)))),
                "0d" + "25" + "00" + "06" + thirtyTwo("01") + "00" + "0000"
            ),
            (
                .walk(Walk(kind: .offer, timeToLive: 0, origin: cards[0])),
                "0d" + "30" + "02" + "00" + thirtyTwo("02") + "0b3139322e3136382e312e37" + "0fa0"
            ),
            (
                .shuffle(Shuffle(direction: .request, timeToLive: 3, origin: try peer(1), cards: cards)),
                "0e" + "7f" + "00" + "03" + thirtyTwo("01") + "02"
                    + thirtyTwo("02") + "0b3139322e3136382e312e37" + "0fa0"
                    + thirtyTwo("03") + "0b323030313a6462383a3a37" + "0fa0"
            ),
        ]
    }

    private static func syncFrames() throws -> [(frame: Frame, hex: String)] {
        let (one, two) = (try recordID(1), try recordID(2))
        let since = HybridTime(rawValue: 0x018b_cfe5_6800_0007)
        let start = HybridTime(rawValue: 0)
        let park = Array("#park".utf8)
        let keeping = Keeping([Keeping.Entry(.chat, since: since), Keeping.Entry(.posts, since: start)], rooms: [park])
        let question = Comparison(
            side: .question, session: 7, scope: SyncScope(.chat, room: park), since: since, message: [0x61, 0])
        let answer = Comparison(side: .answer, session: 300, scope: SyncScope(.posts), since: start, message: [])
        return [
            (
                .keeping(keeping),
                "0f" + "1b" + "02" + "01" + "018bcfe568000007" + "02" + "0000000000000000" + "01" + "01"
                    + "05237061726b"
            ),
            (
                .comparison(question),
                "10" + "15" + "00" + "07" + "01" + "01" + "05237061726b" + "018bcfe568000007" + "026100"
            ),
            (.comparison(answer), "10" + "0e" + "01" + "ac02" + "02" + "00" + "0000000000000000" + "00"),
            (.offer(RecordIDs([one])), "11" + "21" + "01" + thirtyTwo("01")),
            (.fetch(RecordIDs([one, two])), "12" + "41" + "02" + thirtyTwo("01") + thirtyTwo("02")),
            (.serve(ServedRecord(ageSeconds: 300, signed: try signed())), "13" + "7e" + "ac02" + recordHex),
            (.lack(RecordIDs([one])), "14" + "21" + "01" + thirtyTwo("01")),
            (.stored(RecordIDs([two])), "15" + "21" + "01" + thirtyTwo("02")),
        ]
    }

    /// The author of `record` is here, in #a, renews its presence every 15 s, and said so 9 s ago with the counter 11.
    private static func presenceFrames() throws -> [(frame: Frame, hex: String)] {
        let presence = Presence(
            isHere: true, name: try PeerName("bob"), rooms: [try RoomName("#a")], renewalSeconds: 15)
        let record = Record(
            kind: .presence, author: try author(),
            created: HybridTime(wallTime: WallTime(milliseconds: 1_700_000_000_000), counter: 11), lifetimeSeconds: 60,
            topic: [], body: presence.body)
        let signed = SignedRecord(record, signature: try bytes(presenceSignatureHex))
        return [
            (
                .presence(PresenceFrame(timeToLive: 5, hops: 2, ageMilliseconds: 9_000, signed: signed)),
                "1d" + "7d" + "05" + "02" + "a846" + "01" + "02" + authorHex + "018bcfe56800000b" + "3c" + "00"
                    + "0c" + "01" + "03626f62" + "01" + "022361" + "02010f" + presenceSignatureHex
            )
        ]
    }

    static let presenceSignatureHex =
        "44796072a18a2d51315923c655bacc0e0d86bad108073e3b8a76e08681a98fcb"
        + "12e4e5e7f976805906fb6cddc3154158c064dd0c0944a48acec6b2557c68f304"

    private static func dataFrames() throws -> [(frame: Frame, hex: String)] {
        let route = DataRoute(timeToLive: 31, from: try peer(1), to: try peer(2))
        var messages = DataMessages()
        messages.append([0x68, 0x69])
        messages.append([])
        let flow: UInt64 = 0x0102_0304_0506_0708
        return [
            (
                .data(DataFrame(route: nil, flow: flow, offset: 300, messages: messages)),
                "16" + "10" + "00" + "0102030405060708" + "ac02" + "02" + "026869" + "00"
            ),
            (
                .data(DataFrame(route: route, flow: flow, offset: 0, messages: DataMessages())),
                "16" + "4c" + "01" + "1f" + thirtyTwo("01") + thirtyTwo("02") + "0102030405060708" + "00" + "00"
            ),
            (
                .dataAnswer(DataAnswer(route: nil, flow: flow, received: 300, limit: 524_588, state: .open)),
                "17" + "0f" + "00" + "0102030405060708" + "ac02" + "ac8220" + "00"
            ),
            (
                .dataAnswer(DataAnswer(route: route, flow: flow, received: 0, limit: 0, state: .unwanted)),
                "17" + "4d" + "01" + "1f" + thirtyTwo("01") + thirtyTwo("02") + "0102030405060708" + "00" + "00"
                    + "02"
            ),
            (
                .datagram(DatagramFrame(route: nil, sequence: 300, ageMilliseconds: 5, octets: [0x68, 0x69])),
                "1c" + "06" + "00" + "ac02" + "05" + "6869"
            ),
            (
                .datagram(
                    DatagramFrame(
                        route: route, sequence: 1, ageMilliseconds: 500, octets: [UInt8](repeating: 0xAA, count: 16))),
                "1c" + "55" + "01" + "1f" + thirtyTwo("01") + thirtyTwo("02") + "01" + "f403"
                    + String(repeating: "aa", count: 16)
            ),
        ]
    }

    private static func blobFrames() throws -> [(frame: Frame, hex: String)] {
        let name = try #require(BlobName(root: try peer(1).key, size: 32_769))
        let first = try #require(PieceRanges([0..<3]))
        let apart = try #require(PieceRanges([1..<3, 300..<301]))
        return [
            (
                .want(Want(ask: 1, .open(name, hops: 0, first))),
                "18" + "29" + "01" + "00" + thirtyTwo("01") + "818002" + "00" + "01" + "0003"
            ),
            (
                .want(Want(ask: 2, .open(name, hops: 2, .none))),
                "18" + "27" + "02" + "00" + thirtyTwo("01") + "818002" + "02" + "00"
            ),
            (.want(Want(ask: 300, .more(apart))), "18" + "09" + "ac02" + "01" + "02" + "0102" + "a90201"),
            (.want(Want(ask: 1, .less(.none))), "18" + "03" + "01" + "02" + "00"),
            (.want(Want(ask: 1, .wrong(300))), "18" + "04" + "01" + "03" + "ac02"),
            (.holds(.have(ask: 1, away: 0, pieces: nil)), "19" + "05" + "00" + "01" + "00" + "01" + "00"),
            (
                .holds(.have(ask: 1, away: 2, pieces: apart)),
                "19" + "0a" + "00" + "01" + "02" + "00" + "02" + "0102" + "a90201"
            ),
            (.holds(.offer(name)), "19" + "24" + "01" + thirtyTwo("01") + "818002"),
            (.piece(PieceFrame(ask: 1, number: 2, octets: [0x68, 0x69])), "1a" + "04" + "01" + "02" + "6869"),
            (.absent(Absent(ask: 1, .otherSize)), "1b" + "04" + "01" + "03" + "00" + "00"),
            (
                .absent(Absent(ask: 1, .busy, waitSeconds: 300, pieces: first)),
                "1b" + "07" + "01" + "02" + "ac02" + "01" + "0003"
            ),
        ]
    }

    /// A number as it stands on the wire, whatever this program would say of it.
    static func written(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        write(&writer)
        return writer.bytes
    }

    /// A frame of any type around any body.
    static func frame(type: UInt64, _ body: [UInt8]) -> [UInt8] {
        written { writer in
            writer.varint(type)
            writer.bytes(body)
        }
    }
}

func wireError<Value>(_ body: () throws(WireError) -> Value) -> WireError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
