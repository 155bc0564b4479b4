import LatticeCore
import LatticeWire
import Testing

struct InvitationLinkTests {
    private static let key = Bytes32.zero
    private static let whole =
        "lattice://join/camp%20one?v=1&at=192.168.1.7:4000&at=%5Bfe80::1%25eth0%5D:4001"
        + "&id=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&key=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "&until=1800000000"

    private func link(access: InvitationLink.Access = .key(key)) throws -> InvitationLink {
        try InvitationLink(
            mesh: MeshName("camp one"), access: access,
            addresses: [
                PeerAddress(host: "192.168.1.7", port: 4_000), PeerAddress(host: "fe80::1%eth0", port: 4_001),
            ], inviter: PeerID(Self.key), until: 1_800_000_000)
    }

    @Test func aLinkIsWrittenAsItIsDocumented() throws {
        #expect(try link().text == Self.whole)
        #expect(try InvitationLink(parsing: Self.whole) == link())
    }

    @Test(arguments: ["camp", "été", "a/b?c&d=e#f%", "火", "-._~:", " "])
    func everyMeshAndAccessSurvives(mesh: String) throws {
        guard let mesh = try? MeshName(mesh) else { return }
        for access in [InvitationLink.Access.open, .passphrase, .key(Self.key)] {
            let link = try InvitationLink(mesh: mesh, access: access, addresses: [], inviter: nil)
            #expect(try InvitationLink(parsing: link.text) == link)
        }
    }

    @Test func theLongestNamesFit() throws {
        let mesh = try MeshName(String(repeating: "火", count: 21))
        let address = PeerAddress(host: "fdff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", port: 65_535)
        let link = try InvitationLink(
            mesh: mesh, access: .key(Self.key), addresses: [PeerAddress](repeating: address, count: 8),
            inviter: PeerID(Self.key), until: 18_000_000_000, card: PeerID(Self.key))
        #expect(try InvitationLink(parsing: link.text) == link)
    }

    @Test func aLinkMayNameTheCardOfTheMesh() throws {
        let signer = PeerID(Bytes32(words: (1, 2, 3, 4)))
        let link = try InvitationLink(
            mesh: MeshName("camp"), access: .open, addresses: [], inviter: nil, card: signer)
        #expect(link.text == "lattice://join/camp?v=1&card=AAAAAAAAAAEAAAAAAAAAAgAAAAAAAAADAAAAAAAAAAQ")
        #expect(try InvitationLink(parsing: link.text) == link)
        for wrong in ["card=", "card=AAAA", "card=bob"] {
            #expect(throws: InvitationLinkError.badValue("card")) {
                try InvitationLink(parsing: "lattice://join/camp?v=1&\(wrong)")
            }
        }
        #expect(throws: InvitationLinkError.repeated("card")) {
            try InvitationLink(parsing: link.text + link.text.drop { $0 != "&" })
        }
    }

    @Test func theSchemeMayBeWrittenInCapitals() throws {
        #expect(try InvitationLink(parsing: "LATTICE://JOIN/camp?v=1").mesh == MeshName("camp"))
    }

    @Test(arguments: [
        "lattice://join/camp?v=1&later=7&also", "lattice://join/camp?&&v=1&", "lattice://join/camp?later=%41&v=1#end",
    ])
    func whatIsNotKnownIsPassedOver(text: String) throws {
        let link = try InvitationLink(parsing: text)
        #expect(try link.mesh == MeshName("camp"))
        #expect(link.access == .open && link.addresses.isEmpty && link.inviter == nil && link.until == nil)
    }

    @Test(
        arguments: [
            ("", .noLink), ("lattice:", .noLink), ("https://join/camp?v=1", .noLink), ("lattice://camp?v=1", .noLink),
            ("lattice://join/camp", .missing("v")), ("lattice://join/camp?at=h:1", .missing("v")),
            ("lattice://join/camp?v=2&at=?", .otherVersion), ("lattice://join/camp?v=", .otherVersion),
            ("lattice://join/camp?v=1&v=1", .repeated("v")),
            ("lattice://join/?v=1", .badMesh(.empty(what: "mesh name"))),
            ("lattice://join/%?v=1", .badValue("mesh")), ("lattice://join/%FF?v=1", .badValue("mesh")),
            ("lattice://join/%0A?v=1", .badMesh(.control(what: "mesh name"))),
            ("lattice://join/c?v=1&at=here", .badValue("at")), ("lattice://join/c?v=1&at=h:0", .badValue("at")),
            ("lattice://join/c?v=1&at=%1B%5B2J:1", .badValue("at")),
            ("lattice://join/c?v=1&id=AAAA", .badValue("id")), ("lattice://join/c?v=1&key=%00", .badValue("key")),
            ("lattice://join/c?v=1&closed=0", .badValue("closed")),
            ("lattice://join/c?v=1&until=-1", .badValue("until")),
            ("lattice://join/c?v=1&until=+1", .badValue("until")),
            ("lattice://join/c?v=1&until=99999999999999999999", .badValue("until")),
            ("lattice://join/c?v=1&x=%", .badValue("x")), ("lattice://join/c?v=1&x=\u{1B}[2J", .badCharacter),
            ("lattice://join/c d?v=1", .badCharacter), ("lattice://join/é?v=1", .badCharacter),
        ] as [(String, InvitationLinkError)])
    func anythingElseIsRefusedInASentence(text: String, error: InvitationLinkError) {
        #expect(throws: error) { try InvitationLink(parsing: text) }
        #expect(!error.description.isEmpty)
    }

    @Test func aLinkHasLimits() throws {
        let padding = String(repeating: "x", count: InvitationLink.charactersMax - "lattice://join/c?v=1&".count)
        #expect(throws: Never.self) { try InvitationLink(parsing: "lattice://join/c?v=1&" + padding) }
        #expect(throws: InvitationLinkError.tooLong(characters: 1_025)) {
            try InvitationLink(parsing: "lattice://join/c?v=1&x" + padding)
        }
        let nine = (1...9).map { "&at=h:\($0)" }.joined()
        #expect(throws: InvitationLinkError.tooManyAddresses) {
            try InvitationLink(parsing: "lattice://join/c?v=1" + nine)
        }
        let far = PeerAddress(host: String(repeating: "a", count: 255), port: 1)
        #expect(throws: InvitationLinkError.self) {
            try InvitationLink(
                mesh: MeshName("c"), access: .open, addresses: [PeerAddress](repeating: far, count: 5), inviter: nil)
        }
    }

    @Test func aLinkCountsUntilItsLastSecond() throws {
        let link = try link()
        #expect(!link.isOver(at: WallTime(milliseconds: 1_799_999_999_999)))
        #expect(link.isOver(at: WallTime(milliseconds: 1_800_000_000_000)))
        #expect(!link.isOver(at: WallTime(milliseconds: -1)))
    }

    @Test func everyBeginningAndEveryChangedOctetIsReadOrRefused() {
        let whole = Array(Self.whole.utf8)
        for count in 0...whole.count { read(Array(whole[..<count])) }
        for index in whole.indices {
            for bit in 0..<8 {
                var changed = whole
                changed[index] ^= 1 << bit
                read(changed)
            }
        }
    }

    @Test func whateverIsReadIsWrittenAndReadAgain() {
        var dice = SeededGenerator(seed: 6)
        let pieces = [
            "lattice://join/", "c", "?", "v=1", "&", "at=", "h:1", "%", "41", "key=", "id=", "AAAA", "=", "#", "é",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...12, using: &dice)
            let text = (0..<count).map { _ in pieces.randomElement(using: &dice) ?? "" }.joined()
            read(Array(("lattice://join/c?v=1&" + text).utf8))
        }
    }

    private func read(_ bytes: [UInt8]) {
        guard let link = try? InvitationLink(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
        #expect(throws: Never.self) { try InvitationLink(parsing: link.text) }
        #expect((try? InvitationLink(parsing: link.text)) == link)
    }
}
