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
                address: PeerAddress(host: "10.0.0.4", port: 4_004), source: .given, reason: "Connection refused"),
        ]
    }

    @Test func columnsStandUnderTheirHeads() throws {
        #expect(
            PeerTable.lines(try peers(), ["bob", "李雷", "👩‍👩‍👧"]) == [
                "NAME  ID         STATE                               HOPS  ROUND TRIP  ADDRESS              FOUND BY",
                "bob   \(Samples.peer(2).short)       connected                           1     1.3 ms      [fe80::1%eth0]:4000  embedded",
                "李雷  \(Samples.peer(3).short)       relayed                             12    -           -                    -",
                "👩‍👩‍👧    04000000…  not connected (Connection refused)  -     -           10.0.0.4:4004        given",
            ])
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

    @Test func nobodyIsASentence() {
        #expect(PeerTable.lines([], []) == ["nobody is in sight"])
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
                "dave: not connected", "  id 0400000000000000… (announced, not yet proved)", "  address 10.0.0.4:4004",
                "  found by given discovery",
            ])
    }
}
