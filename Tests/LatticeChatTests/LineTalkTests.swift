import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// Answers, emoji, edits and deletions of lines in the chat.
@Suite(.timeLimit(.minutes(10))) struct LineTalkTests {
    private static let answering: FakeNode.Answering = { request throws(RequestError) in
        guard request is ReactToLine || request is EditLine || request is DeleteLine else {
            return try await FakeNode.obliging(request)
        }
        do {
            return SaidLine.room(try Samples.message("done"))
        } catch {
            throw .unknownLine
        }
    }

    /// Bob asked something (1), carol answered (2) and alice said something (3); then lines are typed.
    private func rig(
        typing lines: [String], answering: @escaping FakeNode.Answering = Self.answering
    ) async throws -> (shown: [String], requests: [AnyHashable]) {
        let rig = try ChatRig(answering: answering)
        rig.tell(
            .message(try Samples.message("two seats?")),
            .message(try Samples.message("one", from: 3, name: "carol")),
            .message(try Samples.message("mine", from: 1, name: "alice")))
        async let end = rig.run()
        try await rig.until("all lines") { rig.screen.output.count == 3 }
        let before = rig.screen.shown.count
        rig.screen.put(lines.map { .line($0) } + [.interrupt])
        #expect(await end == .done)
        return (rig.screen.shown.dropFirst(before).flatMap { $0.error + $0.output }, await rig.node.requests)
    }

    private func record(_ text: String, _ rank: UInt8, _ name: String) throws -> RecordID {
        try Samples.message(text, from: rank, name: name).record
    }

    @Test func whatIsTypedBecomesRequests() async throws {
        let lobby = try RoomName("#lobby")
        let (bob, carol) = (try record("two seats?", 2, "bob"), try record("one", 3, "carol"))
        let mine = try record("mine", 1, "alice")
        func say(_ text: String, _ line: RecordID) -> Say {
            Say(text, style: .says, room: lobby, audience: .everybody, replyTo: line)
        }
        let expected: [(String, any Request)] = [
            ("/reply 1 yes, two", say("yes, two", bob)), ("/reply bob yes", say("yes", bob)),
            ("/reply \(carol.hex) no", say("no", carol)), ("/react 👍", ReactToLine(carol, "👍")),
            ("/react bob 👍", ReactToLine(bob, "👍")), ("/react 3 🎉", ReactToLine(mine, "🎉")),
            ("/edit mine, too", EditLine(mine, "mine, too")), ("/edit 3 ours", EditLine(mine, "ours")),
            ("/delete", DeleteLine(mine)), ("/delete 3", DeleteLine(mine)),
        ]
        for (line, request) in expected {
            #expect(try await rig(typing: [line]).requests.first == AnyHashable(request), "\(line)")
        }
    }

    @Test func theSameEmojiAgainIsTakenBack() async throws {
        let rig = try ChatRig(answering: Self.answering)
        var line = try Samples.message("two seats?")
        rig.tell(.message(line))
        line.reactions = [LineReaction("👍", by: [try Samples.me().id])]
        rig.tell(.lineChanged(LineChange(.reacted, by: try Samples.me().id, emoji: "👍", of: line)))
        async let end = rig.run()
        try await rig.until("both") { rig.screen.output.count + rig.screen.error.count == 2 }
        rig.screen.put([.line("/react 👍"), .interrupt])
        #expect(await end == .done)
        #expect(await rig.node.requests.first == AnyHashable(ReactToLine(line.record, "👍", holds: false)))
    }

    @Test func numbersStayWithTheirLines() async throws {
        let (shown, _) = try await rig(typing: ["/lines"])
        #expect(shown == [" 1  bob: two seats?", " 2  carol: one", " 3  alice: mine"])
    }

    @Test(arguments: [
        ("/reply 9 x", "No line here has the number 9; /lines shows the numbers."),
        ("/reply bob", "What is the answer? Type /reply N TEXT."),
        ("/reply eve x", "I don't know anyone called eve. You can also give a full id (64 digits)."),
        ("/delete 9", "No line here has the number 9; /lines shows the numbers."),
    ]) func whatIsNotHereIsOneSentence(line: String, sentence: String) async throws {
        let (shown, requests) = try await rig(typing: [line])
        #expect(shown == ["lattice: \(sentence)"] && requests.isEmpty)
    }

    @Test func aRefusalIsShown() async throws {
        let (shown, _) = try await rig(typing: ["/react ok"]) { request throws(RequestError) in
            if request is ReactToLine { throw RequestError.invalid(faults: [.notAnEmoji(given: "ok")]) }
            return try await FakeNode.obliging(request)
        }
        #expect(shown == ["lattice: 'ok' is not one emoji; give one, such as 👍"])
    }

    /// A node that was just started does not know what a new line answers.
    @Test func anAnswerShowsALineOfTheScreen() async throws {
        let rig = try ChatRig(answering: Self.answering)
        let asked = try Samples.message("two seats?")
        var answer = try Samples.message("yes", from: 3, name: "carol")
        answer.reply = LineReference(asked.record)
        rig.tell(.message(asked), .message(answer))
        async let end = rig.run()
        try await rig.until("both lines") { rig.screen.output.count == 2 }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        #expect(rig.screen.output == ["<bob> two seats?", "<carol> (to bob) yes"])
    }

    @Test func changesAreShown() async throws {
        let rig = try ChatRig()
        var (first, mine) = (try Samples.message("helo"), try Samples.message("mine", from: 1, name: "alice"))
        rig.tell(.message(first), .message(mine))
        (first.isEdited, mine.reactions) = (true, [LineReaction("👍", by: [Samples.peer(2)])])
        var answer = try Samples.message("hello", from: 3, name: "carol")
        answer.reply = LineReference(first)
        rig.tell(
            .lineChanged(LineChange(.edited, by: first.from, of: first)),
            .lineChanged(LineChange(.reacted, by: Samples.peer(2), emoji: "👍", of: mine)), .message(answer))
        first.isDeleted = true
        rig.tell(.lineChanged(LineChange(.deleted, by: first.from, of: first)))
        async let end = rig.run()
        try await rig.until("all") { rig.screen.output.count + rig.screen.error.count == 6 }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        #expect(
            rig.screen.output == ["<bob> helo", "<alice> mine", "09:30 <bob> helo (edited)", "<carol> (to bob) hello"])
        #expect(rig.screen.error == ["* bob gave 👍 to your line: mine", "* bob deleted a line"])
    }
}
