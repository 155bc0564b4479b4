import LatticeCore
import LatticeWire
import Testing

struct BodyTests {
    private func lineError(_ body: [UInt8]) -> WireError? {
        wireError { () throws(WireError) in try ChatLine(decoding: body) }
    }

    private func presenceError(_ body: [UInt8]) -> WireError? {
        wireError { () throws(WireError) in try Presence(decoding: body) }
    }

    private func presence(state: UInt8 = 1, rooms: [String], count: UInt64? = nil) -> [UInt8] {
        Samples.written { writer in
            writer.byte(state)
            writer.text("bob")
            writer.varint(count ?? UInt64(rooms.count))
            for room in rooms { writer.text(room) }
        }
    }

    @Test(arguments: ["", "hi", "日本 👩‍👩‍👧", "a\u{1B}[31mb"])
    func whatIsSaidComesBackAsItWas(text: String) throws {
        for style in [ChatLine.Style.says, .acts] {
            let line = ChatLine(style: style, name: try PeerName("bob"), text: text)
            #expect(try ChatLine(decoding: line.body) == line)
        }
    }

    @Test(arguments: [4_095, 4_096, 4_097])
    func aLineHasAtMost4096Bytes(count: Int) {
        let text = String(repeating: "a", count: count)
        let body = Samples.written {
            $0.byte(0); $0.text("bob"); $0.text(text)
        }
        let expected = WireError.tooLong(field: "chat text", bytes: 4_097, bytesMax: 4_096)
        #expect(lineError(body) == (count > 4_096 ? expected : nil))
    }

    @Test func anUnknownStyleIsRefused() {
        #expect(lineError([2, 1, 97, 0]) == .outOfRange(field: "chat style"))
    }

    @Test func everyPrefixOfALineAndEveryTailIsRefused() throws {
        let body = ChatLine(style: .says, name: try PeerName("bob"), text: "hi").body
        for count in 0..<body.count { #expect(lineError(Array(body.prefix(count))) != nil) }
        // A number without its value, and a tail that no field begins with.
        for tail: [UInt8] in [[1], [1, 2, 7], [0x80], [0x80, 0, 0]] { #expect(lineError(body + tail) != nil) }
    }

    @Test func whoIsHereComesBackAsItWas() throws {
        for isHere in [true, false] {
            let rooms = try ["#b", "#a", "#ä"].map { try RoomName($0) }
            let presence = Presence(isHere: isHere, name: try PeerName("bob"), rooms: rooms)
            #expect(try Presence(decoding: presence.body) == presence)
        }
    }

    @Test(arguments: [0, 1, 63, 64, 65])
    func aPeerIsInAtMost64Rooms(count: Int) {
        let rooms = (0..<count).map { "#room\($0)" }
        #expect(presenceError(presence(rooms: rooms)) == (count > 64 ? .outOfRange(field: "presence rooms") : nil))
    }

    @Test func aPresenceSaysHowOftenItIsRenewedAndWhetherItIsBrief() throws {
        let name = try PeerName("bob")
        let usual = Presence(isHere: true, name: name, rooms: [])
        #expect(usual.renewalSeconds == 60 && usual.hereMilliseconds == 150_000 && usual.lifetimeSeconds == 150)
        let brief = Presence(isHere: true, name: name, rooms: [], isBrief: true, renewalSeconds: 15)
        #expect(brief.body == usual.body + [1, 0, 2, 1, 15])
        #expect(try Presence(decoding: brief.body) == brief)
        #expect(brief.hereMilliseconds == 37_500 && brief.lifetimeSeconds == 60)
        #expect(try Presence(decoding: usual.body + [9, 2, 1, 2]) == usual)
        for value: [UInt8] in [[1, 14], [1, 61], [0], [2, 15, 0], [2, 0x8F, 0]] {
            #expect(presenceError(usual.body + [2] + value) != nil)
        }
        #expect(presenceError(usual.body + [1, 1, 0]) == .outOfRange(field: "presence brief"))
    }

    @Test func aPresenceTravelsWithItsAgeAndNothingElseDoes() throws {
        let body = Presence(isHere: true, name: try PeerName("bob"), rooms: []).body
        func frame(_ kind: RecordKind) throws -> Frame {
            let record = Record(
                kind: kind, author: try Samples.author(), created: HybridTime(rawValue: 1), lifetimeSeconds: 60,
                topic: [], body: body)
            let signed = SignedRecord(record, signature: [UInt8](repeating: 0, count: 64))
            return .presence(PresenceFrame(timeToLive: 31, hops: 2, ageMilliseconds: 300, signed: signed))
        }
        let presence = try frame(.presence)
        #expect(Array(presence.bytes.prefix(7)) == [29, 119, 31, 2, 0xAC, 2, 1] && presence.byteCount == 121)
        #expect(try Frame.decode(message: presence.bytes[...]) == [presence])
        let chat = try frame(.chat).bytes
        #expect(throws: WireError.outOfRange(field: "presence kind")) { try Frame.decode(message: chat[...]) }
    }

    @Test func inALargeMeshPresencesAreRenewedLessOften() {
        #expect([0, 240, 480, 960, 4_096].map(Presence.renewalSeconds) == [15, 15, 30, 60, 60])
    }

    @Test func aPresenceIsYesOrNo() {
        #expect(presenceError(presence(state: 2, rooms: [])) == .outOfRange(field: "presence state"))
    }

    @Test func everyPrefixOfAPresenceAndEveryTailIsRefused() {
        let body = presence(rooms: ["#a", "#b"])
        for count in 0..<body.count { #expect(presenceError(Array(body.prefix(count))) != nil) }
        #expect(presenceError(body + [0]) == .truncated(field: "presence fields"))
        #expect(presenceError(presence(rooms: ["#a"], count: .max)) == .outOfRange(field: "presence rooms"))
    }

    @Test(arguments: ["park", "#", "#a b", "#\u{1B}"])
    func aRoomHasAProperName(room: String) {
        #expect(presenceError(presence(rooms: [room])) == .notUTF8(field: "presence room"))
    }

    @Test func theAwayTextIsAFieldOfAPresence() throws {
        func presence(_ away: String?) throws -> Presence {
            Presence(isHere: true, name: try PeerName("bob"), rooms: [], away: away)
        }
        #expect(try presence("at nine").body == Array("\u{1}\u{3}bob\0".utf8) + [3, 7] + Array("at nine".utf8))
        for away in [nil, "", "x", String(repeating: "a", count: 200)] as [String?] {
            #expect(try Presence(decoding: presence(away).body).away == away)
        }
        #expect(try !presence(nil).saysTheSame(as: presence("")))
        #expect(try presence("x").ended.away == nil)
        let usual = try presence(nil).body
        let long = [UInt8](repeating: 0x61, count: 201)
        #expect(
            presenceError(usual + [3, 0xC9, 0x01] + long)
                == .tooLong(field: "presence away", bytes: 201, bytesMax: 200))
        #expect(presenceError(usual + [3, 1, 0xC0]) == .notUTF8(field: "presence away"))
    }
}
