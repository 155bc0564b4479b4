import LatticeCore
import Testing

@testable import LatticeDiscovery

/// What a node says about itself, and what of it others take.
@Suite struct DiscoveryInfoTests {
    @Test func whatIsAnnouncedIsHeard() throws {
        let info = try DiscoveryInfo(["role=kitchen", "open=8 to 20", "note=a=b", "x.y-z_1="])
        var advertised = try advertisement("alice", peer: 7)
        advertised = Advertisement(
            name: advertised.name, peer: advertised.peer, meshTag: advertised.meshTag, port: advertised.port, info: info
        )
        let heard = TXTRecord(parsing: advertised.txt.bytes)
        #expect(heard.info == info)
        #expect(heard.entries.prefix(4).map(\.key) == ["txtvers", "id", "mesh", "v"])
        #expect(try advertisement("alice", peer: 7).txt.info.isEmpty)
    }

    private static let longKey = String(repeating: "k", count: 33)
    private static let wrong: [([String], DiscoveryInfo.Fault)] = [
        (["kitchen"], .noPair), (["=kitchen"], .wrongKey), (["my role=kitchen"], .wrongKey), (["rôle=x"], .wrongKey),
        (["\(longKey)=x"], .wrongKey), (["MESH=x"], .reserved(key: "MESH")), (["id=x"], .reserved(key: "id")),
        (["role=a", "Role=b"], .repeated(key: "Role")), (["role=\u{1B}[2J"], .unprintable(key: "role")),
        (["role=a\nb"], .unprintable(key: "role")),
        (["role=\(String(repeating: "x", count: 251))"], .pairTooLong(key: "role")),
        (["a=\(String(repeating: "x", count: 198))", "b=\(String(repeating: "x", count: 197))"], .tooLong(bytes: 401)),
    ]

    @Test(arguments: wrong) func whatBreaksARuleIsRefused(pairs: [String], fault: DiscoveryInfo.Fault) {
        #expect(throws: fault) { try DiscoveryInfo(pairs) }
    }

    @Test func asMuchAsFitsIsTaken() throws {
        let most = ["a=\(String(repeating: "x", count: 198))", "b=\(String(repeating: "x", count: 196))"]
        #expect(try DiscoveryInfo(most).pairs == most)
        #expect(try DiscoveryInfo(["role=\(String(repeating: "x", count: 250))"]).pairs.count == 1)
    }

    /// Nothing that a stranger writes is refused as a whole, moves a cursor, or is longer than our own may be.
    @Test func ofAStrangersOnlyWhatCanBeShownIsTaken() {
        let many = (0..<200).map { ("k\($0)", Array("0123456789".utf8) as [UInt8]?) }
        let heard = DiscoveryInfo(
            heard: [
                ("id", Array("x".utf8)), ("flag", nil), ("bad key", Array("x".utf8)), ("raw", [0xFF, 0xFE]),
                ("esc", Array("\u{1B}[2Ja\u{202E}b\n".utf8)), ("role", Array("kitchen".utf8)),
                ("ROLE", Array("twice".utf8)),
            ])
        #expect(heard.pairs == ["esc=[2Jab", "role=kitchen"])
        let bounded = DiscoveryInfo(heard: many)
        #expect(
            bounded.pairs.count > 20 && bounded.pairs.reduce(0) { $0 + 1 + $1.utf8.count } <= DiscoveryInfo.bytesMax)
    }

    /// A node that was started again says something else from the same address.
    @Test func whatChangedIsNewsAndThePeerIsNeverOutOfSight() throws {
        func answered(_ pairs: [(key: String, value: String)]) -> InstanceAnswer {
            let known = answer(peer: 7)
            return InstanceAnswer(
                txt: TXTRecord([("id", PeerPrefix(7).description), ("mesh", "feedbeef")] + pairs),
                address: known.address)
        }
        var table = SightingTable(source: .system, ownPeer: PeerPrefix(1))
        var events: [DiscoveryEvent] = []
        table.seen(instance("alice"), answered([("role", "kitchen")]), into: &events)
        table.seen(instance("alice"), answered([("role", "kitchen")]), into: &events)
        table.seen(instance("alice"), answered([("role", "tap")]), into: &events)
        let told = events.map { event -> String in
            switch event {
            case .found(let sighting): "+\(sighting.info.pairs)"
            case .lost(let sighting): "-\(sighting.info.pairs)"
            default: "?"
            }
        }
        #expect(told == [#"+["role=kitchen"]"#, #"+["role=tap"]"#, #"-["role=kitchen"]"#])
    }
}
