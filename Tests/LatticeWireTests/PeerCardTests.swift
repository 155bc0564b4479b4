import LatticeCore
import LatticeWire
import Testing

struct PeerCardTests {
    private func isCard(_ host: String, port: UInt16 = 4_000) throws -> Bool {
        PeerCard(peer: try Samples.peer(1), address: PeerAddress(host: host, port: port)) != nil
    }

    @Test(arguments: ["0.0.0.0", "10.0.0.1", "192.168.1.7", "255.255.255.255", "100.99.9.0"])
    func aDottedQuadIsAHost(host: String) throws {
        #expect(try isCard(host))
    }

    @Test(arguments: [
        "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.00", "1.2.3.0004", "1..3.4", ".1.2.3", "1.2.3.",
        "1.2.3.-4",
        "1.2.3.+4", "1.2.3.x", "0x7f.0.0.1", "2130706433", "1.2.3.4 ", "1.2.3.٤",
    ])
    func anotherFormOfIPv4IsNone(host: String) throws {
        #expect(try !isCard(host))
    }

    @Test(arguments: [
        "::", "::1", "1::", "fe80::1", "2001:db8::7", "2001:DB8::aB", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8", "1::3:4:5:6:7:8", "::ffff:192.168.1.7", "1:2:3:4:5:6:192.168.1.7", "64:ff9b::192.0.2.33",
        "1111:2222:3333:4444:5555:6666:177.177.177.177",
    ])
    func anIPv6AddressIsAHost(host: String) throws {
        #expect(try isCard(host))
    }

    @Test(arguments: [
        ":", ":::", "1:2", "1:2:3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "1::2::3", "::1::",
        ":1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:", ":1::2", "1::2:", "12345::", "::g", "fe80::1%eth0", "[::1]", "::1 ",
        "1.2.3.4::", "::1.2.3.4:5", "::1.2.3", "::1.2.3.04", "1:2:3:4:5:6:7:1.2.3.4", "::\u{301}1",
        "1111:2222:3333:4444:5555:6666:177.177.177.1777",
    ])
    func anotherFormOfIPv6IsNone(host: String) throws {
        #expect(try !isCard(host))
    }

    /// Some of these are made of hexadecimal digits, colons and dots alone.
    @Test(arguments: ["localhost", "camp.example", "cafe", "cafe.de", "a:b:c.de", "::beef.cc", "a:b:1.2.3.4.de", "é"])
    func aNameIsNoHost(host: String) throws {
        #expect(try !isCard(host))
    }

    // MARK: - Whom it reaches

    private func reach(_ host: String) throws -> PeerCard.Reach {
        try Samples.card(1, host).reach
    }

    @Test(arguments: [
        "127.0.0.1", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1", "0000::0001", "::0.0.0.1", "0::0:0.0.0.1",
        "::ffff:127.0.0.1", "::FFFF:7f00:1", "0:0:0:0:0:ffff:7fff:ffff",
    ])
    func everySpellingOfThisMachineIsLoopback(host: String) throws {
        #expect(try reach(host) == .loopback)
        #expect(PeerCard.isLoopback(host))
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "224.0.0.251", "239.255.255.255", "240.0.0.1", "255.255.255.255",
        "::", "0:0:0:0:0:0:0:0", "::0.0.0.0", "::ffff:0.0.0.0", "::ffff:0:0", "::ffff:224.0.0.251", "::FFFF:ffff:ffff",
        "::2", "::1:1", "::127.0.0.1", "::10.0.0.1", "::7f00:1",
        "ff00::", "ff02::fb", "FF05::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "fe80::1", "FE80::1", "fe90::1", "febf::1", "fe80:0:0:0:1:2:3.4.5.6",
    ])
    func everySpellingOfNobodyInParticularReachesNobody(host: String) throws {
        #expect(try reach(host) == .nobody)
        #expect(!PeerCard.isLoopback(host))
    }

    @Test(arguments: [
        "1.0.0.0", "10.0.0.1", "126.255.255.255", "128.0.0.1", "192.168.1.7", "223.255.255.255",
        "::ffff:10.0.0.1", "::FFFF:a00:1", "0:0:0:0:0:ffff:a00:1", "::fffe:127.0.0.1", "::1:0:1", "0:0:0:0:1::1",
        "1::", "f::1", "2001:db8::7", "64:ff9b::127.0.0.1", "fc00::1", "fd00::1", "fe7f::1", "fec0::1", "feff::1",
        "1:2:3:4:5:6:127.0.0.1",
    ])
    func everyOtherAddressReachesOneMachine(host: String) throws {
        #expect(try reach(host) == .oneMachine)
        #expect(!PeerCard.isLoopback(host))
    }

    @Test func oneAddressReachesTheSameInWhateverSpelling() throws {
        let spellings = [
            ["::1", "0::1", "::0:1", "0:0:0:0:0:0:0:1", "::0.0.0.1", "0000:0000:0000:0000:0000:0000:0000:0001"],
            ["fe80::a:b", "FE80::A:B", "fe80:0:0:0:0:0:a:b", "fe80::0.10.0.11"],
            ["::ffff:192.168.1.7", "::FFFF:c0a8:107", "0:0:0:0:0:ffff:C0A8:0107"],
        ]
        for same in spellings { #expect(try Set(same.map { try reach($0) }).count == 1, "\(same)") }
    }

    @Test func onesOwnCardReachesNobodyUntilItIsFilledIn() throws {
        #expect(PeerCard.own(try Samples.peer(1)).reach == .nobody)
        for name in ["localhost", "", "127.1", "[::1]", "::1%lo"] { #expect(!PeerCard.isLoopback(name)) }
    }

    // MARK: - Ports

    @Test(arguments: [1, 2, 65_534, 65_535] as [UInt16])
    func aPortIs1To65535(port: UInt16) throws {
        #expect(try isCard("10.0.0.1", port: port))
        #expect(try !isCard("", port: port))
    }

    @Test func aPortOf0StandsOnlyInOnesOwnCard() throws {
        #expect(try !isCard("10.0.0.1", port: 0))
        #expect(try !isCard("::1", port: 0))
        #expect(try isCard("", port: 0))
        let own = PeerCard.own(try Samples.peer(1))
        #expect(own == PeerCard(peer: try Samples.peer(1), address: PeerAddress(host: "", port: 0)))
        #expect(own.isOwn)
        #expect(try !Samples.card(1, "10.0.0.1").isOwn)
    }
}
