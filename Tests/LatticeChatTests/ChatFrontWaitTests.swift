import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// Input that is held until enough peers are connected.
@Suite(.timeLimit(.minutes(10)))
struct ChatFrontWaitTests {
    @Test func inputIsHeldUntilEnoughPeersAreConnected() async throws {
        let rig = try ChatRig(waitCount: 2)
        async let end = rig.run(typing: ["one", "two"])
        rig.tell(
            try Samples.linked(2, "bob"), try Samples.linked(2, "bob"), try Samples.linked(3, "carol", .connecting))
        rig.tell(.missed(1))
        try await rig.until("the events are shown") { rig.screen.error.count == 4 }
        #expect(await rig.node.requests.isEmpty)
        rig.tell(try Samples.linked(3, "carol"))
        #expect(await end == .done)
        #expect(await rig.said() == ["one", "two"])
    }

    @Test func onceReleasedItIsNotHeldAgain() async throws {
        let rig = try ChatRig(waitCount: 1)
        async let end = rig.run()
        rig.tell(try Samples.linked(2, "bob"), try Samples.linked(2, "bob", .notConnected))
        try await rig.until("the events are shown") { rig.screen.error.count == 2 }
        rig.screen.put([.line("one"), .endOfInput])
        #expect(await end == .done)
        #expect(await rig.said() == ["one"])
    }

    @Test func whenTheWaitTakesTooLongTheChatEnds() async throws {
        let rig = try ChatRig(waitCount: 2, timeout: .milliseconds(50))
        rig.tell(try Samples.linked(2, "bob"))
        #expect(await rig.run(typing: ["one"]) == .timedOut)
        #expect(await rig.node.requests.isEmpty)
        #expect(rig.screen.hasLeft)
        let told = try #require(rig.screen.error.last)
        #expect(
            told.hasPrefix("lattice: Only ") && told.hasSuffix(" of 2 peers connected within 0 s; try again later."))
    }

    @Test func theTimeoutEndsNoChatWhoseWaitWasMet() async throws {
        let rig = try ChatRig(waitCount: 1, timeout: .milliseconds(1))
        rig.tell(try Samples.linked(2, "bob"))
        async let end = rig.run()
        try await rig.until("the link is shown") { !rig.screen.error.isEmpty }
        // If the wait had ended too late, the message would be here by now.
        guard !rig.screen.error.contains(where: { $0.contains("peers were connected") }) else {
            #expect(await end == .timedOut)
            return
        }
        rig.screen.put([.endOfInput])
        _ = await end
    }

    @Test func aLongTimeoutHoldsNobodyWhoLeaves() async throws {
        let rig = try ChatRig(waitCount: 1, timeout: .seconds(86_400))
        rig.tell(try Samples.linked(2, "bob"))
        #expect(await rig.run(typing: ["/quit"]) == .done)
    }

    @Test func aClosedOutputEndsTheWait() async throws {
        let rig = try ChatRig(waitCount: 2)
        rig.screen.close()
        rig.tell(try Samples.linked(2, "bob"))
        #expect(await rig.run(typing: ["one"]) == .outputClosed)
        #expect(await rig.node.requests.isEmpty)
    }

    @Test func aSignalEndsTheWait() async throws {
        let rig = try ChatRig(waitCount: 1)
        rig.interrupt()
        #expect(await rig.run(typing: ["one"]) == .done)
        #expect(await rig.node.requests.isEmpty)
    }

    /// On a terminal Ctrl-C is a key like others, so somebody has to read it.
    @Test func ctrlCEndsTheWait() async throws {
        let rig = try ChatRig(waitCount: 1)
        rig.screen.type("one")
        #expect(await rig.run(typing: ["two"], andThen: .interrupt) == .done)
        #expect(await rig.node.requests.isEmpty)
    }

    @Test func whoQuitsWhileLinesAreHeldHearsOfThem() async throws {
        let rig = try ChatRig(waitCount: 1)
        #expect(await rig.run(typing: ["one", "/quit"]) == .done)
        #expect(await rig.node.requests.isEmpty)
        #expect(
            (rig.screen.output + rig.screen.error).contains {
                $0.contains("What you type waits until a peer is connected")
            })
        #expect(rig.screen.error.contains { $0.contains("was not sent or stored") })
    }

    @Test func theEndOfInputLeavesIfNothingIsHeld() async throws {
        let rig = try ChatRig(waitCount: 1)
        #expect(await rig.run(typing: []) == .done)
        #expect(await rig.node.requests.isEmpty)
    }

    /// Ctrl-C after Ctrl-D.
    @Test func theEndOfInputHoldsNobodyWhoLeaves() async throws {
        let rig = try ChatRig(waitCount: 1)
        async let end = rig.run(typing: ["one"])
        try await rig.until("the line is held") {
            (rig.screen.output + rig.screen.error).contains { $0.contains("What you type waits") }
        }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        #expect(await rig.node.requests.isEmpty)
    }

    @Test func aPipeIsNotReadBeforeThePeersAreThere() async throws {
        let rig = try ChatRig(isInteractive: false, waitCount: 1)
        async let end = rig.run(typing: ["one"])
        rig.tell(.missed(1))
        try await rig.until("the event is shown") { !rig.screen.error.isEmpty }
        #expect(rig.screen.unreadCount == 2)
        rig.tell(try Samples.linked(2, "bob"))
        #expect(await end == .done)
        #expect(await rig.said() == ["one"])
    }

    /// A chat in a pipe whose only peer leaves while the first of three lines is being said. The others are read then.
    private func rigLeftAlone() async throws -> (rig: ChatRig, letGo: @Sendable () -> Void) {
        let (saying, isSaid) = AsyncStream<Void>.makeStream()
        let rig = try ChatRig(isInteractive: false, waitCount: 1) { request throws(RequestError) in
            if (request as? Say)?.text == "one" {
                for await _ in saying { break }
            }
            return try await FakeNode.obliging(request)
        }
        rig.screen.type("one")
        rig.tell(try Samples.linked(2, "bob"))
        return (
            rig,
            {
                rig.screen.type("two", "three")
                isSaid.yield()
            }
        )
    }

    @Test func aPipeIsHeldAgainWhenEverybodyLeft() async throws {
        let (rig, letGo) = try await rigLeftAlone()
        async let end = rig.run()
        try await rig.until("the first line is being said") { await rig.said() == ["one"] }
        rig.tell(try Samples.linked(2, "bob", .notConnected))
        try await rig.until("the end of the link is shown") { rig.screen.error.count == 2 }
        letGo()
        rig.tell(.missed(1))
        try await rig.until("the event is shown") { rig.screen.error.count == 3 }
        #expect(await rig.said() == ["one"])
        rig.tell(try Samples.linked(3, "carol"))
        try await rig.until("the others are said") { await rig.said() == ["one", "two", "three"] }
        rig.screen.put([.endOfInput])
        #expect(await end == .done)
    }

    @Test func aSignalEndsTheSecondWaitAndSaysNothingMore() async throws {
        let (rig, letGo) = try await rigLeftAlone()
        async let end = rig.run()
        try await rig.until("the first line is being said") { await rig.said() == ["one"] }
        rig.tell(try Samples.linked(2, "bob", .notConnected))
        try await rig.until("the end of the link is shown") { rig.screen.error.count == 2 }
        letGo()
        rig.interrupt()
        #expect(await end == .done)
        #expect(await rig.said() == ["one"])
    }

    @Test func whatIsTypedAheadIsKeptInOrderAndReadToALimit() async throws {
        let rig = try ChatRig(waitCount: 1)
        let lines = (1...5_000).map { "line \($0)" }
        for start in stride(from: 0, to: lines.count, by: 10) {
            rig.screen.put(lines[start..<start + 10].map { .line($0) })
        }
        async let end = rig.run()
        try await rig.until("a thousand lines are read") { rig.screen.unreadCount == 4_000 }
        rig.tell(.missed(1))
        try await rig.until("the event is shown") { !rig.screen.error.isEmpty }
        #expect(rig.screen.unreadCount == 4_000)
        rig.tell(try Samples.linked(2, "bob"))
        try await rig.until("all is said") { await rig.node.requests.count == lines.count }
        #expect(await rig.said() == lines)
        rig.screen.put([.endOfInput])
        #expect(await end == .done)
    }
}
