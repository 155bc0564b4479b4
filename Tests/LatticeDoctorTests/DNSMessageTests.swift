import LatticeCore
import LatticeDiscovery
import Testing

@testable import LatticeDoctor

/// What others say by mDNS, by bytes.
@Suite struct DNSMessageTests {
    static let answer = answer("bob")

    /// An answer with everything there is to know of one node, its names written with pointers as responders do (RFC 1035 section
    /// 4.1.4).
    private static func answer(_ name: String) -> [UInt8] {
        let label = [UInt8(name.utf8.count)] + Array(name.utf8)
        let pointer: [UInt8] =
            // 12: _lattice._tcp.local PTR bob._lattice._tcp.local
            [8] + Array("_lattice".utf8) + [4] + Array("_tcp".utf8) + [5] + Array("local".utf8) + [0]
            + [0, 12, 0, 1, 0, 0, 0x11, 0x94, 0, UInt8(label.count + 2)] + label + [0xC0, 12]
        let service: [UInt8] =
            // SRV of 43 (bob): 0 0 40000 host-b.local
            [0xC0, 43, 0, 33, 0x80, 1, 0, 0, 0, 120, 0, 15, 0, 0, 0, 0, 0x9C, 0x40, 6] + Array("host-b".utf8)
            + [0xC0, 26]
        let text: [UInt8] =
            // TXT of bob
            [0xC0, 43, 0, 16, 0x80, 1, 0, 0, 0x11, 0x94, 0, 53]
            + [19] + Array("id=0202020202020202".utf8) + [13] + Array("mesh=a1b2c3d4".utf8) + [5] + Array("v=1,2".utf8)
            + [12] + Array("role=kitchen".utf8)
        // A of host-b.local, which stands at the end of the SRV record.
        let place = UInt8(12 + pointer.count + service.count - 9)
        let address: [UInt8] = [0xC0, place, 0, 1, 0x80, 1, 0, 0, 0, 120, 0, 4, 192, 168, 1, 8]
        return [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 3] + pointer + service + text + address
    }

    private static let bob = DNSName([Array("bob".utf8)] + SightingCollector.service.labels)

    private func sightings(_ messages: [[UInt8]]) throws -> [SightedPeer] {
        var collector = SightingCollector()
        for bytes in messages {
            collector.heard(try DNSMessage(parsing: bytes), from: "192.168.1.8", scope: "wlan0", isOwn: false)
        }
        return collector.sightings { _, _ in false }
    }

    @Test func anAnswerTellsOfANode() throws {
        let message = try DNSMessage(parsing: Self.answer)
        #expect(message.isResponse && message.records.count == 4)
        #expect(message.records[0].data == .pointer(Self.bob))
        let found = try sightings([Self.answer])
        #expect(
            found == [
                SightedPeer(
                    name: "bob", prefix: Case.peer(2).prefix, meshTag: Case.tag, versions: [1, 2],
                    addresses: [Case.address("192.168.1.8")], info: try DiscoveryInfo(["role=kitchen"]))
            ])
    }

    /// For a few seconds a node has two names, of which one ends with its id.
    @Test func aNodeThatHasJustBegunCountsOnce() throws {
        let early = Self.answer("bob (0202020202020202)")
        for messages in [[early], [Self.answer, early], [early, Self.answer]] {
            #expect(try sightings(messages).map(\.name) == ["bob"])
        }
    }

    @Test func whatIsNotKnownIsAskedFor() throws {
        var collector = SightingCollector()
        #expect(collector.questions.map(\.1) == [.ptr])
        // The pointer alone.
        let pointer = Array(Self.answer.prefix(49))
        var alone = pointer
        alone[11] = 0
        collector.heard(try DNSMessage(parsing: alone), from: "192.168.1.8", scope: "wlan0", isOwn: false)
        #expect(collector.questions.map(\.1) == [.ptr, .srv, .txt])
        #expect(collector.othersHeard == 1)
        collector.heard(try DNSMessage(parsing: Self.answer), from: "192.168.1.8", scope: "wlan0", isOwn: false)
        #expect(collector.questions.map(\.1) == [.ptr])
    }

    @Test func aFarewellIsNoSighting() throws {
        var farewell = Self.answer
        farewell.replaceSubrange(37..<41, with: [0, 0, 0, 0])
        #expect(try sightings([farewell]).isEmpty)
    }

    @Test func aQuestionComesBackAsItWasAsked() throws {
        let name = DNSName(text: "lattice-doctor-x.local")
        let message = try DNSMessage(parsing: DNSMessage.query([(name, .a), (SightingCollector.service, .ptr)]))
        #expect(message.questions == [name, SightingCollector.service])
        #expect(!message.isResponse)
        #expect(DNSName(text: "LATTICE-doctor-x.Local") == name)
    }

    // MARK: - Strangers' bytes

    @Test func everyPrefixIsRefused() {
        for length in 0..<Self.answer.count {
            #expect(throws: DNSMessage.Fault.self) { try DNSMessage(parsing: Array(Self.answer.prefix(length))) }
        }
    }

    @Test func namesThatLeadRoundInACircleAreRefused() {
        let head: [UInt8] = [0, 0, 0x84, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        for name: [UInt8] in [[0xC0, 12], [1, 0x61, 0xC0, 12], [0xC0, 14, 0xC0, 12], [0xC0, 0]] {
            #expect(throws: DNSMessage.Fault.badName) { try DNSMessage(parsing: head + name + [0, 12, 0, 1]) }
        }
        let long = [UInt8](repeating: 1, count: 0) + (0..<140).flatMap { _ in [UInt8(1), 0x61] } + [0]
        #expect(throws: DNSMessage.Fault.badName) { try DNSMessage(parsing: head + long + [0, 12, 0, 1]) }
    }

    @Test func tooMuchIsRefused() {
        #expect(throws: DNSMessage.Fault.tooLong) {
            try DNSMessage(parsing: [UInt8](repeating: 0, count: DNSMessage.bytesMax + 1))
        }
        #expect(throws: DNSMessage.Fault.tooMany) { try DNSMessage(parsing: [0, 0, 0x84, 0, 0, 0, 1, 1, 0, 0, 0, 0]) }
    }

    @Test(arguments: 0..<200) func noBytesDoHarm(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var bytes = Self.answer
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        var collector = SightingCollector()
        do {
            collector.heard(try DNSMessage(parsing: bytes), from: "192.168.1.8", scope: "wlan0", isOwn: false)
        } catch {
            return
        }
        let found = collector.sightings { _, _ in false }
        #expect(found.count <= SightingCollector.instancesMax && collector.questions.count <= 17)
    }

    @Test func aFloodOfNodesIsBounded() throws {
        var collector = SightingCollector()
        for number in 0..<1_000 {
            var bytes = Self.answer
            bytes.replaceSubrange(44..<47, with: Array(String(number + 100_000).suffix(3).utf8))
            collector.heard(
                try DNSMessage(parsing: bytes), from: "10.0.\(number / 250).\(number % 250)", scope: "wlan0",
                isOwn: false)
        }
        #expect(collector.sightings { _, _ in false }.count == SightingCollector.instancesMax)
        #expect(collector.othersHeard == 256)
    }
}
