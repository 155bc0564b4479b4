import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// A chat from its first line to its last.
@Suite(.timeLimit(.minutes(10)))
struct ChatFrontTests {
    @Test func linesAreSaidInOrderAndConfirmedBeforeTheEnd() async throws {
        let rig = try ChatRig(isInteractive: false)
        let end = await rig.run(typing: ["one", "", "  ", "//two", "/me waves"])
        let lobby = try RoomName("#lobby")
        #expect(end == .done)
        #expect(
            await rig.node.requests == [
                Say("one", style: .says, room: lobby, audience: .everybody),
                Say("/two", style: .says, room: lobby, audience: .everybody),
                Say("waves", style: .acts, room: lobby, audience: .everybody), Flush(timeout: .zero),
            ])
        #expect(rig.screen.hasLeft && rig.screen.shown.isEmpty)
    }

    @Test func whatIsHeardIsShown() async throws {
        let rig = try ChatRig()
        async let end = rig.run()
        rig.tell(
            .ready(try Samples.me()), try Samples.presence(2, "bob"), .message(try Samples.message("hi")),
            .message(try Samples.message("there", room: "#park")), .missed(2))
        try await rig.until("the last event is shown") { rig.screen.error.count == 3 }
        #expect(rig.screen.output == ["<bob> hi", "#park <bob> there"])
        #expect(rig.screen.error[1] == "* bob is here, 2 hops away")
        try await rig.until("bob can be completed") { rig.screen.context.names == ["bob"] }
        rig.screen.type("/quit")
        #expect(await end == .done)
    }

    @Test func quitConfirmsAndSaysNothingMore() async throws {
        let rig = try ChatRig(isInteractive: false)
        #expect(await rig.run(typing: ["one", "/quit", "two"]) == .done)
        #expect(await rig.said() == ["one"])
        #expect(await rig.node.requests.last == AnyHashable(Flush(timeout: .zero)))
    }

    @Test func theTimeoutIsAlsoThatOfTheFarewell() async throws {
        let rig = try ChatRig(isInteractive: false, timeout: .seconds(3))
        #expect(await rig.run(typing: []) == .done)
        #expect(await rig.node.requests == [Flush(timeout: .seconds(3))])
    }

    @Test func aPersonAloneIsNotKeptWaiting() async throws {
        let rig = try ChatRig { request throws(RequestError) in
            if request is Flush { return Flush.Reply(unconfirmed: 1) }
            return try await FakeNode.obliging(request)
        }
        #expect(await rig.run(typing: ["hi", "/quit"]) == .nobodyThere)
        #expect(await rig.node.requests.last == AnyHashable(Flush(timeout: .zero, lines: [RecordID(.zero)])))
        #expect(
            rig.screen.error == [
                "lattice: 1 line reached nobody: no peer was connected. It is stored, and sent when a peer connects."
            ])
    }

    @Test func ctrlCEndsWithoutAFarewell() async throws {
        let rig = try ChatRig()
        #expect(await rig.run(typing: ["one"], andThen: .interrupt) == .done)
        #expect(await rig.said() == ["one"])
        #expect(await rig.node.requests.count == 1)
        #expect(rig.screen.hasLeft)
    }

    @Test func aSignalEndsTheChat() async throws {
        let rig = try ChatRig()
        rig.interrupt()
        #expect(await rig.run() == .done)
        #expect(rig.screen.hasLeft)
    }

    @Test func theNodesEndIsNotTheChatsEnd() async throws {
        let rig = try ChatRig()
        async let end = rig.run()
        rig.tell(.message(try Samples.message("hi")))
        try await rig.until("the line is shown") { !rig.screen.output.isEmpty }
        rig.screen.put([.endOfInput])
        #expect(await end == .done)
    }

    // MARK: - Lines that nobody takes

    @Test func linesThatReachNobodyAreToldOf() async throws {
        for (count, words, fate) in [(1, "1 line", "It is"), (3, "3 lines", "They are")] {
            let rig = try ChatRig(isInteractive: false) { request throws(RequestError) in
                if request is Flush { return Flush.Reply(unconfirmed: count) }
                return try await FakeNode.obliging(request)
            }
            #expect(await rig.run(typing: ["hi"]) == .nobodyThere)
            #expect(
                rig.screen.error == [
                    "lattice: \(words) reached nobody: no peer was connected. \(fate) stored, and sent when a peer connects."
                        + " Start with --wait 1 to hold input until a peer is connected."
                ])
        }
    }

    @Test func linesThatNobodyConfirmsAreAFailure() async throws {
        let rig = try ChatRig { request throws(RequestError) in
            if request is Flush { return Flush.Reply(unconfirmed: 2) }
            return try await FakeNode.obliging(request)
        }
        rig.tell(try Samples.linked(2, "bob"))
        async let end = rig.run()
        try await rig.until("the link is shown") { !rig.screen.error.isEmpty }
        rig.screen.put([.line("hi"), .endOfInput])
        #expect(await end == .failed)
        #expect(rig.screen.error.last == "lattice: 2 lines went out, but no peer confirmed in time.")
    }

    @Test func aNodeThatStoppedIsAFailure() async throws {
        let rig = try ChatRig { _ throws(RequestError) in
            throw RequestError.other(code: .stopped, message: "the node has stopped")
        }
        #expect(await rig.run(typing: []) == .failed)
    }

    @Test func aPersonIsToldOnceThatLinesWait() async throws {
        let rig = try ChatRig { request throws(RequestError) in
            if request is Say { return Say.Reply(RecordID(.zero), isWaiting: true) }
            return try await FakeNode.obliging(request)
        }
        let told =
            "* Nobody is connected yet. Your messages are stored and sent when somebody connects."
        async let end = rig.run()
        rig.screen.type("one", "two")
        try await rig.until("both are said") { await rig.said() == ["one", "two"] }
        try await rig.until("it is shown") { rig.screen.error == [told] }
        rig.tell(try Samples.linked(2, "bob"), try Samples.linked(2, "bob", .notConnected, reason: "they left"))
        try await rig.until("the end of the link is shown") { rig.screen.error.count == 3 }
        rig.screen.type("three", "/quit")
        #expect(await end == .done)
        #expect(rig.screen.error == [told, "* bob is connected", "* bob is not connected: they left", told])
    }

    // MARK: - Lines that are refused

    @Test(arguments: [true, false])
    func aRefusedLineIsAFailureOnlyOfAScript(isInteractive: Bool) async throws {
        let rig = try ChatRig(isInteractive: isInteractive)
        rig.screen.put([.refused(code: "lineTooLong", "too long"), .line("short"), .endOfInput])
        #expect(await rig.run() == (isInteractive ? .done : .failed))
        #expect(rig.screen.error == ["lattice: too long"])
        #expect(await rig.said() == ["short"])
    }

    @Test(arguments: [true, false])
    func aLineThatTheNodeRefusesIsAFailureOnlyOfAScript(isInteractive: Bool) async throws {
        let rig = try ChatRig(isInteractive: isInteractive) { request throws(RequestError) in
            if (request as? Say)?.text == "one" {
                throw RequestError.other(code: .outboxFull, message: "no more are kept")
            }
            return try await FakeNode.obliging(request)
        }
        #expect(await rig.run(typing: ["one", "two"]) == (isInteractive ? .done : .failed))
        #expect(rig.screen.error == ["lattice: no more are kept"])
        #expect(await rig.said() == ["one", "two"])
    }

    @Test func nobodyThereSaysMoreThanFailed() async throws {
        let rig = try ChatRig(isInteractive: false) { request throws(RequestError) in
            if request is Flush { return Flush.Reply(unconfirmed: 1) }
            return try await FakeNode.obliging(request)
        }
        rig.screen.put([.refused(code: "notUTF8", "no"), .line("hi"), .endOfInput])
        #expect(await rig.run() == .nobodyThere)
    }

    // MARK: - Output that nobody reads

    @Test func aClosedOutputEndsTheChatWhenSomethingIsHeard() async throws {
        let rig = try ChatRig()
        rig.screen.close()
        rig.tell(.message(try Samples.message("hi")))
        #expect(await rig.run() == .outputClosed)
        #expect(rig.screen.hasLeft)
    }

    @Test(arguments: ["/rooms", "/xyzzy", "/nick eve"])
    func aClosedOutputEndsTheChatWhenSomethingIsAnswered(line: String) async throws {
        let rig = try ChatRig()
        rig.screen.close()
        #expect(await rig.run(typing: [line]) == .outputClosed)
    }

    @Test func exitCodesAreThoseOfSysexits() {
        let codes: [(ChatEnd, Int32)] = [
            (.done, 0), (.failed, 1), (.outputClosed, 1), (.nobodyThere, 69), (.timedOut, 75),
        ]
        for (end, code) in codes { #expect(end.exitCode == code) }
    }
}
