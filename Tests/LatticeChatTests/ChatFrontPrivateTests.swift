import LatticeAPI
import LatticeChat
import LatticeConcurrency
import LatticeCore
import Testing

/// What is said to one person alone, from the line that is typed to the line that is shown.
@Suite(.timeLimit(.minutes(10)))
struct ChatFrontPrivateTests {
    private static let (bob, carol) = (Samples.peer(2), Samples.peer(3))

    /// Keeps private messages waiting; talked an hour ago with carol, who is not here.
    private static func answering(_ past: [PrivateMessage] = []) -> FakeNode.Answering {
        { request throws(RequestError) in
            switch request {
            case let message as SendPrivateMessage:
                guard let peer = message.peer.id else {
                    throw RequestError.other(code: .unknownPeer, message: "nobody")
                }
                return PrivateMessage(
                    number: Int64(message.text.utf8.count) + 100, peer: peer, peerName: nil, isMine: true,
                    text: message.text, style: message.style, at: Samples.at, isLate: false, state: .waiting)
            case is ListConversations: return PrivateMessages(past)
            case let list as ListPrivateMessages:
                return PrivateMessages(Array(past.filter { $0.peer == list.peer.id }.suffix(list.limit)))
            default: return try await FakeNode.obliging(request)
            }
        }
    }

    private func past() throws -> [PrivateMessage] {
        [try Samples.privateMessage("come by", number: 7, peer: 3, name: "carol", ago: 3_600_000)]
    }

    /// A chat in which bob is here and carol is known.
    private func rig(
        isInteractive: Bool = true, isJSON: Bool = false, others: [NodeEvent] = []
    ) async throws -> (ChatRig, Task<ChatEnd, Never>) {
        let rig = try ChatRig(isInteractive: isInteractive, isJSON: isJSON, answering: Self.answering(try past()))
        let end = Task { await rig.run() }
        rig.tell(try Samples.presence(2, "bob"))
        for event in others { rig.tell(event) }
        rig.tell(.ready(try Samples.me()))
        try await rig.until("they are known") {
            rig.screen.context.addressees.contains { $0.hasPrefix("carol") }
                && rig.screen.context.names.count == 1 + others.count
                && rig.screen.error.count { $0.contains(" is here") } == 1 + others.count
        }
        return (rig, end)
    }

    private func told(_ rig: ChatRig) async -> [AnyHashable] {
        await rig.node.requests.filter { $0.base is SendPrivateMessage }
    }

    private func type(_ lines: [String], isInteractive: Bool = true, others: [NodeEvent] = []) async throws -> (
        ChatRig, [String], ChatEnd
    ) {
        let (rig, end) = try await rig(isInteractive: isInteractive, others: others)
        let before = rig.screen.error.count
        rig.screen.put(lines.map { .line($0) } + [.endOfInput])
        let result = await end.value
        return (rig, Array(rig.screen.error.dropFirst(before)), result)
    }

    // MARK: - Saying

    @Test func whoIsHereOrWasTalkedWithOrIsNamedByAnIdIsTold() async throws {
        let eve = Samples.peer(9)
        let (rig, shown, _) = try await type([
            "/msg bob on  my way", "/msg carol me too", "/msg \(eve.hex) hello", "/msg \"bob\" quoted!",
            "/msg @carol#\(Self.carol.short) x",
        ])
        #expect(
            await told(rig) == [
                SendPrivateMessage(PeerReference(Self.bob), "on  my way", style: .says),
                SendPrivateMessage(PeerReference(Self.carol), "me too", style: .says),
                SendPrivateMessage(PeerReference(eve), "hello", style: .says),
                SendPrivateMessage(PeerReference(Self.bob), "quoted!", style: .says),
                SendPrivateMessage(PeerReference(Self.carol), "x", style: .says),
            ])
        #expect(
            shown == [
                "→ bob: on  my way (waiting)", "→ carol: me too (waiting)", "→ #\(eve.short): hello (waiting)",
                "→ bob: quoted! (waiting)", "→ carol: x (waiting)",
            ])
        #expect(await rig.said() == [])
    }

    @Test func messagesHaveNumbersByWhichTheyAreAnsweredAndChanged() async throws {
        let (theirs, mine) = (Samples.record("theirs"), Samples.record("mine"))
        let past = [
            try Samples.privateMessage("come by", number: 7, peer: 3, name: "carol", ago: 3_600_000, record: theirs),
            try Samples.privateMessage(
                "at nien", number: 8, peer: 3, name: "carol", isMine: true, ago: 60_000, record: mine),
        ]
        let rig = try ChatRig { request throws(RequestError) in
            guard request is ReactToLine || request is EditLine || request is DeleteLine else {
                return try await Self.answering(past)(request)
            }
            return SaidLine.message(past[1])
        }
        let end = await rig.run(
            typing: [
                "/query carol", "/reply carol yes", "/react 1 👍", "/edit at nine", "/delete 2", "/delete 9", "/lines",
            ])
        #expect(end == .done)
        let asked = await rig.node.requests
        let answer = SendPrivateMessage(PeerReference(Self.carol), "yes", style: .says, replyTo: theirs)
        for request in [
            AnyHashable(answer), AnyHashable(ReactToLine(theirs, "👍")), AnyHashable(EditLine(mine, "at nine")),
            AnyHashable(DeleteLine(mine)),
        ] {
            #expect(asked.contains(request), "\(request)")
        }
        let shown = rig.screen.shown.flatMap { $0.error + $0.output }
        #expect(shown.contains("lattice: No line here has the number 9; /lines shows the numbers."))
        #expect(shown.contains(" 1  carol: come by") && shown.contains(" 2  you: at nien"))
    }

    @Test func whereSomebodyIsConnectedNothingIsShownToWaitUntilItDoes() async throws {
        let (rig, end) = try await rig()
        rig.tell(try Samples.linked(4, "dave"))
        try await rig.until("dave is connected") { rig.screen.context.names.contains("dave") }
        rig.screen.type("/msg carol hi")
        try await rig.until("it is shown") { rig.screen.error.contains("→ carol: hi") }
        try await rig.until("it is reported") {
            rig.screen.error.contains {
                $0.hasPrefix("* the message you sent to carol at 09:30 has not gone out yet; it is kept")
            }
        }
        rig.screen.put([.interrupt])
        _ = await end.value
    }

    @Test func aPipeMayTellSomebodyBeforeTheNodeIsReady() async throws {
        let rig = try ChatRig(isInteractive: false, answering: Self.answering(try past()))
        #expect(await rig.run(typing: ["/msg carol hi", "/query carol", "yes"]) == .done)
        #expect(
            await told(rig) == [
                SendPrivateMessage(PeerReference(Self.carol), "hi", style: .says),
                SendPrivateMessage(PeerReference(Self.carol), "yes", style: .says),
            ])
        #expect(await rig.node.requests.count { $0 == AnyHashable(ListConversations()) } == 1)
    }

    @Test func aNodeThatKeepsNothingSaysNothing() async throws {
        let rig = try ChatRig(isInteractive: false) { request throws(RequestError) in
            switch request {
            case is SendPrivateMessage, is ListConversations, is ListPrivateMessages:
                throw RequestError.other(code: .storeFailed, message: "nothing can be kept here")
            default: return try await FakeNode.obliging(request)
            }
        }
        let id = Self.bob.hex
        #expect(await rig.run(typing: ["/query \(id)", "hi", "/history", "/conversations"]) == .failed)
        let refusal = "lattice: nothing can be kept here"
        #expect(rig.screen.error.dropFirst() == [refusal, refusal, refusal])
    }

    @Test func aNameThatSeveralHaveIsRefusedEvenIfOneIsAway() async throws {
        let (rig, shown, end) = try await type(
            ["/msg carol hi", "/msg nobody hi", "/msg alice hi", "/msg bob"], isInteractive: false,
            others: [try Samples.presence(4, "carol")])
        let (here, away) = (Samples.peer(4).short, Self.carol.short)
        #expect(
            shown == [
                "lattice: Several people are called carol. Say which: carol#\(here) (here) or carol#\(away).",
                "lattice: I don't know anyone called nobody. You can also give a full id (64 digits).",
                "lattice: That is you.",
                "lattice: /msg needs more. Type /msg NAME TEXT.",
            ])
        #expect(await told(rig) == [] && end == .failed)
    }

    @Test func aQueryTakesWhatIsTypedUntilItEnds() async throws {
        let (rig, shown, _) = try await type([
            "to all", "/query carol", "to her", "/me waves", "/query", "to all again", "/query bob", "/join #park",
            "in",
        ])
        #expect(await rig.said() == ["to all", "to all again", "in"])
        #expect(
            await told(rig) == [
                SendPrivateMessage(PeerReference(Self.carol), "to her", style: .says),
                SendPrivateMessage(PeerReference(Self.carol), "waves", style: .acts),
            ])
        #expect(rig.screen.output == ["08:30 *carol* come by"])
        #expect(shown.first == "You are now talking privately with carol. /query goes back to #lobby.")
        #expect(shown.contains("You are now in #lobby."))
    }

    @Test func thePromptSaysWithWhomOneTalks() async throws {
        let (rig, end) = try await rig()
        rig.screen.type("/query carol")
        try await rig.until("it says so") { rig.screen.context.partner == "carol" }
        rig.tell(.message(try Samples.message("hi")))
        try await rig.until("it is shown") { rig.screen.output.contains("#lobby <bob> hi") }
        rig.screen.type("/part")
        try await rig.until("it says so no more") { rig.screen.context.partner == nil }
        #expect(rig.screen.context.room == (try RoomName("#lobby")))
        rig.screen.put([.interrupt])
        _ = await end.value
    }

    @Test func whatWasMeantForSomebodyUnknownIsNotSaidToAll() async throws {
        let (rig, shown, end) = try await type(
            ["/query nobody", "a secret", "/query", "hello"], isInteractive: false)
        #expect(await rig.said() == ["hello"] && end == .failed)
        #expect(
            shown[1] == "lattice: This was not sent: there is nobody to send it to. Use /query NAME or /join #room.")
    }

    @Test func withWhomOneBlocksNoTalkBegins() async throws {
        let (rig, end) = try await rig()
        rig.tell(
            .contactMarks(ContactMarks(blocked: [Self.carol])), .notice(Notice(.information, code: "told", "told")))
        try await rig.until("it is known") { rig.screen.error.contains { $0.hasSuffix("told") } }
        rig.screen.put([.line("/query carol"), .line("hello"), .endOfInput])
        _ = await end.value
        #expect(
            rig.screen.error.last
                == "lattice: You have blocked carol; use /unblock carol first. You are still in #lobby."
        )
        #expect(await told(rig).isEmpty)
    }

    @Test func inATalkTheRoomOfAnInvitationHasToBeNamed() async throws {
        let (_, shown, _) = try await type(["/query carol", "/invite carol"])
        #expect(
            shown.last == "lattice: You are talking privately with carol. Name the room, or go back to one with /query."
        )
    }

    @Test func theHistoryOfAQueryIsThatOfTheTwo() async throws {
        let (rig, _, _) = try await type(["/query carol", "/history 1"])
        #expect(rig.screen.output == ["08:30 *carol* come by", "08:30 *carol* come by"])
        #expect(await rig.node.requests.contains(ListPrivateMessages(PeerReference(Self.carol), limit: 1)))
    }

    @Test func conversationsAreListed() async throws {
        let (rig, shown, _) = try await type(["/queries"])
        #expect(shown == ["carol  08:30  come by"])
        #expect(rig.screen.output.isEmpty)
    }

    // MARK: - Hearing

    @Test func aLineIsShownOnceAndClearlyNotInARoom() async throws {
        let (rig, end) = try await rig()
        let line = NodeEvent.privateMessage(try Samples.privateMessage("are you there?"))
        rig.tell(line, line, .privateMessage(try Samples.privateMessage("waves", number: 2, style: .acts)))
        try await rig.until("they are shown") { rig.screen.output.count == 2 }
        #expect(rig.screen.output == ["*bob* are you there?", "*bob waves*"])
        rig.screen.put([.interrupt])
        _ = await end.value
    }

    @Test func whomWeIgnoreIsNotHeardHereEither() async throws {
        let (rig, end) = try await rig()
        rig.screen.type("/ignore carol")
        try await rig.until("it is done") { rig.screen.error.contains { $0.hasPrefix("You no longer see what carol") } }
        rig.tell(
            .privateMessage(try Samples.privateMessage("now", peer: 3, name: "carol")),
            .privateMessage(try Samples.privateMessage("late", number: 2, peer: 3, name: "carol", isLate: true)),
            .privateMessage(try Samples.privateMessage("hi", number: 3)))
        try await rig.until("bob is heard") { rig.screen.output == ["*bob* hi"] }
        rig.screen.put([.line("/conversations"), .line("/query carol"), .endOfInput])
        _ = await end.value
        #expect(rig.screen.output == ["*bob* hi"])
    }

    @Test func whatComesLateAndWhatBecameOfOurOwnIsToldTogether() async throws {
        let (rig, end) = try await rig()
        let before = rig.screen.error.count
        rig.tell(
            .privateMessage(try Samples.privateMessage("second", number: 9, isLate: true)),
            .privateMessage(try Samples.privateMessage("first", number: 8, ago: 60_000, isLate: true)),
            .privateProgress(Samples.progress(7, .delivered, peer: 3)),
            .privateProgress(Samples.progress(50, .lapsed, peer: 3)))
        try await rig.until("it is reported") { rig.screen.error.count == before + 2 }
        #expect(rig.screen.output == ["09:29 (late) *bob* first", "09:30 (late) *bob* second"])
        #expect(
            rig.screen.error.dropFirst(before) == [
                "* carol received the message you sent at 08:30",
                "* the message you sent to carol earlier expired before it was delivered; send it again if it still matters",
            ])
        rig.screen.put([.interrupt])
        _ = await end.value
    }

    /// However soon it is there, and each file by its name.
    @Test func thatAFileIsThereIsToldByItsName() async throws {
        let (rig, end) = try await rig()
        let before = rig.screen.error.count
        rig.tell(
            .privateProgress(Samples.progress(7, .delivered, peer: 3, file: "map.pdf")),
            .privateProgress(Samples.progress(8, .delivered, peer: 3, file: "\u{202E}plan.pdf")))
        try await rig.until("it is reported") { rig.screen.error.count == before + 2 }
        #expect(rig.screen.error.dropFirst(before).first == "* carol has map.pdf")
        #expect(rig.screen.error.last?.contains("\u{202E}") == false)
        #expect(rig.screen.error.last?.hasSuffix("plan.pdf") == true)
        rig.screen.put([.interrupt])
        _ = await end.value
    }

    /// Two tasks of the chat update what the prompt and Tab know.
    @Test func anOlderContextDoesNotTakeEffectAfterANewerOne() async throws {
        let rig = try ChatRig(answering: Self.answering(try past()))
        let end = Task { await rig.run() }
        let (screen, begins) = (rig.screen, Signal())
        @Sendable func knowsCarol(_ context: ScreenContext) -> Bool {
            context.addressees.contains { $0.hasPrefix("carol") }
        }
        rig.screen.delayContexts { context in
            guard !context.names.isEmpty, !knowsCarol(context) else { return }
            begins.raise()
            for _ in 0..<10_000 where !knowsCarol(screen.context) { await Task.yield() }
        }
        rig.tell(try Samples.presence(2, "bob"))
        await begins.wait()
        rig.tell(.ready(try Samples.me()))
        try await rig.until("both took effect") {
            let contexts = rig.screen.contexts.filter { !$0.names.isEmpty }
            return contexts.contains(where: knowsCarol) && !contexts.allSatisfy(knowsCarol)
        }
        #expect(knowsCarol(rig.screen.context))
        rig.screen.put([.interrupt])
        _ = await end.value
    }

    @Test func whatIsGatheredIsShownAtTheEnd() async throws {
        let rig = try ChatRig(answering: Self.answering())
        rig.tell(.privateMessage(try Samples.privateMessage("hi", isLate: true)), .missed(1))
        async let end = rig.run()
        try await rig.until("it is heard") { !rig.screen.error.isEmpty }
        rig.screen.put([.endOfInput])
        #expect(await end == .done)
        #expect(rig.screen.output == ["09:30 (late) *bob* hi"])
    }

    // MARK: - Programs

    @Test func aProgramIsToldOfEverythingAsItComes() async throws {
        let rig = try ChatRig(isInteractive: false, isJSON: true, answering: Self.answering())
        async let end = rig.run()
        rig.tell(
            .privateMessage(try Samples.privateMessage("hi", isLate: true)),
            .privateProgress(Samples.progress(4, .relayed)),
            .privateProgress(Samples.progress(4, .delivered)))
        try await rig.until("it is reported") { rig.screen.output.count == 3 }
        rig.screen.put([.line("/msg bob yes"), .endOfInput])
        #expect(await end == .done)
        let bob = Self.bob.hex
        #expect(
            rig.screen.output == [
                #"{"event":"private","number":1,"peer":"\#(bob)","name":"bob","mine":false,"text":"hi","action":false,"#
                    + #""at":"2026-11-21T09:30:00.250Z","late":true,"state":"delivered"}"#,
                #"{"event":"private_state","number":4,"peer":"\#(bob)","state":"relayed"}"#,
                #"{"event":"private_state","number":4,"peer":"\#(bob)","state":"delivered"}"#,
                #"{"event":"private","number":103,"peer":"\#(bob)","name":null,"mine":true,"text":"yes","action":false,"#
                    + #""at":"2026-11-21T09:30:00.250Z","late":false,"state":"waiting"}"#,
            ])
    }

    // MARK: - On a terminal

    @Test func onATerminalItHasItsOwnColourAndRingsWhenItIsNew() throws {
        let renderer = TerminalRenderer(me: Samples.peer(1), hasColor: true) { _ in "14:54" }
        func render(_ message: PrivateMessage, isPast: Bool = false) -> Rendered {
            renderer.render(.privateMessage(message, shown: "bob", isPast: isPast))
        }
        let new = render(try Samples.privateMessage("hi"))
        #expect(new.output == ["\u{1B}[2m14:54\u{1B}[0m  \u{1B}[95m*bob*\u{1B}[0m  \u{1B}[95mhi\u{1B}[0m"] && new.rings)
        let rest = [
            render(try Samples.privateMessage("hi", isLate: true)),
            render(try Samples.privateMessage("hi"), isPast: true),
            render(try Samples.privateMessage("hi", isMine: true, state: .delivered)),
        ]
        #expect(rest.allSatisfy { !$0.rings })
        #expect(rest[0].output[0].contains("(late)") && rest[2].output[0].contains("✓"))
    }
}
