import Foundation
import LatticeCore
import LatticeWire
import Testing

/// Keys of private rooms and who is in them, as bytes.
struct RoomTextTests {
    static let keyHex =
        "01" + "052363616d70" + String(repeating: "aa", count: 32) + String(repeating: "bb", count: 32) + "03"
        + String(repeating: "cc", count: 32) + "02" + "01" + String(repeating: "11", count: 32) + "02"
        + String(repeating: "22", count: 32) + "01" + String(repeating: "33", count: 32)
    static let memberHex = "02" + String(repeating: "11", count: 32) + "03626f62"

    private static func octets(_ octet: UInt8) throws -> Bytes32 {
        try #require(Bytes32([UInt8](repeating: octet, count: 32)))
    }

    private static func key() throws -> RoomKeyText {
        RoomKeyText(
            .invitation, room: try RoomName("#camp"), root: try octets(0xAA), parent: try octets(0xBB), number: 3,
            secret: try octets(0xCC),
            members: [.init(PeerID(try octets(0x22)), .here), .init(PeerID(try octets(0x11)), .invited)],
            removed: [PeerID(try octets(0x33))])
    }

    private func refuses(_ body: [UInt8], kind: UInt64 = 3) -> Bool {
        do throws(WireError) {
            _ = try SealedText(decoding: SealedText.padded(kind: kind, body))
            return false
        } catch {
            return true
        }
    }

    @Test func bodiesAreTheBytesTheyAlwaysWere() throws {
        #expect(Hex.string(try Self.key().body) == Self.keyHex)
        #expect(try RoomKeyText(decoding: #require(Hex.bytes(Self.keyHex))) == Self.key())
        let member = RoomMemberText(.here, PeerID(try Self.octets(0x11)), try PeerName("bob"))
        #expect(Hex.string(member.body) == Self.memberHex)
        #expect(try RoomMemberText(decoding: #require(Hex.bytes(Self.memberHex))) == member)
    }

    @Test func thePageOfTheProtocolShowsTheseVectors() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Sources/LatticeWire/LatticeWire.docc/LatticeWire.md")
        let text = try String(contentsOf: page, encoding: .utf8).filter { !$0.isWhitespace }
        #expect(text.contains(Self.keyHex) && text.contains(Self.memberHex))
    }

    @Test func theLargestRoomFitsAMessage() throws {
        let members = try (0..<256).map { number in
            RoomKeyText.Member(PeerID(try #require(Bytes32([UInt8(number)] + [UInt8](repeating: 0, count: 31)))), .here)
        }
        let removed = try (0..<64).map { number in
            PeerID(try #require(Bytes32([UInt8(number)] + [UInt8](repeating: 1, count: 31))))
        }
        let name = try RoomName("#" + String(repeating: "x", count: 63))
        let key = RoomKeyText(
            .renewal, room: name, root: .zero, parent: .zero, number: RoomKeyText.numberMax, secret: .zero,
            members: members, removed: removed)
        let text = SealedText.roomKey(key)
        #expect(text.bytes.count == 16_384)
        #expect(try SealedText(decoding: text.bytes) == text)
    }

    @Test func everyPrefixAndEveryTailIsRefused() throws {
        let (key, member) = (try Self.key().body, try #require(Hex.bytes(Self.memberHex)))
        for count in 0..<key.count { #expect(refuses(Array(key.prefix(count)))) }
        for count in 0..<member.count { #expect(refuses(Array(member.prefix(count)), kind: 4)) }
        #expect(refuses(key + [0]) && refuses(member + [0], kind: 4))
        #expect(!refuses(key) && !refuses(member, kind: 4))
    }

    @Test func everyFlippedBitIsRefusedOrAnotherTextInItsOneForm() throws {
        for text in [SealedText.roomKey(try Self.key()).bytes] {
            for bit in 0..<text.count * 8 {
                var changed = text
                changed[bit / 8] ^= 1 << (bit % 8)
                do throws(WireError) {
                    let read = try SealedText(decoding: changed)
                    if case .unknown = read { continue }
                    #expect(read.bytes == changed, "bit \(bit)")
                } catch {
                    continue
                }
            }
        }
    }

    /// Offsets: purpose 0, name 1, root 7, parent 39, number 71, secret 72, count of members 104.
    @Test func whatIsNoKeyOfARoomIsRefused() throws {
        let body = try Self.key().body
        func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
            var copy = body
            change(&copy)
            return copy
        }
        #expect(refuses(changed { $0[0] = 0 }) && refuses(changed { $0[0] = 3 }), "purposes that are none")
        #expect(refuses(changed { $0[1] = 0xFF }), "a length beyond the body")
        #expect(refuses(changed { $0[2] = 0x78 }), "a name without its mark")
        #expect(refuses(changed { $0[3] = 0x43 }), "upper case: of one name there is one form")
        #expect(refuses(changed { $0[3] = 0xFF }), "no UTF-8")
        #expect(refuses(changed { $0[3] = 0x20 }), "a blank")
        #expect(refuses(changed { $0.replaceSubrange(71...71, with: [0xC1, 0x84, 0x3D]) }), "one key too many")
        #expect(refuses(changed { $0[105] = 3 }), "somebody who left is no member")
        #expect(refuses(changed { $0.swapAt(106, 139) }), "members in no order")
        #expect(refuses(changed { $0.replaceSubrange(172..<204, with: repeatElement(0x22, count: 32)) }), "in and out")
        let name = [UInt8](65...129).map { _ in UInt8(ascii: "x") }
        #expect(refuses(changed { $0.replaceSubrange(1...6, with: [66, 0x23] + name) }), "a name too long")
    }

    @Test(arguments: [(257, 0), (10_000, 0), (0, 65)] as [(UInt64, UInt64)])
    func tooManyAreRefused(members: UInt64, removed: UInt64) throws {
        var writer = ByteWriter()
        writer.fixed(try Self.key().body.prefix(104))
        writer.varint(members)
        for number in 0..<members {
            writer.byte(2)
            writer.integer(number, bytes: 4)
            writer.fixed([UInt8](repeating: 0, count: 28))
        }
        writer.varint(removed)
        for number in 0..<removed {
            writer.integer(number, bytes: 4)
            writer.fixed([UInt8](repeating: 1, count: 28))
        }
        let body = writer.bytes
        #expect(throws: WireError.self) { try RoomKeyText(decoding: body) }
    }
}
