import Foundation
import LatticeCore
import LatticeCrypto
import LatticeSession
import Testing

/// One published test vector, as cacophony and snow write them.
struct NoiseVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Message: Decodable, Sendable {
        let payload: String
        let ciphertext: String
    }

    let protocol_name: String
    let init_prologue: String
    let init_static: String?
    let init_ephemeral: String
    let init_psks: [String]?
    let resp_prologue: String
    let resp_static: String?
    let resp_ephemeral: String?
    let resp_psks: [String]?
    let handshake_hash: String?
    let messages: [Message]
    let source: String?

    var testDescription: String { "\(protocol_name) (\(source ?? "unnamed"), \(messages.count) messages)" }

    var pattern: NoisePattern? {
        [NoisePattern.xx, .xxpsk0].first { $0.protocolName == protocol_name }
    }
}

struct NoiseVectorFile: Decodable {
    let vectors: [NoiseVector]

    /// Beside the repository, whose root is three folders above this file.
    static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/vectors/noise_25519_ChaChaPoly_SHA256.json")

    static let isThere = FileManager.default.fileExists(atPath: url.path)

    /// Those of the patterns that are used here; `TranscriptTests` has the other.
    static func read() throws -> [NoiseVector] {
        try JSONDecoder().decode(NoiseVectorFile.self, from: Data(contentsOf: url)).vectors.filter { $0.pattern != nil }
    }
}

@Suite(.enabled(if: NoiseVectorFile.isThere, "the published vectors are not in ../shared/vectors"))
struct NoiseVectorTests {
    @Test func theOpenPatternHasPublishedVectors() throws {
        let names = Set(try NoiseVectorFile.read().map(\.protocol_name))
        #expect(names == [NoisePattern.xx.protocolName])
    }

    @Test func everyPublishedVectorIsMetByteForByte() throws {
        for vector in try NoiseVectorFile.read() {
            try check(vector)
        }
    }

    private func check(_ vector: NoiseVector) throws {
        let pattern = try #require(vector.pattern)
        var initiator = NoiseHandshake(
            pattern, role: .initiator, prologue: try bytes(vector.init_prologue),
            staticKey: try key(vector.init_static), preSharedKey: try psk(vector.init_psks),
            ephemeralKey: try key(vector.init_ephemeral)
        )
        var responder = NoiseHandshake(
            pattern, role: .responder, prologue: try bytes(vector.resp_prologue),
            staticKey: try key(vector.resp_static), preSharedKey: try psk(vector.resp_psks),
            ephemeralKey: try key(vector.resp_ephemeral)
        )
        for (index, message) in vector.messages.prefix(3).enumerated() {
            let payload = try bytes(message.payload)
            let written: [UInt8]
            let read: [UInt8]
            if index % 2 == 0 {
                written = try initiator.write(payload: payload)
                read = try responder.read(written[...])
            } else {
                written = try responder.write(payload: payload)
                read = try initiator.read(written[...])
            }
            #expect(Hex.string(written) == message.ciphertext, "\(vector.testDescription), message \(index)")
            #expect(read == payload)
        }
        let hashes = [initiator.handshakeHash, responder.handshakeHash].map { Hex.string($0) }
        #expect(hashes[0] == hashes[1])
        if let expected = vector.handshake_hash { #expect(hashes[0] == expected) }
        var ours = initiator.split()
        var theirs = responder.split()
        for (index, message) in vector.messages.enumerated().dropFirst(3) {
            let payload = try bytes(message.payload)
            var sealed = payload
            let opened: [UInt8]
            if index % 2 == 0 {
                try ours.fromInitiator.encrypt(authenticating: [], in: &sealed, from: 0)
                opened = try theirs.fromInitiator.decrypt(authenticating: [], sealed[...])
            } else {
                try theirs.fromResponder.encrypt(authenticating: [], in: &sealed, from: 0)
                opened = try ours.fromResponder.decrypt(authenticating: [], sealed[...])
            }
            #expect(Hex.string(sealed) == message.ciphertext, "\(vector.testDescription), message \(index)")
            #expect(opened == payload)
        }
    }

    private func bytes(_ hex: String) throws -> [UInt8] {
        try #require(Hex.bytes(hex))
    }

    private func key(_ hex: String?) throws -> AgreementKey {
        AgreementKey(secret: SecretBytes(copying: try bytes(try #require(hex))))
    }

    private func psk(_ hex: [String]?) throws -> SecretBytes? {
        guard let hex = hex?.first else { return nil }
        return SecretBytes(copying: try bytes(hex))
    }
}
