import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire
import Testing

@Suite struct SelectionTests {
    private let folder: Folder
    private let anna: Author
    private let bert: Author
    private let carl: Author
    private let store: Store

    init() throws {
        folder = try Folder()
        anna = try Author(1)
        bert = try Author(2)
        carl = try Author(3)
        store = try folder.store(of: anna)
    }

    private func selected(_ selection: RecordSelection, portion: Int = 2) async throws -> [[UInt8]] {
        var found: [[UInt8]] = []
        var last: Int64 = 0
        while true {
            let records = try await store.catalogue.records(after: last, limit: portion, where: selection)
            found += records.map(\.bytes)
            guard records.count == portion, let end = records.last?.seq else { return found }
            last = end
        }
    }

    @Test func withoutAWishAllComesInPortionsAndInOrder() async throws {
        let posts = (0..<7).map { bert.post("\($0)") }
        let gone = bert.post("gone")
        _ = try await store.insert(posts + [gone], at: Morning.arrival)
        _ = try await store.insert([bert.delete(gone.id)], at: Morning.arrival)
        let all = try await selected(RecordSelection(), portion: 3)
        #expect(all.prefix(7) == posts.map(\.signed.bytes)[...])
        // The deletion goes along, what it took back does not.
        #expect(all.count == 8)
    }

    @Test func anAuthorsAndWhatIsNotOlder() async throws {
        let old = bert.post("old", at: Morning.milliseconds - 10_000)
        let new = bert.post("new", at: Morning.milliseconds + 10_000)
        _ = try await store.insert([old, carl.post("other"), new], at: Morning.arrival)
        #expect(try await selected(RecordSelection(author: bert.peer)) == [old, new].map(\.signed.bytes))
        let since = RecordSelection(author: bert.peer, since: WallTime(milliseconds: Morning.milliseconds))
        #expect(try await selected(since) == [new.signed.bytes])
        #expect(try await selected(RecordSelection(author: Author(9).peer)) == [])
    }

    @Test func aCircleHoldsWhatIsAboutWhatIsInIt() async throws {
        let here = bert.post("here")
        let far = carl.say(
            .post, body: carl.postBody("far", Morning.place(latitudeE7: 510_000_000, longitudeE7: 0)))
        let comment = carl.comment("near enough", on: here.id)
        let about = [
            here, comment, anna.like(here.id), bert.edit(here.id, bert.postBody("here still")), bert.profile("me"),
            carl.edit(comment.id, CommentBody(name: carl.name, text: "very near").body),
        ]
        let other = [far, anna.like(far.id), bert.comment("far off", on: far.id), carl.profile("far"), anna.chat("hi")]
        _ = try await store.insert(about + other, at: Morning.arrival)
        let circle = Circle(centre: Morning.place.coordinate, radius: 100)
        // Who only comments here is no author of what is here.
        #expect(try await selected(RecordSelection(items: circle)) == about.map(\.signed.bytes))
    }

    @Test func theSignedRecordsOfIdsComeInTheirOrder() async throws {
        let (first, second, never) = (bert.post("first"), bert.post("second"), bert.post("never"))
        _ = try await store.insert([first, second], at: Morning.arrival)
        #expect(try await store.catalogue.signed([second.id, never.id, first.id]) == [second.signed, first.signed])
    }
}
