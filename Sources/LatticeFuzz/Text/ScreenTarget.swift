import LatticeAPI
import LatticeChat
import LatticeCore

extension FuzzTarget {
    static let screen = FuzzTarget(
        "screen",
        "strangers' texts and names on their way to a screen or a file: no control, escape or bidirectional character comes out",
        inputBytesMax: 600
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        let form = source.byte()
        let text = String(decoding: source.all(), as: UTF8.self)
        // One form at a time: all of them together are twenty times slower.
        switch form % 8 {
        case 0, 1: try ScreenTrial.checkText(text)
        case 2, 3: try ScreenTrial.checkNames(text)
        case 4: try ScreenTrial.checkFiles(text, format: form / 8)
        default: try ScreenTrial.checkItems(text, only: form / 8)
        }
    }
}

private enum ScreenTrial {
    private static let me = MeshCast.shared.me
    private static let stranger = MeshCast.shared.others[0]
    private static let date = WallTime(milliseconds: 1_795_253_400_250)
    private static let renderers: [any Renderer] = [
        PlainRenderer { _ in "14:05" }, TerminalRenderer(me: me, hasColor: false) { _ in "14:05" },
    ]

    static func checkText(_ text: String) throws(BrokenProperty) {
        let safe = DisplayText.safe(text)
        for scalar in safe.unicodeScalars {
            try hold(!ScreenOracle.isForbidden(scalar), "U+\(String(scalar.value, radix: 16)) is taken for safe")
        }
        try hold(DisplayText.safe(safe).utf8.elementsEqual(safe.utf8), "what is safe is made safe again")
        try ScreenOracle.check(DisplayText.isolated(text), of: "isolated text")
        try hold(DisplayWidth.columns(of: safe) >= 0, "a text of less than no columns")
        try hold(StyledText.columns(of: text) >= 0, "a text of less than no columns")
    }

    static func checkNames(_ text: String) throws(BrokenProperty) {
        if let name = accepted({ try PeerName(text) }) {
            try ScreenOracle.check(name.text, of: "a name")
            try ScreenOracle.check(name.withoutMarks, of: "a name without marks")
            try hold(name.text.utf8.count <= PeerName.bytesMax, "a name is too long")
            _ = name.skeleton
        }
        if let mesh = accepted({ try MeshName(text) }) { try ScreenOracle.check(mesh.text, of: "a mesh name") }
        if let room = accepted({ try RoomName("#" + text) }) {
            try ScreenOracle.check(room.text, of: "a room")
            try hold(room.text.utf8.count <= RoomName.bytesMax, "a room is too long")
            try hold(accepted { try RoomName(room.text) } == room, "a room is read as another")
        }
    }

    static func checkItems(_ text: String, only: UInt8) throws(BrokenProperty) {
        guard let room = MeshCast.shared.rooms.first else { return }
        let name = accepted { try PeerName(text) } ?? MeshCast.shared.name
        let info = PeerInfo(id: stranger, prefix: nil, name: text, state: .notConnected, reason: .goodbye(text: text))
        let sighted = PeerInfo(
            id: nil, prefix: stranger.prefix, name: text, state: .connecting, reason: .goodbye(text: text))
        let joined = Me(
            id: me, name: MeshCast.shared.name, mesh: MeshCast.shared.mesh, port: 1, discovery: "", rooms: [])
        let conversation = Conversation(me: joined)
        let shown = [info, sighted].map(conversation.shown)
        var items: [ChatItem] = [
            .peer(
                PeerChange(id: stranger, name: name, state: .notConnected, reason: .goodbye(text: text)),
                shown: shown[0]),
            .invitation(stranger, shown: shown[0], context: Array(text.utf8)),
            .notice(Notice(.problem, code: "x", text)), .error(code: "x", text),
            .reply(.peers([info, sighted], shown: shown)), .reply(.whois(info, shown: shown[0])),
        ]
        for style in [SpeechStyle.says, .acts] {
            let message = Message(
                record: RecordID(.zero), room: room, from: stranger, name: name, text: text, style: style, at: date,
                hops: 1, isNotice: style == .says)
            items.append(.message(message, shown: shown[0], isCurrentRoom: false, isMention: true))
            items.append(.past(message, shown: shown[0], isCurrentRoom: true, isLate: true))
            let privateMessage = PrivateMessage(
                number: 1, peer: stranger, peerName: name, isMine: false, text: text, style: style, at: date,
                isLate: true, state: .delivered, isNotice: style == .acts)
            items.append(.privateMessage(privateMessage, shown: shown[0], isPast: style == .says))
        }
        for item in [items[Int(only) % items.count]] {
            for renderer in renderers {
                let rendered = renderer.render(item)
                for line in rendered.output + rendered.error { try ScreenOracle.check(line, of: "a line") }
            }
            for line in JSONRenderer().render(item).output {
                for scalar in line.unicodeScalars {
                    try hold(
                        !ScreenOracle.isForbidden(scalar), "U+\(String(scalar.value, radix: 16)) comes out of JSON")
                }
            }
        }
    }

    /// Files are for other programs, so they may contain line breaks and tabs.
    static func checkFiles(_ text: String, format: UInt8) throws(BrokenProperty) {
        var item = ItemInfo(
            id: RecordID(.zero), short: "000000", kind: .event, state: .shown, author: stranger, authorName: text,
            at: date, expires: date)
        (item.text, item.title, item.placeName) = (text, text, text)
        (item.starts, item.ends) = (date, date)
        let formats = ExportFormat.allCases
        guard Int(format) % (formats.count + 1) < formats.count else {
            for line in ItemLines.list([item], CommandContext(now: date, columns: 20, isTerminal: true)) {
                try ScreenOracle.check(line, of: "a line of a post")
            }
            return
        }
        let format = formats[Int(format) % (formats.count + 1)]
        for scalar in format.document([item], at: date).unicodeScalars {
            let isLayout = scalar == "\n" || scalar == "\t" || scalar == "\r"
            try hold(
                isLayout || !ScreenOracle.isForbidden(scalar),
                "U+\(String(scalar.value, radix: 16)) comes out of \(format)")
        }
    }
}
