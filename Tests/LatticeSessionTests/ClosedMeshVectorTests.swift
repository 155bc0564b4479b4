import LatticeCore
import LatticeCrypto
import LatticeSession
import Testing

/// `XXpsk0` against a transcript of another implementation (Python's noiseprotocol 0.3.1): no published file of vectors for
/// these primitives has this pattern.
struct ClosedMeshVectorTests {
    private static let payloads = ["\u{1}", "from the responder", "from the initiator"].map { Array($0.utf8) }
    private static let messages = [
        "5dfedd3b6bd47f6fa28ee15d969d5bb0ea53774d488bdaf9df1c6e0124b3ef22df6fcfd23d9534978e6ece974af6109621",
        """
        219e4d800da968d2a5fcb009c784f4746c7138edb9ee4844b739e830b05cf424cb8d33476f423f231710d203fd38bad34519ef0842386007ce\
        1896067bcb0848d76ba7a10a672cc63c705cb85001d0f764ec9cdbd073ba00c946361d05a87c9b36ba8454cd0adad6d28f8618d1cbe7ef94f5
        """,
        """
        92a56cb6799285ae354ba889daca119a396cb1da3939cc2e07e319301c32c9794753217b6a575f67850215e480368a8b0f126843d9fd298529\
        41f96dfe643725423e1018129cc4e1c6eacb8a1b092bf44eee
        """,
    ]
    private static let hash = "a63e25bcf527e65ccba5513a54e75497041ae2589d4c9d19162c63a7a7a188ba"
    private static let toTheResponder = "5a4371445fb7485458172b88e1566e9f4aa14e6aea8467a03f32e157ee4e18a9"
    private static let toTheInitiator = "590e047cbc80a4f3bd87437a1c4aaccd16f3dd17e6afc1c793c3a3223bf27f00"

    @Test func theTranscriptOfAnotherImplementationIsMetByteForByte() throws {
        var initiator = handshake(.initiator, staticKey: 2, ephemeralKey: 3)
        var responder = handshake(.responder, staticKey: 101, ephemeralKey: 102)
        for (index, payload) in Self.payloads.enumerated() {
            let written = try index == 1 ? responder.write(payload: payload) : initiator.write(payload: payload)
            let read = try index == 1 ? initiator.read(written[...]) : responder.read(written[...])
            #expect(Hex.string(written) == Self.messages[index])
            #expect(read == payload)
        }
        let hashes = [initiator.handshakeHash, responder.handshakeHash].map { Hex.string($0) }
        #expect(hashes == [Self.hash, Self.hash])
        var ciphers = initiator.split()
        var sealed = [Array("to the responder".utf8), Array("to the initiator".utf8)]
        try ciphers.fromInitiator.encrypt(authenticating: [], in: &sealed[0], from: 0)
        try ciphers.fromResponder.encrypt(authenticating: [], in: &sealed[1], from: 0)
        #expect(sealed.map { Hex.string($0) } == [Self.toTheResponder, Self.toTheInitiator])
    }

    /// The key of the mesh comes first, so that one's own identity is never said before the other side has used it.
    @Test func theKeyOfTheMeshComesBeforeAnythingIsSaid() {
        #expect(NoisePattern.xxpsk0.messages.first?.first == .psk)
    }

    private func handshake(_ role: NoiseHandshake.Role, staticKey: UInt8, ephemeralKey: UInt8) -> NoiseHandshake {
        NoiseHandshake(
            .xxpsk0, role: role, prologue: Array("lattice/1".utf8), staticKey: key(staticKey),
            preSharedKey: SecretBytes(copying: [UInt8](repeating: 77, count: 32)), ephemeralKey: key(ephemeralKey))
    }

    private func key(_ octet: UInt8) -> AgreementKey {
        AgreementKey(secret: SecretBytes(copying: [UInt8](repeating: octet, count: 32)))
    }
}
