import LatticeCore
import Testing

@testable import LatticeDiscovery

@Suite("What is announced before our name is probed for")
struct EarlyAnnouncementTests {
    private static let host = DNSName(text: "lattice-b.local")

    private func label(of announcement: EarlyAnnouncement) throws -> String {
        try #require(announcement.records.last).name.first
    }

    @Test func itIsTheSameServiceUnderANameOfOurOwn() throws {
        let advertisement = try advertisement("bob", peer: 0xB, port: 40_000)
        let announcement = EarlyAnnouncement(advertisement, host: Self.host, by: .system)
        let type: [UInt8] =
            [8] + Array("_lattice".utf8) + [4] + Array("_tcp".utf8) + [5] + Array("local".utf8) + [0]
        #expect(announcement.records.map(\.type.rawValue) == [12, 33, 16])
        #expect(announcement.records.map(\.isUnique) == [false, true, true])
        let (pointer, service, text) = (announcement.records[0], announcement.records[1], announcement.records[2])
        #expect(pointer.name.wire == type)
        #expect(pointer.data == [22] + Array("bob (000000000000000b)".utf8) + type)
        #expect([service.name.wire, text.name.wire] == [pointer.data, pointer.data])
        #expect(
            service.data == [0, 0, 0, 0, 0x9C, 0x40, 9] + Array("lattice-b".utf8) + [5] + Array("local".utf8) + [0])
        #expect(text.data == advertisement.txt.bytes)
    }

    @Test(arguments: ["x", "é", "👩‍👩‍👧‍👦", ".", "\\"])
    func everyNameFitsAndIsKnownAgain(character: String) throws {
        let text = String(repeating: character, count: PeerName.bytesMax / character.utf8.count)
        let announcement = EarlyAnnouncement(try advertisement(text, peer: .max), host: Self.host, by: .system)
        let label = try label(of: announcement)
        #expect(ServiceInstance(interface: 1, label: Array(label.utf8)) != nil)
        let name = EarlyAnnouncement.name(label, of: PeerPrefix(.max))
        #expect(!name.isEmpty && name.allSatisfy { String($0) == character })
    }

    /// Under `auto` both may run for a while, and each says another host.
    @Test func eachSourceHasANameOfItsOwn() throws {
        let bob = try advertisement("bob", peer: 0xB)
        let labels = try [Sighting.Source.system, .embedded].map {
            try label(of: EarlyAnnouncement(bob, host: Self.host, by: $0))
        }
        #expect(labels == ["bob (000000000000000b)", "bob [000000000000000b]"])
        for label in labels {
            #expect(EarlyAnnouncement.name(label, of: bob.peer) == "bob")
            #expect(EarlyAnnouncement.lasting(instance(label)) == instance("bob"))
        }
    }

    @Test func ofANameThatHasNoRoomTheIdIsLeft() throws {
        let family = Array(repeating: "😀", count: 7).joined(separator: "\u{200D}")
        let announcement = EarlyAnnouncement(try advertisement(family, peer: 0xB), host: Self.host, by: .system)
        #expect(try label(of: announcement) == "(000000000000000b)")
        for label in ["(000000000000000b)", " (000000000000000b)"] {
            #expect(EarlyAnnouncement.name(label, of: PeerPrefix(0xB)) == label)
            #expect(EarlyAnnouncement.lasting(instance(label)) == nil)
        }
    }

    @Test(arguments: [
        "bob", "bob (000000000000000b", "bob (000000000000000g)", "bob [000000000000000b)", "bob(000000000000000b)",
    ])
    func otherLabelsLast(label: String) {
        #expect(EarlyAnnouncement.lasting(instance(label)) == nil)
    }

    @Test func onlyAnIdOfItsOwnIsTakenForAnEnding() {
        #expect(EarlyAnnouncement.name("bob (000000000000000b)", of: PeerPrefix(0xC)) == "bob (000000000000000b)")
        #expect(EarlyAnnouncement.name("bob (0000)", of: PeerPrefix(0)) == "bob (0000)")
    }

    @Test func whatAvahiWouldTakeForADotIsEscaped() {
        let name = DNSName([Array("a.b c\\é".utf8), Array("_lattice-1".utf8)])
        #expect(name.escaped == "a\\046b\\032c\\092\\195\\169._lattice-1")
    }
}
