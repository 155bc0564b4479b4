import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// The colours of a terminal; where things stand is tested with the layout.
struct RendererForTerminalTests {
    private let colored = TerminalRenderer(me: Samples.peer(1), hasColor: true) { _ in "14:05" }
    private let plain = TerminalRenderer(me: Samples.peer(1), hasColor: false) { _ in "14:05" }

    private func item(
        _ message: Message, isCurrentRoom: Bool = true, isMention: Bool = false
    ) -> ChatItem {
        .message(message, shown: message.name.text, isCurrentRoom: isCurrentRoom, isMention: isMention)
    }

    @Test func coloursAreSetAndResetAroundEachPart() throws {
        // Peer 1 is ourselves; the colour of a peer follows from its key.
        #expect(
            colored.render(item(try Samples.message("hi", from: 1, name: "alice", room: "#park"), isCurrentRoom: false))
                == Rendered(output: [
                    "\u{1B}[2m14:05\u{1B}[0m  \u{1B}[35m#park\u{1B}[0m \u{1B}[1malice\u{1B}[0m  hi"
                ]))
        let line = try #require(
            colored.render(item(try Samples.message("hi", name: "bartholomew"))).output.first)
        #expect(line.hasPrefix("\u{1B}[2m14:05\u{1B}[0m  \u{1B}[38;5;"))
        #expect(line.hasSuffix("mbartholomew\u{1B}[0m  hi"))
        #expect(colored.render(.error(code: "x", "no")).output == ["\u{1B}[31m! no\u{1B}[0m"])
    }

    @Test func factsHaveTheTerminalsOwnColourAndHintsDoNot() {
        #expect(colored.render(.reply(.text("You left #park."))).output == ["You left #park."])
        let answer = CommandOutput(["a fact"], remarks: ["a hint"])
        #expect(colored.render(.reply(.output(answer))).output == ["a fact", "\u{1B}[36ma hint\u{1B}[0m"])
        #expect(
            colored.render(.reply(.help(["Talk     /me TEXT", "More:", "  /me TEXT  say it"]))).output == [
                "\u{1B}[1;36mTalk\u{1B}[0m     /me TEXT", "\u{1B}[1;36mMore:\u{1B}[0m",
                "  \u{1B}[36m/me TEXT\u{1B}[0m  say it",
            ])
    }

    @Test func aLineWithAFileSaysHowToGetIt() throws {
        var line = try Samples.message("shares the file map.pdf")
        line.file = line.record
        for item in [
            ChatItem.message(line, shown: "bob", isCurrentRoom: true, isMention: false, number: 12),
            .past(line, shown: "bob", isCurrentRoom: true, isLate: false, number: 12),
        ] {
            #expect(plain.render(item).output.map { $0.hasSuffix("shares the file map.pdf /get 12") } == [true])
        }
    }

    @Test func idsAreDim() throws {
        let line = try #require(
            colored.render(
                .message(try Samples.message("hi"), shown: "bob#k7f3", isCurrentRoom: true, isMention: false)
            ).output.first)
        #expect(line.hasSuffix("mbob\u{1B}[0m\u{1B}[2m#k7f3\u{1B}[0m  hi"))
        let peer = PeerInfo(id: Samples.peer(2), prefix: nil, name: "bob", state: .connected)
        let lines = colored.render(.reply(.whois(peer, shown: "bob"))).output
        #expect(lines.first == "bob: connected")
        #expect(lines.dropFirst().first?.hasPrefix("\u{1B}[2m  id ") == true)
    }

    @Test func aPeerKeepsItsColourAndAllOfThemAreUsed() throws {
        func color(_ rank: UInt8, _ name: String) throws -> Substring {
            let line = try #require(
                colored.render(item(try Samples.message("hi", from: rank, name: name))).output.first)
            let start = try #require(line.firstRange(of: "38;5;")).upperBound
            return line[start...].prefix { $0.isNumber }
        }
        #expect(try color(2, "bob") == color(2, "rob"))
        #expect(Set(try (2...255).map { try color($0, "bob") }).count > 2)
    }

    @Test func beingNamedRingsAndIsBold() throws {
        let rendered = colored.render(item(try Samples.message("alice!"), isMention: true))
        #expect(rendered.rings)
        #expect(rendered.output.first?.hasSuffix("  \u{1B}[1malice!\u{1B}[0m") == true)
        #expect(!colored.render(item(try Samples.message("hi"))).rings)
        #expect(colored.render(.invitation(Samples.peer(2), shown: "bob", context: [])).rings)
    }

    @Test func thePastIsDimAndNeverRings() throws {
        let late = ChatItem.past(
            try Samples.message("alice!", isLate: true), shown: "bob", isCurrentRoom: true, isLate: true)
        #expect(plain.render(late) == Rendered(output: ["14:05  bob  (late) alice!"]))
        let line = try #require(colored.render(late).output.first)
        #expect(line.hasPrefix("\u{1B}[2m14:05\u{1B}[0m  \u{1B}[2;38;5;"))
        #expect(line.hasSuffix("mbob\u{1B}[0m  \u{1B}[2m(late)\u{1B}[0m \u{1B}[2malice!\u{1B}[0m"))
        let history = ChatItem.past(
            try Samples.message("waves", from: 1, room: "#park", style: .acts), shown: "alice", isCurrentRoom: false,
            isLate: false)
        #expect(plain.render(history).output == ["14:05  #park * alice  waves"])
        #expect(plain.render(.day("— Fri 20 Nov —")).output == ["— Fri 20 Nov —"])
        #expect(plain.render(.earlier(163, call: "/history 213")).output == ["… 163 earlier lines: /history 213"])
        #expect(plain.render(.sync(SyncProgress(isCaughtUp: true, fetched: 1, total: 1, peers: 1))) == Rendered())
    }

    @Test func everythingGoesAboveThePromptAndNothingToStandardError() throws {
        let change = PeerChange(id: Samples.peer(2), name: try PeerName("bob"), state: .connected, reason: nil)
        let expected: [(ChatItem, String)] = [
            (.peer(change, shown: "bob"), "• bob is connected"), (.reply(.text("done")), "done"),
            (.notice(Notice(.problem, code: "x", "no network")), "• no network"),
            (.error(code: "x", "no"), "! no"), (.missed(1), "• 1 events came too fast and are not shown"),
        ]
        for (item, line) in expected {
            #expect(plain.render(item).output == [line])
            #expect(colored.render(item).error.isEmpty)
        }
    }
}
