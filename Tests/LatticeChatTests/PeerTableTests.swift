import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeChat

/// The table of /peers.
struct PeerTableTests {
    private func peers() throws -> [PeerInfo] {
        [
            PeerInfo(
                id: Samples.peer(2), prefix: nil, name: "bob", state: .connected, hops: 1,
                roundTrip: .microseconds(1_250), address: PeerAddress(host: "fe80::1%eth0", port: 4_000),
                source: .embedded, rooms: [try RoomName("#lobby"), try RoomName("#park")]),
            PeerInfo(
                id: Samples.peer(3), prefix: nil, name: "李雷", state: .notConnected, hops: 12, via: Samples.peer(2)),
            PeerInfo(
                id: nil, prefix: Samples.peer(4).prefix, name: "dave", state: .notConnected,
                address: PeerAddress(host: "10.0.0.4", port: 4_004), source: .given,
                reason: .broken(reason: "Connection refused")),
        ]
    }

    @Test func columnsStandUnderTheirHeads() throws {
        #expect(
            PeerTable.lines(try peers(), ["bob", "李雷", "👩‍👩‍👧"]) == [
                "NAME  ID         STATE          HOPS  ROUND TRIP  ADDRESS",
                "bob   \(Samples.peer(2).short)       connected      1     1.3 ms      [fe80::1%eth0]:4000",
                "李雷  \(Samples.peer(3).short)       relayed        12    -",
                "👩‍👩‍👧    04000000…  not connected  -     -           10.0.0.4:4004 (Connection refused)",
            ])
    }

    /// What a stranger announces moves no cursor, here neither.
    @Test func whatAPeerAnnouncesIsShown() throws {
        var peer = try peers()[0]
        peer.info = ["role=kitchen", "note=\u{1B}[2Jopen"]
        #expect(PeerTable.lines([peer], ["bob"])[1].hasSuffix(" [fe80::1%eth0]:4000 role=kitchen, note=[2Jopen"))
        #expect(PeerTable.details(peer, "bob").contains("  announces role=kitchen, note=[2Jopen"))
        #expect(!PeerTable.details(try peers()[0], "bob").contains { $0.contains("announces") })
    }

    @Test func wideNamesTakeTheColumnsTheyTake() throws {
        let names = ["bob", "李雷李雷李雷", "zoe\u{308}"]
        let lines = PeerTable.lines(try peers(), names)
        let columns = try zip(lines.dropFirst(), ["connected", "relayed", "not connected"]).map { line, state in
            let start = try #require(line.firstRange(of: state)).lowerBound
            return DisplayWidth.columns(of: String(line[..<start]))
        }
        #expect(Set(columns).count == 1)
    }

    /// What does not fit beside is set below; nothing is lost, and no line is broken by the terminal.
    @Test func atEachWidthTheTableIsWhole() throws {
        let peers = try peers()
        let narrow = PeerTable.lines(peers, ["bob", "carol", "dave"], columns: 40)
        #expect(
            narrow == [
                "bob", "  id \(Samples.peer(2).short), state connected, hops 1,", "  round trip 1.3 ms, address",
                "  [fe80::1%eth0]:4000", "carol", "  id \(Samples.peer(3).short), state relayed, hops 12", "dave",
                "  id 04000000…, state not connected,", "  address 10.0.0.4:4004 (Connection", "  refused)",
            ])
        for columns in 30...120 {
            let lines = PeerTable.lines(peers, ["bob", "carol", "dave"], columns: columns)
            #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) < columns }, "\(columns)")
            let words = lines.joined(separator: " ").split(separator: " ")
            for word in ["bob", "relayed", "[fe80::1%eth0]:4000", "(Connection", "refused)"] {
                #expect(words.contains { $0.hasPrefix(word) }, "\(word) at \(columns)")
            }
        }
    }

    @Test func nobodyIsASentence() {
        #expect(PeerTable.lines([], []) == ["Nobody is here."])
    }

    @Test func detailsSayWhatIsKnownAndNothingElse() throws {
        let peers = try peers()
        #expect(
            PeerTable.details(peers[0], "bob") == [
                "bob: connected", "  id \(Samples.peer(2).hex), short \(Samples.peer(2).short)", "  rooms #lobby #park",
                "  1 hop away", "  round trip 1.3 ms", "  address [fe80::1%eth0]:4000", "  found by embedded discovery",
            ])
        #expect(
            PeerTable.details(peers[2], "dave") == [
                "dave: not connected", "  id 0400000000000000… (announced, not verified yet)",
                "  address 10.0.0.4:4004",
                "  found by given discovery",
            ])
    }
}
