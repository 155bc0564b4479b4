import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeChat

/// What the prompt of a terminal says of other conversations.
@Suite(.timeLimit(.minutes(10))) struct UnreadTests {
    private func count(_ room: String, _ lines: Int, mentions: Int = 0) throws -> UnreadCount {
        UnreadCount(.room(try RoomName(room)), lines: lines, mentions: mentions, isMore: false)
    }

    private func place(_ room: String) throws -> UnreadBoard.Place { .room(try RoomName(room)) }

    @Test func thePromptNamesThree() throws {
        var board = UnreadBoard()
        func text() -> String { board.text { $0 == Samples.peer(2) ? "carol" : "dave" } }
        #expect(text().isEmpty && board.next == nil)
        board.take([try count("#park", 2)])
        board.came(to: .peer(Samples.peer(2)), isMention: false)
        #expect(text() == "[park 2, @carol 1]")
        board.take(try count("#zoo", 2_000))
        #expect(text() == "[park 2, zoo 999+, @carol 1]")
        board.take(try count("#camp", 1))
        #expect(text() == "[3 rooms, @carol 1]")
        board.came(to: .peer(Samples.peer(3)), isMention: false)
        #expect(text() == "[3 rooms, 2 people]")
        let park = try place("#park")
        #expect(board.clear(park) == 2)
        #expect(board.clear(park) == 0)
        board.take(try count("#zoo", 0))
        #expect(text() == "[camp 1, @carol 1, @dave 1]")
    }

    @Test func mentionsComeFirstThenPeople() throws {
        var board = UnreadBoard()
        board.take([try count("#park", 9), try count("#zoo", 1, mentions: 1)])
        board.came(to: .peer(Samples.peer(2)), isMention: false)
        var order: [UnreadBoard.Place] = []
        while let next = board.next {
            order.append(next)
            board.clear(next)
        }
        let expected = try [place("#zoo"), .peer(Samples.peer(2)), place("#park")]
        #expect(order == expected)
    }

    // MARK: - In a chat

    private static let answering: FakeNode.Answering = { request throws(RequestError) in
        switch request {
        case let request as MarkRead: UnreadCount(request.conversation, lines: 0, mentions: 0, isMore: false)
        case is ListUnread: ListUnread.Reply([])
        default: try await FakeNode.obliging(request)
        }
    }

    private func rig(_ answering: @escaping FakeNode.Answering = Self.answering) throws -> ChatRig {
        try ChatRig(countsUnread: true, rooms: ["#lobby", "#park"], answering: answering)
    }

    @Test func linesOfOtherRoomsAreCountedAndMentionsShown() async throws {
        let rig = try rig()
        rig.tell(
            .message(try Samples.message("hi", room: "#park")), .message(try Samples.message("alice?", room: "#park")),
            .message(try Samples.message("here")))
        async let end = rig.run()
        try await rig.until("two lines") { rig.screen.output.count == 2 }
        try await rig.until("the prompt") { rig.screen.context.unread == "[park 2]" }
        #expect(rig.screen.output == ["#park <bob> alice?", "<bob> here"])
        let mark = MarkRead(.room(try RoomName("#lobby")))
        try await rig.until("the open room is read") { await rig.node.requests.contains(AnyHashable(mark)) }
        rig.tell(.read(try count("#park", 0)))
        try await rig.until("read elsewhere") { rig.screen.context.unread.isEmpty }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
    }

    @Test func theNextConversationOpensWhereReadingStopped() async throws {
        let lines = try ["old", "new", "newer"].enumerated().map {
            try Samples.message($1, room: "#park", at: WallTime(milliseconds: Samples.at.milliseconds - 10 + Int64($0)))
        }
        let unread = try count("#park", 2)
        let rig = try rig { request throws(RequestError) in
            switch request {
            case is ListUnread: ListUnread.Reply([unread])
            case let query as HistoryQuery:
                HistoryPage(lines: query.room.text == "#park" ? lines : [], hasMore: false)
            default: try await Self.answering(request)
            }
        }
        rig.tell(.ready(try Samples.me(rooms: ["#lobby", "#park"])))
        async let end = rig.run()
        try await rig.until("the prompt") { rig.screen.context.unread == "[park 2]" }
        rig.screen.put([.line("/next")])
        try await rig.until("all lines") { rig.screen.output.count == 3 }
        try await rig.until("the prompt is empty") { rig.screen.context.unread.isEmpty }
        let shown = rig.screen.shown.flatMap { $0.error + $0.output }
        let rule = try #require(shown.firstIndex(of: "── new ──"))
        #expect(shown[rule - 1].hasSuffix("old") && shown[rule + 1].hasSuffix("new"))
        rig.screen.put([.line("/next"), .interrupt])
        #expect(await end == .done)
        #expect(rig.screen.error.last == "Nothing is unread elsewhere.")
    }
}
