import LatticeCore
import Testing

struct PeerAddressTests {
    static let addresses: [(text: String, host: String, port: UInt16)] = [
        ("192.168.1.7:4000", "192.168.1.7", 4_000), ("host.example:1", "host.example", 1),
        ("[::1]:65535", "::1", 65_535), ("[fe80::1%eth0]:80", "fe80::1%eth0", 80), ("[10.0.0.1]:5", "10.0.0.1", 5),
    ]

    @Test(arguments: addresses)
    func anAddressIsRead(text: String, host: String, port: UInt16) throws {
        #expect(try PeerAddress(parsing: text) == PeerAddress(host: host, port: port))
    }

    @Test(arguments: ["192.168.1.7:4000", "[::1]:65535", "a:1"])
    func whatIsShownIsReadAgain(text: String) throws {
        #expect(try PeerAddress(parsing: text).description == text)
    }

    @Test(arguments: ["", "host", "192.168.1.7"])
    func anAddressWithoutAPortIsRefused(text: String) {
        #expect(throws: PeerAddressError.noPort(text)) { try PeerAddress(parsing: text) }
    }

    @Test(arguments: ["a:", "a:0", "a:65536", "a:-1", "a:+80", "a:x", "a: 80", "a:80 ", "[::1]"])
    func aPortIsANumberFrom1To65535(text: String) {
        #expect(throws: PeerAddressError.badPort(text)) { try PeerAddress(parsing: text) }
    }

    @Test(arguments: [":80", "[]:80", "a b:80", "a\n:80", "é:80", "[a]b]:80", "a[:80"])
    func aHostIsPlain(text: String) {
        #expect(throws: PeerAddressError.noHost(text)) { try PeerAddress(parsing: text) }
    }

    @Test(arguments: ["::1:80", "fe80::1%eth0:80"])
    func anIPv6AddressNeedsBrackets(text: String) {
        #expect(throws: PeerAddressError.unbracketed(text)) { try PeerAddress(parsing: text) }
    }

    @Test func aHostHasALimit() throws {
        let longest = String(repeating: "a", count: 255)
        #expect(try PeerAddress(parsing: longest + ":1").host == longest)
        #expect(throws: PeerAddressError.self) { try PeerAddress(parsing: "a" + longest + ":1") }
    }

    @Test func everyErrorShowsTheTextAndARemedy() {
        let errors: [PeerAddressError] = [.noPort("x"), .badPort("x"), .noHost("x"), .unbracketed("x")]
        for error in errors { #expect(error.description.hasPrefix("'x' ")) }
    }
}
