import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeChat

/// Errors and notices in the words of the terminal.
@Suite struct WordsTests {
    private static let day: Int64 = 86_400_000
    private static let now = WallTime(milliseconds: 1_800_000_000_000)

    @Test func namesakesAreToldApart() throws {
        let bob = try PeerName("bob")
        let (known, other) = (Samples.peer(2), Samples.peer(3))
        let error = RequestError.ambiguousPeer(
            candidates: [
                KnownPerson(id: known, name: bob, petname: try PeerName("rob"), lastSeen: Self.now, verified: Self.now),
                KnownPerson(
                    id: other, name: bob, lastSeen: WallTime(milliseconds: Self.now.milliseconds - 3 * Self.day)),
            ], at: Self.now)
        #expect(
            error.words == "several people have that name: "
                + "rob#\(known.short) (calls itself bob, verified, last seen just now), "
                + "bob#\(other.short) (last seen 3 days ago); say which one")
    }

    private static let sentences: [(Notice, String)] = [
        (.crowd(came: 1, left: 0), "1 more person came"), (.crowd(came: 0, left: 2), "2 more people left"),
        (.crowd(came: 2, left: 3), "2 more people came, and 3 left"),
        (.namesShared(count: 4), "…and 4 other names are used by several people"),
        (
            .ownClockSkew(seconds: -43 * 60, peers: 2),
            "your clock seems to be 43 min slow (2 peers agree); check it with 'date'"
        ),
        (
            .clockWrong(machine: WallTime(milliseconds: 12_000), used: now, lender: "bob"),
            "this machine's clock says 1970-01-01; using 2027-01-15 08:00 UTC from bob until you set it"
        ),
        (
            .unreachable(
                name: nil, address: PeerAddress(host: "10.0.0.1", port: 1), end: .noConnection(reason: "no way")),
            "10.0.0.1:1 cannot be reached: no way; still trying (is it running? does a firewall or guest Wi-Fi block it?)"
        ),
        (
            .unreachable(name: "bob", address: PeerAddress(host: "10.0.0.1", port: 1), end: .otherPeer),
            "bob was seen at 10.0.0.1:1 but cannot be linked: it answers, but it is not the peer that invited you; "
                + "still trying"
        ),
    ]

    @Test(arguments: sentences)
    func aNoticeIsASentence(notice: Notice, sentence: String) {
        #expect(notice.words == sentence)
    }

    @Test func everyFaultOfDiscoveryHasARemedyOfItsOwn() {
        let faults: [DiscoveryFault] = [
            .noInterface, .interfaceMissing(name: "wlan9"), .noMulticast(names: "tun0"), .noDaemon,
            .refused(reason: "x\u{1B}[2J"),
        ]
        let all = faults.map { Notice.discoveryFailed(fault: $0).words }
        #expect(Set(all).count == all.count)
        #expect(all.allSatisfy { !$0.contains("\n") && !$0.contains("\u{1B}") })
    }

    @Test func aRoomIsToldOfByName() throws {
        let (me, camp) = (Samples.peer(1), try RoomName("#camp"))
        let bob = RoomEvent.Person(Samples.peer(2), try PeerName("bob"))
        let event = RoomEvent(.removed, camp, by: .init(me, nil), others: [bob])
        #expect(
            Notice.room(event: event, me: me).words
                == "you removed bob#\(bob.id.short) from #camp; new lines use a new key")
    }
}
