import LatticeCore
import LatticeWire
import Testing

/// Values and their bytes, written out by hand; the page of the protocol shows the same.
enum Samples {
    static let authorHex = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"

    /// Version, kind, author, created, lifetime, topic, body; then a signature that another implementation made with the
    /// key of RFC 8032 section 7.1, test 1.
    static let recordHex =
        "01" + "01" + authorHex + "018bcfe568000007" + "80f524" + "05237061726b"
        + "08" + "00" + "03626f62" + "026869" + recordSignatureHex

    static let recordSignatureHex =
        "3769a006ba08b9f876c9b216fcd09fcc1b0adc9b03ad8b7559995b659ecb5e14"
        + "907f381885cbcbdeea04849e791ca00e3e41da904e810dcf4ac848aa67cb4400"

    /// Key, signature, instance, clock, port, capabilities, name.
    static let introductionHex =
        authorHex + introductionSignatureHex + "0102030405060708" + "0000018bcfe56800" + "a01f" + "00" + "03626f62"

    static let introductionSignatureHex =
        "ce85511aae40956ec268d5bfed8a5eb13dca97ba14d777ea4e84b012ae9338ce"
        + "b325bf02f7d4b0eca2c6d207ecc4fdb49eef19b0f29e7ab1fb3bdb936eed1c02"

    static func bytes(_ hex: String) throws -> [UInt8] {
        try #require(Hex.bytes(hex))
    }

    static func author() throws -> PeerID {
        try #require(PeerID(hex: authorHex))
    }

    static func peer(_ byte: UInt8) throws -> PeerID {
        PeerID(try #require(Bytes32([UInt8](repeating: byte, count: 32))))
    }

    static func record() throws -> Record {
        Record(
            kind: .chat, author: try author(),
            created: HybridTime(wall: WallTime(milliseconds: 1_700_000_000_000), counter: 7), lifetimeSeconds: 604_800,
            topic: Array("#park".utf8), body: ChatLine(style: .says, name: try PeerName("bob"), text: "hi").body
        )
    }

    static func signed() throws -> SignedRecord {
        SignedRecord(try record(), signature: try bytes(recordSignatureHex))
    }

    static func introduction() throws -> Introduction {
        Introduction(
            peer: try author(), signature: try bytes(introductionSignatureHex), instance: 0x0102_0304_0506_0708,
            clock: WallTime(milliseconds: 1_700_000_000_000), port: 4_000, capabilities: 0, name: try PeerName("bob")
        )
    }

    /// Every type of frame with its bytes.
    static func frames() throws -> [(frame: Frame, hex: String)] {
        let probe = Probe(
            direction: .there, nonce: 1, from: try peer(1), to: try peer(2), timeToLive: 32,
            path: [Probe.Stop(peer: try peer(1), name: try PeerName("bob"))]
        )
        let (one, two) = (String(repeating: "01", count: 32), String(repeating: "02", count: 32))
        return [
            (.goodbye(Goodbye(.leaving, "bye")), "01" + "05" + "00" + "03627965"),
            (.ping(nonce: 1), "02" + "08" + "0000000000000001"),
            (.pong(nonce: 0x0102_0304_0506_0708), "03" + "08" + "0102030405060708"),
            (.rekey, "0400"),
            (
                .invitation(Invitation(mesh: try MeshName("lattice"), context: [1, 2])),
                "05" + "0b" + "076c617474696365" + "020102"
            ),
            (.accept, "0600"),
            (.refuse(.closed), "07" + "01" + "05"),
            (
                .record(RecordFrame(timeToLive: 32, hops: 1, signed: try signed())),
                "08" + "7e" + "20" + "01" + recordHex
            ),
            (.probe(probe), "09" + "6f" + "00" + "0000000000000001" + one + two + "20" + "01" + one + "03626f62"),
        ]
    }

    /// A number as it stands on the wire, whatever this program would say of it.
    static func written(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        write(&writer)
        return writer.bytes
    }

    /// A frame of any type around any body.
    static func frame(type: UInt64, _ body: [UInt8]) -> [UInt8] {
        written { writer in
            writer.varint(type)
            writer.bytes(body)
        }
    }
}

func wireError<Value>(_ body: () throws(WireError) -> Value) -> WireError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
