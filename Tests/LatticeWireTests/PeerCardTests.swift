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
