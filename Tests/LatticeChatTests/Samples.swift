import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// People, rooms and lines for the tests of the chat.
enum Samples {
    static let at = WallTime(milliseconds: 1_795_253_400_250)

    /// Peers compare as their ranks do, and no two of them share a short id.
    static func peer(_ rank: UInt8) -> PeerID {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes[0] = rank
        return peer(bytes)
    }

    static func peer(_ bytes: [UInt8]) -> PeerID {
        guard let key = Bytes32(bytes) else { preconditionFailure("32 bytes are 32 bytes") }
        return PeerID(key)
    }

    /// A record of its own for each text, room and author.
    static func record(_ parts: String...) -> RecordID {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in parts.joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let words = (1...4).flatMap { word in
            (0..<8).map { byte in UInt8(truncatingIfNeeded: (hash &* word) >> (8 * byte)) }
        }
        guard let bytes = Bytes32(words) else { preconditionFailure("32 bytes are 32 bytes") }
        return RecordID(bytes)
    }

    static let plainRenderer = PlainRenderer { CivilTime(utc: $0).text.suffix(5).description }

    /// Ourselves: alice, in #lobby.
    static func me(rooms: [String] = ["#lobby"]) throws -> Me {
        Me(
            id: peer(1), name: try PeerName("alice"), mesh: try MeshName("lattice"), port: 4_000, discovery: "system",
            rooms: try rooms.map(RoomName.init))
    }

    static func message(
        _ text: String,
        from rank: UInt8 = 2,
        name: String = "bob",
        room: String = "#lobby",
        style: SpeechStyle = .says,
        hops: Int = 1,
        at: WallTime = at,
        isLate: Bool = false
    ) throws -> Message {
        Message(
            record: record(text, room, "\(rank)"), room: try RoomName(room), from: peer(rank), name: try PeerName(name),
            text: text,
            style: style, at: at, hops: hops, isLate: isLate)
    }

    static func linked(
        _ rank: UInt8, _ name: String, _ state: PeerState = .connected, reason: String? = nil
    ) throws -> NodeEvent {
        .peer(
            PeerChange(
                id: peer(rank), name: try PeerName(name), state: state, reason: reason.map { .goodbye(text: $0) }))
    }

    static func presence(
        _ rank: UInt8, _ name: String, isHere: Bool = true, rooms: [String] = ["#lobby"], hops: Int = 2
    ) throws -> NodeEvent {
        .presence(
            PresenceChange(
                id: peer(rank), name: try PeerName(name), isHere: isHere, rooms: try rooms.map(RoomName.init),
                hops: hops))
    }

    /// Texts that would act on a terminal or turn a line around, if they got there.
    static let hostileTexts = [
        "\u{1B}[2J\u{1B}[1;1Hgone", "\u{1B}]0;title\u{07}", "\u{1B}P1$r\u{1B}\\", "bell\u{07}", "\u{9B}31mred",
        "over\u{202E}thgir", "\u{2066}isolate\u{2069}", "\u{202A}embed\u{202C}", "mark\u{200E}\u{200F}\u{061C}",
        "one\ntwo", "one\r\ntwo", "one\rtwo", "one\u{0B}two\u{0C}three", "one\u{85}two\u{2028}three\u{2029}four",
        "back\u{08}\u{08}\u{7F}space", "nul\u{00}l", "\u{FEFF}mark", "\u{E0041}\u{E007F}tags", "\u{FFF9}a\u{FFFB}",
        "tab\tstop", "שלום \u{202E}abc", "\u{1B}[0m<alice> \u{1B}[31mI did not say this", "\"quoted\" \\ back/slash",
        "\u{2068}unclosed", "closed\u{2069}\u{2069}", "👩‍👩‍👧 and e\u{301}", "\u{AD}soft\u{200B}",
        "\u{1B}]8;;http://evil.example\u{1B}\\http://good.example\u{1B}]8;;\u{7}", "http://a.example/\u{202E}gpj.exe",
    ]

    /// Scalars that no text of a stranger may bring to a screen; written out here, so that the test does not ask the
    /// code what the code does.
    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2067,
            0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }
}
