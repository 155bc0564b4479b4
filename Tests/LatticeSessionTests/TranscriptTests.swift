import Foundation
import LatticeCore
import LatticeCrypto
import LatticeSession
import Testing

/// Both patterns against transcripts of other implementations: `XXpsk0`, which no published file of vectors for these primitives has, by
/// Python's noiseprotocol 0.3.1; `XX` by a client that was written from the page of the protocol alone.
struct TranscriptTests {
    private static let payloads = ["\u{1}", "from the responder", "from the initiator"].map { Array($0.utf8) }

    /// The messages, the hash, and the first message of either direction after them.
    private static let open = [
        "5dfedd3b6bd47f6fa28ee15d969d5bb0ea53774d488bdaf9df1c6e0124b3ef2201",
        """
        219e4d800da968d2a5fcb009c784f4746c7138edb9ee4844b739e830b05cf424cccbd3192f083383ae42d08a7bfa76fdd8303bb07e5d50d765\
        994daf87839079adcc5f1910d8e8ad585d089e4cfbb0eed7be6451224eaaadd3502c1dd9df5b8b9ba9c43ed5f4df50ce8c87fd0d3cf641b54f
        """,
        """
        a5eb14c70dd7bce92df2293ddbf50eb63c8ffe72b77fac17a2e82da7e7f898e97ebe126ff4e72843ffaacfc18fae202e1f4bb9c1ce0d626da4\
        d1ce7d5e2b426b6164b295afdea598d7b76a06b7ea688b5433
        """,
        "ffe4063b57f0af9aac95807db42b3b7f8c4ffddfaa9fa832b367a4fa00686ff1",
        "36b00ee92e09d45f0cd4ddccea6b66b3979c0278cb38158c8aeae4467951668e",
        "4edb80f8888bf95b95ea38d8a6a54ce8e174ca565468948c68c0b671e345fc8c",
    ]
    private static let closed = [
        "5dfedd3b6bd47f6fa28ee15d969d5bb0ea53774d488bdaf9df1c6e0124b3ef22df6fcfd23d9534978e6ece974af6109621",
        """
        219e4d800da968d2a5fcb009c784f4746c7138edb9ee4844b739e830b05cf424cb8d33476f423f231710d203fd38bad34519ef0842386007ce\
        1896067bcb0848d76ba7a10a672cc63c705cb85001d0f764ec9cdbd073ba00c946361d05a87c9b36ba8454cd0adad6d28f8618d1cbe7ef94f5
        """,
        """
        92a56cb6799285ae354ba889daca119a396cb1da3939cc2e07e319301c32c9794753217b6a575f67850215e480368a8b0f126843d9fd298529\
        41f96dfe643725423e1018129cc4e1c6eacb8a1b092bf44eee
        """,
        "a63e25bcf527e65ccba5513a54e75497041ae2589d4c9d19162c63a7a7a188ba",
        "5a4371445fb7485458172b88e1566e9f4aa14e6aea8467a03f32e157ee4e18a9",
        "590e047cbc80a4f3bd87437a1c4aaccd16f3dd17e6afc1c793c3a3223bf27f00",
    ]

    @Test(arguments: [false, true])
    func theTranscriptOfAnotherImplementationIsMetByteForByte(isClosed: Bool) throws {
        let expected = isClosed ? Self.closed : Self.open
        var initiator = handshake(.initiator, isClosed, staticKey: 2, ephemeralKey: 3)
        var responder = handshake(.responder, isClosed, staticKey: 101, ephemeralKey: 102)
        for (index, payload) in Self.payloads.enumerated() {
            let written = try index == 1 ? responder.write(payload: payload) : initiator.write(payload: payload)
            let read = try index == 1 ? initiator.read(written[...]) : responder.read(written[...])
            #expect(Hex.string(written) == expected[index])
            #expect(read == payload)
        }
        let hashes = [initiator.handshakeHash, responder.handshakeHash].map { Hex.string($0) }
        #expect(hashes == [expected[3], expected[3]])
        var ciphers = initiator.split()
        var sealed = [Array("to the responder".utf8), Array("to the initiator".utf8)]
        try ciphers.fromInitiator.encrypt(authenticating: [], in: &sealed[0], from: 0)
        try ciphers.fromResponder.encrypt(authenticating: [], in: &sealed[1], from: 0)
        #expect(sealed.map { Hex.string($0) } == Array(expected[4...]))
    }

    /// The page and the code cannot drift apart.
    @Test func thePageOfTheProtocolShowsBoth() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Sources/LatticeWire/LatticeWire.docc/LatticeWire.md")
        let text = try String(contentsOf: page, encoding: .utf8).filter { !$0.isWhitespace }
        for hex in [Self.open, Self.closed] { #expect(text.contains(hex.joined())) }
    }

    /// The key of the mesh comes first, so that a peer never shows its identity before the other side has used the key.
    @Test func theKeyOfTheMeshComesBeforeAnythingIsSaid() {
        #expect(NoisePattern.xxpsk0.messages.first?.first == .psk)
    }

    private func handshake(
        _ role: NoiseHandshake.Role, _ isClosed: Bool, staticKey: UInt8, ephemeralKey: UInt8
    ) -> NoiseHandshake {
        NoiseHandshake(
            isClosed ? .xxpsk0 : .xx, role: role, prologue: Array("lattice/1".utf8), staticKey: key(staticKey),
            preSharedKey: isClosed ? SecretBytes(copying: [UInt8](repeating: 77, count: 32)) : nil,
            ephemeralKey: key(ephemeralKey))
    }

    private func key(_ octet: UInt8) -> AgreementKey {
        AgreementKey(secret: SecretBytes(copying: [UInt8](repeating: octet, count: 32)))
    }
}
