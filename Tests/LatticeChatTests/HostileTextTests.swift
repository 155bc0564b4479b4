import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// No stranger's text reaches a screen in a form that could act on it.
struct HostileTextTests {
    private let plain = Samples.plainRenderer
    private let colored = TerminalRenderer(me: Samples.peer(1), hasColor: true) { _ in "14:05" }
    private let colorless = TerminalRenderer(me: Samples.peer(1), hasColor: false) { _ in "14:05" }

    /// Every item that can carry a stranger's words. Names are what the conversation makes of them.
    private func items(_ text: String) throws -> [ChatItem] {
        let bob = try PeerName("bob")
        let info = PeerInfo(
            id: Samples.peer(2), prefix: nil, name: text, state: .notConnected,
            reason: .goodbye(text: text))
        let sighted = PeerInfo(
            id: nil, prefix: Samples.peer(3).prefix, name: text, state: .connecting,
            reason: .goodbye(text: text))
        let conversation = Conversation(me: try Samples.me())
        let change = PeerChange(id: Samples.peer(2), name: bob, state: .notConnected, reason: .goodbye(text: text))
        let shown = [info, sighted].map(conversation.shown)
        return try [.says, .acts].flatMap { style in
            try [true, false].map { isMention in
                .message(
                    try Samples.message(text, style: style), shown: "bob", isCurrentRoom: true, isMention: isMention)
            }
        } + [
            .past(try Samples.message(text), shown: "bob", isCurrentRoom: true, isLate: false),
            .past(try Samples.message(text, isLate: true), shown: "bob", isCurrentRoom: false, isLate: true),
            .peer(change, shown: "bob", isNews: true),
            .invitation(Samples.peer(2), shown: "bob", context: Array(text.utf8)),
            .privateMessage(try Samples.privateMessage(text), shown: "bob", isPast: false),
            .privateMessage(try Samples.privateMessage(text, style: .acts), shown: "bob", isPast: true),
            .privateMessage(
                try Samples.privateMessage(text, isMine: true, state: .delivered), shown: "bob", isPast: false),
            .reply(
                .output(
                    PrivateLines.conversations(
                        [try Samples.privateMessage(text)], ["bob"], CommandContext(now: Samples.at)))),
            .reply(
                .output(
                    PrivateLines.output([try Samples.privateMessage(text)], limit: 9, CommandContext(now: Samples.at)))),
            .notice(Notice(.problem, code: "x", text)), .error(code: "x", text),
            .reply(.peers([info, sighted], shown: shown)), .reply(.whois(info, shown: shown[0])),
        ]
    }

    /// The line without our own colours, or as it is if what looks like one is none of ours.
    private func withoutColors(_ line: String) -> String {
        line.replacing(/\u{1B}\]8;;(?:https?:\/\/[!-~]{1,2076})?\u{1B}\\/, with: "")
            .replacing(/\u{1B}\[(?:0|1|2|2;1|31|33|35|36|1;3[16]|(?:2;)?95|(?:2;)?38;5;[0-9]{2,3})m/, with: "")
    }

    @Test(arguments: Samples.hostileTexts)
    func nothingThatActsOnAScreenGetsThrough(text: String) throws {
        for item in try items(text) {
            for rendered in [plain.render(item), colorless.render(item)] {
                for line in rendered.output + rendered.error {
                    #expect(!line.unicodeScalars.contains(where: Samples.isForbidden), "\(line.debugDescription)")
                }
            }
            let lines = colored.render(item).output.map(withoutColors)
            for line in lines { #expect(!line.unicodeScalars.contains(where: Samples.isForbidden)) }
            #expect(lines == colorless.render(item).output || !isMessage(item))
        }
    }

    /// A log of it is as safe to read in a terminal.
    @Test(arguments: Samples.hostileTexts)
    func nothingThatActsOnAScreenStandsInJSON(text: String) throws {
        let renderer = JSONRenderer()
        var item = PostSamples.event(text: text, title: text)
        (item.placeName, item.authorName) = (text, text)
        for shown in try items(text) + [.posted(item, shown: text), .reply(.text(text)), .reply(.help([text]))] {
            let rendered = renderer.render(shown)
            #expect(!(rendered.output + rendered.error).joined().unicodeScalars.contains(where: Samples.isForbidden))
        }
    }

    private func isMessage(_ item: ChatItem) -> Bool {
        switch item {
        case .message, .past: true
        default: false
        }
    }

    @Test(arguments: Samples.hostileTexts)
    func isolatesAreOursAndBalanced(text: String) throws {
        for item in try items(text) {
            for line in plain.render(item).output + plain.render(item).error + colorless.render(item).output {
                var depth = 0
                for scalar in line.unicodeScalars {
                    if scalar == "\u{2068}" { depth += 1 }
                    if scalar == "\u{2069}" { depth -= 1 }
                    #expect((0...1).contains(depth))
                }
                #expect(depth == 0)
            }
        }
    }

    @Test func hebrewIsIsolatedFromWhatStandsBesideIt() throws {
        let item = ChatItem.message(
            try Samples.message("שלום"), shown: "bob", isCurrentRoom: true, isMention: false)
        #expect(plain.render(item).output == ["<bob> \u{2068}שלום\u{2069}"])
        #expect(colorless.render(item).output.last == "14:05  bob  \u{2068}שלום\u{2069}")
    }

    @Test(arguments: Samples.hostileTexts)
    func aNameThatCouldActOnAScreenIsNoName(text: String) {
        guard text.unicodeScalars.contains(where: Samples.isForbidden) else { return }
        #expect(throws: NameError.self) { try PeerName(text) }
        #expect(throws: NameError.self) { try RoomName("#\(text)") }
        #expect(throws: NameError.self) { try MeshName(text) }
    }

    @Test func withoutColorsThereIsNoEscapeAtAll() throws {
        let items = try Samples.hostileTexts.flatMap(items)
        for item in items {
            let rendered = colorless.render(item)
            #expect(!(rendered.output + rendered.error).contains { $0.unicodeScalars.contains("\u{1B}") })
        }
    }
}
