import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire
import Testing

/// The store in the order in which it was written.
@Suite struct FeedReaderTests {
    let folder: Folder
    let anna: Author
    let bert: Author
    let store: Store

    init() throws {
        folder = try Folder()
        anna = try Author(1)
        bert = try Author(2)
        store = try folder.store(of: anna)
    }

    private func insert(_ records: [VerifiedRecord], via: RecordCarrier = .mesh) async throws {
        _ = try await store.insert(records.map { IncomingRecord($0, via: via) }, at: Morning.arrival)
    }

    private func line(_ text: String, in room: String) throws -> VerifiedRecord {
        let body = ChatLine(style: .says, name: try PeerName("bert"), text: text).body
        return bert.say(.chat, topic: Array(room.utf8), body: body)
    }

    private func start() async throws -> FeedMark {
        FeedMark(epoch: try await store.feed.top().epoch, seq: 0)
    }

    private func all(_ filter: FeedFilter = FeedFilter()) async throws -> [RecordID] {
        let page = try await store.feed.page(
            after: try await start(), countMax: 1_000, bytesMax: 1 << 20, where: filter, at: Morning.arrival)
        return try #require(page).records.map(\.id)
    }

    @Test func recordsComeInOrderAPortionAtATime() async throws {
        let posts = (0..<5).map { bert.post("post \($0)") }
        try await insert(posts)
        var (mark, found) = (try await start(), [RecordID]())
        while true {
            let page = try #require(
                try await store.feed.page(
                    after: mark, countMax: 2, bytesMax: 1 << 20, where: FeedFilter(), at: Morning.arrival))
            found += page.records.map(\.id)
            #expect(page.records.count <= 2 && page.isTop == (found.count == 5))
            mark = page.mark
            if page.isTop { break }
        }
        #expect(found == posts.map(\.id))
        #expect(try await store.feed.top() == mark)
        let bytes = try #require(
            try await store.feed.page(
                after: try await start(), countMax: 9, bytesMax: 1, where: FeedFilter(), at: Morning.arrival))
        #expect(bytes.records.map(\.bytes) == [posts[0].signed.bytes], "one at least, however long it is")
    }

    @Test func whatIsLeftIsCountedAsItWouldBeRead() async throws {
        try await insert((0..<5).map { bert.post("post \($0)") } + [anna.post("mine"), anna.crossing([])])
        try await insert([anna.post("from elsewhere")], via: .nats)
        let start = try await start()
        func count(_ filter: FeedFilter, after mark: FeedMark? = nil, rowsMax: Int = 100) async throws -> FeedCount? {
            try await store.feed.count(
                after: mark ?? start, where: filter, at: Morning.arrival, rowsMax: rowsMax)
        }
        let crossing = FeedFilter(notVia: .nats, crossing: true)
        let whole = try await count(crossing)
        #expect(whole == FeedCount(count: try await all(crossing).count, isMore: false) && whole?.count == 2)
        #expect(try await count(FeedFilter()) == FeedCount(count: 8, isMore: false))
        #expect(try await count(FeedFilter(), rowsMax: 3) == FeedCount(count: 3, isMore: true))
        #expect(try await count(FeedFilter(), after: try await store.feed.top()) == FeedCount(count: 0, isMore: false))
        #expect(try await count(FeedFilter(), after: FeedMark(epoch: "other", seq: 0)) == nil)
    }

    @Test func aKindAndTheWayItCameAreSelected() async throws {
        let (post, said) = (bert.post("hello"), try line("hi", in: "#park"))
        try await insert([post], via: .nats)
        try await insert([said], via: .other)
        #expect(try await all(FeedFilter(kinds: [.post])) == [post.id])
        #expect(try await all(FeedFilter(kinds: [])) == [])
        #expect(try await all(FeedFilter(notVia: .nats)) == [said.id])
        #expect(try await all(FeedFilter(notVia: .mqtt)) == [post.id, said.id])
    }

    @Test func aRoomSelectsItsLinesAndWhatIsAboutThem() async throws {
        let (park, lobby, post) = (try line("hi", in: "#park"), try line("ho", in: "#lobby"), bert.post("bench"))
        let likes = [park, lobby].map { anna.react("👍", to: $0.id) }
        let gone = [park, lobby].map { bert.say(.deletion, topic: Array($0.id.hash.bytes), body: []) }
        try await insert([park, lobby, post] + likes)
        #expect(try await all(FeedFilter(rooms: [try RoomName("#park")])) == [park.id, post.id, likes[0].id])
        try await insert(gone)
        let left = try await all(FeedFilter(rooms: [try RoomName("#park")]))
        #expect(
            left.first == post.id && left.last == gone[0].id && !left.contains(park.id) && !left.contains(gone[1].id),
            "a deletion is a record, and what it erased is not")
    }

    @Test func aCircleSelectsItsPostsAndWhatIsAboutThem() async throws {
        let (post, said) = (bert.post("bench"), try line("hi", in: "#park"))
        let like = anna.like(post.id)
        try await insert([post, said, like])
        let here = Morning.place.coordinate
        let there = try #require(Coordinate(latitude: -here.latitude, longitude: here.longitude))
        let inside = FeedFilter(near: Circle(centre: here, radius: 100))
        #expect(try await all(inside) == [post.id, said.id, like.id])
        #expect(try await all(FeedFilter(near: Circle(centre: there, radius: 100))) == [said.id])
    }

    @Test func anotherFileHasNoSuchPosition() async throws {
        try await insert([bert.post("one")])
        let top = try await store.feed.top()
        for mark in [
            FeedMark(epoch: "another", seq: 0), FeedMark(epoch: top.epoch, seq: top.seq + 1),
            FeedMark(epoch: top.epoch, seq: -1),
        ] {
            let page = try await store.feed.page(
                after: mark, countMax: 1, bytesMax: 1, where: FeedFilter(), at: Morning.arrival)
            #expect(page == nil)
        }
        let other = try Folder()
        #expect(try await other.store(of: anna).feed.top().epoch != top.epoch)
    }

    @Test func placesTellWhatIsHereAndWhatWasErased() async throws {
        let (kept, gone) = (bert.post("kept"), bert.post("gone"))
        try await insert([kept, gone, bert.say(.deletion, topic: Array(gone.id.hash.bytes), body: [])])
        let (places, top) = try await store.feed.places(of: [kept.id, gone.id, RecordID(.zero)])
        #expect(places[kept.id]?.isErased == false && places[gone.id]?.isErased == true && places.count == 2)
        #expect(top.seq >= 3)
    }
}
