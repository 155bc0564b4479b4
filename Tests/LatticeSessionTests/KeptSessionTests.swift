import Foundation
import LatticeCore
import LatticeSession
import LatticeWire
import Testing

/// What sessions of earlier versions said is read as it was meant, and said again byte for byte.
///
/// A session is kept once, by the version it is of, and never again: after `Handshake.version` moved,
/// `LATTICE_KEPT_SESSION=v2 swift test --filter aSessionIsKept` writes `Fixtures/v2-….json`, and a row is added to `versions`. What an
/// earlier version said and this one says no more goes to a test of its own.
@Suite struct KeptSessionTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    private static let versions: [(number: UInt8, name: String)] = [(1, "v1")]
    private static let ways = ["open", "closed", "stream"]
    private static let kept = versions.flatMap { version in ways.map { "\(version.name)-\($0)" } }

    @Test(arguments: kept) func aKeptSessionIsReadAndSaidAgainAsItWas(name: String) throws {
        let session = try Self.read(name)
        #expect(session.handshake.count == 3 && session.turns.count > 3)
        #expect(try session.replayed() == session)
    }

    /// Not the bytes alone: what they mean.
    @Test(arguments: ["v1-open", "v1-closed"]) func aKeptSessionMeansWhatItMeant(name: String) throws {
        let frames = try Self.read(name).framesHeard()
        #expect(frames.filter { $0 != .rekey } == (try KeptFrames.version1()))
        #expect(frames.contains(.rekey))
        #expect(Set(frames.map { $0.bytes[0] }) == Set(1...23))
    }

    @Test func theVersionThatIsSpokenIsKept() throws {
        #expect(Self.versions.last?.number == Handshake.version)
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.fixtures.path)
        #expect(files.sorted() == Self.kept.map { "\($0).json" }.sorted())
    }

    /// The check is checked: whatever else had been said would be seen.
    @Test(arguments: ["v1-open", "v1-stream"]) func aKeptSessionWithAnotherByteIsNotTheSame(name: String) throws {
        let session = try Self.read(name)
        for index in session.handshake.indices {
            var other = session
            other.handshake[index] = try Self.changed(session.handshake[index])
            #expect(Self.isSame(other) == false)
        }
        for index in session.turns.indices {
            var other = session
            other.turns[index].bytes = try Self.changed(session.turns[index].bytes)
            #expect(Self.isSame(other) == false)
        }
        var other = session
        other.initiator.ephemeralKey = try Self.changed(session.initiator.ephemeralKey)
        #expect(Self.isSame(other) == false)
    }

    private static let made = ProcessInfo.processInfo.environment["LATTICE_KEPT_SESSION"]

    @Test(.enabled(if: made != nil)) func aSessionIsKept() throws {
        let version = try #require(Self.made)
        try FileManager.default.createDirectory(at: Self.fixtures, withIntermediateDirectories: true)
        for way in Self.ways {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let session = try Self.unsaid(way).replayed()
            try (encoder.encode(session) + Data("\n".utf8)).write(
                to: Self.fixtures.appending(path: "\(version)-\(way).json"), options: .withoutOverwriting)
        }
    }

    private static func read(_ name: String) throws -> KeptSession {
        let data = try Data(contentsOf: fixtures.appending(path: "\(name).json"))
        return try JSONDecoder().decode(KeptSession.self, from: data)
    }

    private static func isSame(_ session: KeptSession) -> Bool {
        do {
            return try session.replayed() == session
        } catch {
            return false
        }
    }

    /// With the lowest bit of its last byte the other way.
    private static func changed(_ hex: String) throws -> String {
        var bytes = try KeptSession.bytes(hex)
        bytes[bytes.count - 1] ^= 1
        return Hex.string(bytes)
    }

    /// The plain messages, without their ciphertexts.
    private static func unsaid(_ way: String) throws -> KeptSession {
        KeptSession(
            isStream: way == "stream", passphrase: way == "closed" ? "correct horse battery staple" : nil, mesh: "camp",
            rekeyIntervalMessages: 3, initiator: side("alice", 10), responder: side("zoë", 20), handshake: [],
            handshakeHash: nil, turns: way == "stream" ? streamTurns : try linkTurns())
    }

    private static func side(_ name: String, _ octet: UInt8) -> KeptSession.Side {
        func key(_ octet: UInt8) -> String { Hex.string([UInt8](repeating: octet, count: 32)) }
        return KeptSession.Side(
            seed: key(octet), staticKey: key(octet + 1), ephemeralKey: key(octet + 2), name: name,
            instance: UInt64(octet), clockMilliseconds: 1_700_000_000_000, port: 4_000, capabilities: 0)
    }

    /// Both sides by turns, over a few keys; what a later version may say, which is skipped, stands in each.
    private static func linkTurns() throws -> [KeptSession.Turn] {
        let frames = try KeptFrames.version1().map(\.bytes)
        return stride(from: 0, to: frames.count, by: 2).enumerated().map { number, start in
            let unknown: [UInt8] = [0xE8, 0x07, 2, 1, 2]
            let said = [unknown] + frames[start..<min(start + 2, frames.count)]
            return turn(number, said.map { Hex.string($0) })
        }
    }

    private static var streamTurns: [KeptSession.Turn] {
        (0..<10).map { turn($0, [Hex.string([UInt8](repeating: UInt8($0), count: $0 * 7))]) }
    }

    private static func turn(_ number: Int, _ said: [String]) -> KeptSession.Turn {
        KeptSession.Turn(by: number.isMultiple(of: 2) ? .initiator : .responder, said: said, heard: [], bytes: "")
    }
}
