import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeChat

/// `/away`, `/back` and idle times in the chat.
@Suite(.timeLimit(.minutes(10))) struct AwayTests {
    private func rig(missed: Int = 0) throws -> ChatRig {
        try ChatRig { request throws(RequestError) in
            guard let away = request as? SetAway else { return try await FakeNode.obliging(request) }
            return SetAway.Reply(away.text, missed: away.text == nil ? missed : 0)
        }
    }

    @Test func backShowsHowManyNotificationsIMissed() async throws {
        let rig = try rig(missed: 3)
        async let end = rig.run()
        rig.screen.put(
            ["/away at lunch", "one", "two", "/back", "three", "/away " + String(repeating: "a", count: 201)].map {
                .line($0)
            } + [.interrupt])
        #expect(await end == .done)
        #expect(
            rig.screen.error == [
                "You are away: at lunch. Only urgent messages ring. Type /back when you return.",
                "* You are still marked as away. Type /back when you return.", "You are back.",
                "3 notifications while you were away; /notifications lists them",
                "lattice: /away takes a text of at most 200 bytes; make it shorter.",
            ])
        let asked = await rig.node.requests.compactMap { $0.base as? SetAway }
        #expect(asked == [SetAway("at lunch"), SetAway(nil)])
    }

    @Test func onlyUrgentMessagesRingWhileIAmAway() async throws {
        func rings(isUrgent: Bool, away: String?) async throws -> Bool {
            var me = try Samples.me()
            me.away = away
            let screen = FakeScreen()
            let desk = ChatDesk(
                node: FakeNode(FakeNode.obliging), me: me, screen: screen,
                renderer: TerminalRenderer(me: me.id, hasColor: false) { _ in "12:00" },
                settings: ChatSettings(room: try RoomName("#lobby"), isInteractive: true, now: { Samples.at }))
            var line = try Samples.message("alice: look")
            line.isUrgent = isUrgent
            try await desk.show(.message(line, shown: "bob", isCurrentRoom: true, isMention: true))
            let shown = try #require(screen.shown.last)
            #expect(!shown.output.isEmpty && shown.rings == (shown.alert != nil))
            return shown.rings
        }
        #expect(try await rings(isUrgent: false, away: nil))
        #expect(try await !rings(isUrgent: false, away: ""))
        #expect(try await rings(isUrgent: true, away: "at lunch"))
    }

    @Test func listsShowWhoIsAwayOrIdle() throws {
        var conversation = Conversation(me: try Samples.me())
        let (lobby, bob) = (try RoomName("#lobby"), Samples.peer(2))
        _ = conversation.heard(
            .presence(
                PresenceChange(
                    id: bob, name: try PeerName("bob"), isHere: true, rooms: [lobby], hops: 1, away: "at lunch")))
        let peers = [
            PeerInfo(id: bob, prefix: nil, name: "bob", state: .connected, isHere: true, idle: .seconds(750))
        ]
        let states = conversation.states(in: lobby, peers)
        #expect(conversation.awayText(of: bob) == "at lunch")
        #expect(states.map(\.words) == ["away: at lunch, idle 12 min"])
        let names = ChatItem.Reply.names(lobby, conversation.names(in: lobby), states: states)
        #expect(Phrases.reply(names) == ["#lobby: alice, bob (away: at lunch, idle 12 min)"])
        #expect(AwayPhrases.state(away: nil, idle: .seconds(299)) == nil)
        #expect(AwayPhrases.state(away: "", idle: nil) == "away")
        _ = conversation.heard(
            .presence(PresenceChange(id: bob, name: try PeerName("bob"), isHere: true, rooms: [lobby], hops: 1)))
        #expect(conversation.states(in: lobby, []).isEmpty)
        let peer = PeerInfo(
            id: bob, prefix: nil, name: "bob", state: .connected, hops: 1, isHere: true, away: "at lunch",
            idle: .seconds(60))
        #expect(PeerTable.details(peer, "bob").contains("  away: at lunch"))
        #expect(PeerTable.lines([peer], ["bob"])[1].hasSuffix("(away: at lunch)"))
    }
}
