import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

@testable import LatticeStore

/// What may cross bridges, by the word of each author.
@Suite struct CrossingTests {
    private let folder: Folder
    private let anna: Author
    private let bert: Author
    private let store: Store

    init() throws {
        folder = try Folder()
        (anna, bert) = (try Author(1), try Author(2))
        store = try folder.store(of: anna)
    }

    @discardableResult
    private func insert(_ records: [VerifiedRecord], at now: WallTime = Morning.arrival) async throws
        -> [InsertOutcome]
    {
        try await store.insert(records, at: now)
    }

    /// The records of the feed that may cross, without those about crossing.
    private func crossing(
        by authors: [Author]? = nil, _ filter: FeedFilter = FeedFilter(crossing: true),
        at now: WallTime = Morning.arrival
    ) async throws -> [RecordID] {
        let start = FeedMark(epoch: try await store.feed.top().epoch, seq: 0)
        let page = try await store.feed.page(after: start, countMax: 1_000, bytesMax: 1 << 20, where: filter, at: now)
        return try #require(page).records.filter { record in
            let record = try SignedRecord(decoding: record.bytes[...]).record
            return record.kind != .crossing && authors?.contains { $0.peer == record.author } ?? true
        }.map(\.id)
    }

    private func manifest(_ topic: [UInt8], by author: Author, _ number: UInt64 = 1) throws -> VerifiedRecord {
        let blob = try #require(BlobName(root: Bytes32(words: (number, 2, 3, 4)), size: 100))
        return author.say(
            .manifest, topic: topic,
            body: ManifestBody(blob, name: try #require(FileName("a.txt")), type: .unknown).body)
    }

    private func line(_ text: String, by author: Author, in room: String) -> VerifiedRecord {
        author.say(.chat, topic: Array(room.utf8), body: author.lineBody(text))
    }

    private func residence(of author: Author) -> VerifiedRecord {
        let body = ResidenceBody(signature: [UInt8](repeating: 1, count: Record.signatureBytes)).body
        return author.say(.residence, topic: anna.peer.key.bytes, body: body)
    }

    /// One record of each kind that belongs to no room.
    private func outsideRooms(by author: Author) throws -> [VerifiedRecord] {
        let (post, event) = (author.post("bench"), author.event("picnic"))
        return [
            author.profile("hello"), post, author.comment("yes", on: post.id), author.like(post.id),
            author.follow(anna.peer), event, author.attend(event.id), author.edit(post.id, author.postBody("bank")),
            author.sealed(), author.prekeys(1), residence(of: author), author.react("👍", to: post.id),
            try manifest([], by: author), try manifest(post.id.hash.bytes, by: author, 2), author.place("Kitchen"),
            author.card("Camp"), author.say(RecordKind(rawValue: 400), body: [1]),
        ]
    }

    @Test func nothingOfAnAuthorWithoutAWordCrosses() async throws {
        try await insert(try outsideRooms(by: bert) + [bert.chat("hi"), anna.post("mine")])
        #expect(try await crossing().isEmpty)
        try await insert([bert.crossing([])])
        #expect(try await !crossing(by: [bert]).isEmpty)
        #expect(try await crossing(by: [anna]).isEmpty, "each author speaks for themselves")
        try await insert([bert.crossing(nil)])
        #expect(try await crossing().isEmpty)
    }

    @Test func whetherAnybodyLetsSomethingCrossIsKnown() async throws {
        func isAny(at now: WallTime = Morning.arrival) async throws -> Bool {
            try await store.crossings.isAnybodyCrossing(at: now)
        }
        #expect(try await !isAny())
        try await insert([anna.crossing(nil), bert.post("bench")])
        #expect(try await !isAny())
        try await insert([bert.crossing(["#park"])])
        #expect(try await isAny())
        #expect(try await !isAny(at: WallTime(milliseconds: Morning.arrival.milliseconds + 366 * 86_400_000)))
        try await insert([bert.crossing(nil)])
        #expect(try await !isAny())
    }

    @Test func everythingThatIsInNoRoomCrossesWithAWord() async throws {
        let all = try outsideRooms(by: bert)
        let presence = bert.say(
            .presence, body: Presence(isHere: true, name: bert.name, rooms: []).body)
        let outcomes = try await insert(all + [presence, bert.crossing([])])
        #expect(outcomes.enumerated().allSatisfy { $0.offset == all.count || $0.element == .added }, "\(outcomes)")
        #expect(try await crossing() == all.map(\.id))
    }

    @Test func linesCrossFromListedRoomsAlone() async throws {
        let (park, lobby) = (line("hi", by: bert, in: "#park"), line("ho", by: bert, in: "#lobby"))
        // As long as an id.
        let long = "#" + String(repeating: "x", count: 31)
        let pins = ["#park", "#lobby"].map { bert.pin(.text("at nine"), in: $0) }
        let files = try ["#park", "#lobby", long].enumerated().map {
            try manifest(Array($0.element.utf8), by: bert, UInt64($0.offset))
        }
        try await insert([park, lobby] + pins + files + [bert.crossing([])])
        #expect(try await crossing().isEmpty)
        try await insert([bert.crossing(["#park"])])
        #expect(try await crossing() == [park.id, pins[0].id, files[0].id])
        try await insert([bert.crossing(["#lobby", long])])
        #expect(try await crossing() == [lobby.id, pins[1].id, files[1].id, files[2].id])
    }

    @Test func whatIsAboutALineCrossesWithItsRoom() async throws {
        let lines = ["#park", "#lobby"].map { line("hi", by: bert, in: $0) }
        try await insert([bert.crossing(["#park"]), anna.crossing(["#park"])] + lines)
        for about in [
            { bert.edit($0, bert.lineBody("ho")) }, { anna.react("👍", to: $0) }, { anna.like($0) },
            { anna.attend($0) }, { try manifest($0.hash.bytes, by: anna, 3) },
        ] as [(RecordID) throws -> VerifiedRecord] {
            let (of, other) = (try about(lines[0].id), try about(lines[1].id))
            try await insert([of, other])
            let found = try await crossing()
            #expect(found.contains(of.id) && !found.contains(other.id), "\(of.kind)")
        }
        // A line may have crossed before its room was taken off the list.
        let deletions = lines.map { bert.delete($0.id) }
        try await insert(deletions)
        #expect(try await Set(crossing()).isSuperset(of: deletions.map(\.id)))
    }

    @Test func aKindOfALaterVersionThatIsAboutARoomCrossesWithTheRoom() async throws {
        let later = ["#park", "#lobby", ""].map { topic in
            bert.say(RecordKind(rawValue: 99), topic: Array(topic.utf8), body: [1])
        }
        try await insert([bert.crossing(["#park"])] + later)
        #expect(try await crossing() == [later[0].id, later[2].id])
    }

    @Test func whatIsAboutSomethingThatIsNotHereCrossesOnlyIfItTellsNothing() async throws {
        let nowhere = RecordID(Bytes32(words: (7, 7, 7, 7)))
        try await insert([bert.crossing([])])
        let edit = bert.edit(nowhere, bert.lineBody("ho"))
        let emoji = bert.react("👍", to: nowhere)
        let open = [bert.delete(nowhere), bert.like(nowhere), try manifest(nowhere.hash.bytes, by: bert)]
        try await insert([edit, emoji] + open)
        #expect(try await crossing() == open.map(\.id))
    }

    @Test func aChangeOfWhatAnotherWroteNeedsTheWordOfBoth() async throws {
        let (post, camp) = (anna.post("bench"), anna.place("Camp", editors: [bert.peer]))
        let comment = bert.comment("yes", on: post.id)
        let edit = bert.edit(camp.id, bert.placeBody("Camp by the lake"))
        try await insert([post, camp, comment, edit])
        let gone = anna.delete(comment.id)
        try await insert([gone, bert.crossing([])])
        // Anna has said nothing: neither her deletion nor the new words for her place cross.
        #expect(try await crossing().isEmpty)
        try await insert([anna.crossing([])])
        #expect(try await crossing() == [post.id, camp.id, edit.id, gone.id])
        try await insert([bert.crossing(nil)])
        #expect(try await crossing() == [post.id, camp.id])
    }

    /// However long it is, and whatever was replaced or changed before.
    @Test func aChainOfChangesIsNotFollowed() async throws {
        let post = bert.post("bench")
        var chain = [bert.delete(post.id)]
        for _ in 0..<50 { chain.append(bert.delete(chain[chain.count - 1].id)) }
        try await insert([bert.crossing([]), post] + chain)
        #expect(try await crossing() == [chain[0].id])
    }

    @Test func theNewestWordCountsWhenARecordIsRead() async throws {
        let post = bert.post("bench")
        let words = [bert.crossing([]), bert.crossing(nil), bert.crossing(["#park"])]
        try await insert([post, words[1]])
        #expect(try await crossing().isEmpty)
        // An older one that comes later changes nothing.
        #expect(try await insert([words[0]]) == [.superseded])
        #expect(try await crossing().isEmpty)
        #expect(try await insert([words[2]]) == [.added])
        #expect(try await crossing() == [post.id])
        // It expires, read or not.
        #expect(try await crossing(at: Morning.after(seconds: 365 * 86_400 - 1)) == [post.id])
        #expect(try await crossing(at: Morning.after(seconds: 365 * 86_400 + 1)).isEmpty)
    }

    @Test func wordsThemselvesAlwaysCross() async throws {
        let words = [bert.crossing(nil), anna.crossing(["#park"])]
        try await insert(words + [bert.post("bench")])
        let start = FeedMark(epoch: try await store.feed.top().epoch, seq: 0)
        let page = try await store.feed.page(
            after: start, countMax: 9, bytesMax: 1 << 20, where: FeedFilter(crossing: true), at: Morning.arrival)
        #expect(page?.records.map(\.id) == words.map(\.id) && page?.isTop == true)
    }

    @Test func otherFiltersHoldAsWell() async throws {
        let (post, said) = (bert.post("bench"), bert.chat("hi"))
        try await insert([bert.crossing(["#park"]), post, said])
        #expect(try await crossing(FeedFilter(kinds: [.post], crossing: true)) == [post.id])
        #expect(try await crossing(FeedFilter(rooms: [try RoomName("#lobby")], crossing: true)) == [post.id])
        #expect(try await crossing() == [post.id, said.id])
    }

    @Test func aWordIsReadBackByItsAuthorAlone() async throws {
        #expect(try await store.crossings.own(at: Morning.arrival) == nil)
        try await insert([bert.crossing(["#park"])])
        #expect(try await store.crossings.own(at: Morning.arrival) == nil)
        let berts = store.of(bert.peer)
        let word = try #require(try await berts.crossings.own(at: Morning.arrival))
        #expect(try word.body.rooms == [RoomName("#park")])
        #expect(word.date == WallTime(milliseconds: Morning.milliseconds))
        #expect(word.expires == Morning.after(seconds: 365 * 86_400))
        #expect(try await berts.crossings.own(at: word.expires) == nil)
    }

    @Test func aWordThatIsNoneIsRefused() async throws {
        let good = CrossingBody(rooms: []).body
        for record in [
            bert.say(.crossing, topic: [1], body: good), bert.say(.crossing, body: []),
            bert.say(.crossing, body: good + [0]), bert.say(.crossing, body: [2, 0]),
        ] {
            let outcome = try await insert([record]).first
            guard case .refused = outcome else {
                Issue.record("\(String(describing: outcome))")
                continue
            }
        }
    }
}

extension Author {
    /// - Parameter rooms: `nil` if nothing crosses.
    func crossing(_ rooms: [String]?) -> VerifiedRecord {
        do {
            let body = CrossingBody(rooms: try rooms?.map { try RoomName($0) })
            return say(.crossing, body: body.body, lifetimeSeconds: 31_536_000)
        } catch {
            preconditionFailure("tests name rooms: \(error)")
        }
    }
}
