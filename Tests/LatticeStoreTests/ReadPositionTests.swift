import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// How far personas have read.
@Suite struct ReadPositionTests {
    private let folder: Folder
    private let anna: Author
    private let bert: Author
    private let carl: Author
    private let store: Store
    private static let park = "#park"

    init() throws {
        folder = try Folder()
        (anna, bert, carl) = (try Author(1), try Author(2), try Author(3))
        store = try folder.store(of: anna)
    }

    private func line(_ text: String, by author: Author, at second: Int64 = 0, in room: String = Self.park)
        -> VerifiedRecord
    {
        author.say(
            .chat, topic: Array(room.utf8), body: ChatLine(style: .says, name: author.name, text: text).body,
            at: Morning.milliseconds + second * 1_000)
    }

    private func take(_ lines: VerifiedRecord...) async throws {
        _ = try await store.insert(lines, at: Morning.arrival)
    }

    private func conversation(_ room: String = Self.park) throws -> StoredConversation {
        .publicRoom(try RoomName(room))
    }

    private func unread(
        _ room: String = Self.park, in reader: Store? = nil, except authors: Set<PeerID> = [],
        at now: WallTime = Morning.arrival
    ) async throws -> UnreadLines {
        let reading = (reader ?? store).reading
        return try await reading.unread([try conversation(room)], except: authors, at: now)[0]
    }

    @Test func whatArrivesAfterOneReadIsUnreadHoweverOldItIs() async throws {
        try await take(
            line("first", by: bert, at: 10), line("mine", by: anna, at: 11), line("second", by: carl, at: 12))
        #expect(try await Set(unread().texts) == ["first", "second"])
        #expect(try await store.reading.mark(conversation(), upTo: nil))
        #expect(try await unread() == UnreadLines())
        // It stands before all others.
        try await take(line("late", by: bert, at: 1))
        #expect(try await unread().texts == ["late"])
        #expect(try await unread("#lobby") == UnreadLines())
    }

    @Test func aPositionNeverMovesBack() async throws {
        let lines = (1...3).map { line("\($0)", by: bert, at: Int64($0)) }
        for one in lines { try await take(one) }
        #expect(try await store.reading.mark(conversation(), upTo: lines[1].id))
        #expect(try await unread().texts == ["3"])
        for earlier in [lines[0].id, lines[1].id] {
            #expect(try await !store.reading.mark(conversation(), upTo: earlier))
        }
        // A line of another room, and one that is not here.
        let other = line("elsewhere", by: bert, in: "#lobby")
        try await take(other)
        for stranger in [other.id, line("not here", by: bert).id] {
            #expect(try await !store.reading.mark(conversation(), upTo: stranger))
        }
        #expect(try await unread().texts == ["3"])
    }

    @Test func eachPersonaHasPositionsOfItsOwn() async throws {
        let visitor = store.of(bert.peer)
        try await take(line("by anna", by: anna), line("by bert", by: bert))
        #expect(try await store.reading.mark(conversation(), upTo: nil))
        #expect(try await unread(in: visitor).texts == ["by anna"])
        #expect(try await visitor.reading.mark(conversation(), upTo: nil))
        try await take(line("by carl", by: carl))
        #expect(try await unread(in: visitor).texts == ["by carl"])
        #expect(try await unread(except: [carl.peer]) == UnreadLines())
    }

    @Test func expiredAndDeletedLinesDoNotCount() async throws {
        let gone = line("taken back", by: bert)
        try await take(gone, line("stays", by: bert))
        try await take(bert.delete(gone.id))
        #expect(try await unread().texts == ["stays"])
        #expect(try await unread(at: Morning.after(seconds: 100_000)) == UnreadLines())
    }

    @Test func filedAndUnfiledLinesCount() async throws {
        try await take(line("one", by: bert))
        _ = try await store.upkeep.rebuild(at: Morning.arrival)
        try await take(line("two", by: bert))
        #expect(try await unread().texts == ["two", "one"])
    }

    @Test func nobodyCountsMoreThanAThousandLines() async throws {
        let count = ReadPositionTable.linesMax
        _ = try await store.insert((1...count).map { line("\($0)", by: bert) }, at: Morning.arrival)
        #expect(try await unread().texts.count == count)
        #expect(try await !unread().hasMore)
        try await take(line("one more", by: bert))
        let lines = try await unread()
        #expect(lines.texts.count == count && lines.hasMore && lines.texts.first == "one more")
    }

    @Test func linesOfThoseWhoDoNotCountAreLookedAtSoFar() async throws {
        let most = ReadPositionTable.examinedMax
        _ = try await store.insert((0...most).map { line("\($0)", by: carl) }, at: Morning.arrival)
        #expect(try await unread(except: [carl.peer]) == UnreadLines(texts: [], hasMore: true))
        try await take(line("heard", by: bert))
        #expect(try await unread(except: [carl.peer]) == UnreadLines(texts: ["heard"], hasMore: true))
    }

    @Test func positionsThatMovedLongestAgoGoFirst() async throws {
        let most = ReadPositionTable.positionsMax
        for number in 0...most {
            let room = "#room-\(number)"
            try await take(line("here", by: bert, in: room))
            #expect(try await store.reading.mark(conversation(room), upTo: nil))
        }
        #expect(try await unread("#room-0").texts == ["here"])
        #expect(try await unread("#room-1") == UnreadLines())
        #expect(try await unread("#room-\(most)") == UnreadLines())
    }

    @Test func privateMessagesAreUnreadByPeer() async throws {
        for author in [bert, carl] {
            let message = NewMessage(peer: author.peer, name: author.name, text: "mine", isAction: false)
            _ = try await store.messages.keep(
                message, at: Morning.arrival, expires: Morning.after(seconds: 100), unsealedMax: 10, writer: 1)
        }
        #expect(try await store.reading.unreadPeers() == [carl.peer, bert.peer])
        let peers = [carl, bert].map { StoredConversation.peer($0.peer) }
        let unread = try await store.reading.unread(peers, except: [], at: Morning.arrival)
        #expect(unread == [UnreadLines(), UnreadLines()], "own messages do not count")
        #expect(try await store.reading.mark(peers[1], upTo: nil))
        #expect(try await store.reading.unreadPeers() == [carl.peer])
        #expect(try await store.of(carl.peer).reading.unreadPeers().isEmpty)
    }

    @Test func aPrivateRoomThatIsNotHereIsReadAlready() async throws {
        let room = StoredConversation.privateRoom(try RoomName("#den"))
        #expect(try await !store.reading.mark(room, upTo: nil))
        #expect(try await store.reading.unread([room], except: [], at: Morning.arrival) == [UnreadLines()])
    }
}
