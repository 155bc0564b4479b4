import GRDB
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// Photos that posts, events and profiles name.
@Suite struct PhotoTests {
    private let folder: Folder
    private let store: Store
    private let anna: Author
    private let bert: Author

    init() throws {
        folder = try Folder()
        anna = try Author(1)
        bert = try Author(2)
        store = try folder.store(of: anna)
    }

    private func insert(_ records: VerifiedRecord...) async throws {
        let outcomes = try await store.insert(records, at: Morning.arrival)
        #expect(outcomes == records.map { _ in .added })
    }

    private func blob(_ photo: BodyPhoto) async throws -> StoredBlob? { try await store.blobs.find(photo.blob) }

    private func uses(of photo: BodyPhoto) async throws -> Int64 {
        let name = photo.blob
        return try await store.access.read { database in
            try database.one(
                """
                SELECT count(*) FROM blob_use JOIN blob ON blob.seq = blob_use.blob WHERE root = ? AND size = ?
                """, BlobRows.key(name)
            ) { $0.int(0) } ?? 0
        }
    }

    private func post(_ photo: BodyPhoto?, by author: Author, lifetimeSeconds: UInt32 = 86_400) -> VerifiedRecord {
        author.say(
            .post, body: author.postBody("a bridge", Morning.place, photo), lifetimeSeconds: lifetimeSeconds)
    }

    @Test func oneListHasAllOfAnAuthorAndOneWhatHasAPhoto() async throws {
        let (withPhoto, plain) = (post(Morning.photo(1), by: bert), bert.post("no photo"))
        let event = bert.say(.event, body: bert.eventBody("picnic", Morning.photo(2)))
        let gone = post(Morning.photo(3), by: bert)
        let comment = bert.comment("look", on: withPhoto.id)
        try await insert(withPhoto, plain, event, gone, comment, post(Morning.photo(4), by: anna))
        try await insert(bert.delete(gone.id))
        func listed(onlyPhotos: Bool) async throws -> [StoredItem] {
            var all: [StoredItem] = []
            while true {
                let page = try await store.timeline.items(
                    by: bert.peer, onlyPhotos: onlyPhotos, at: Morning.arrival, limit: 2, before: all.last?.mark)
                all += page
                if page.count < 2 { return all }
            }
        }
        let all = try await listed(onlyPhotos: false)
        #expect(Set(all.map(\.id)) == [withPhoto.id, plain.id, event.id] && all.count == 3)
        #expect(all.map(\.mark) == all.map(\.mark).sorted { ($0.date, $0.seq) > ($1.date, $1.seq) })
        let photos = try await listed(onlyPhotos: true)
        #expect(photos.map(\.id) == all.map(\.id).filter { $0 != plain.id })
        let stranger = try Author(9).peer
        #expect(try await store.timeline.items(by: stranger, at: Morning.arrival, limit: 2).isEmpty)
    }

    // MARK: - Uses

    @Test func aRecordWithAPhotoIsAUseOfItAtOnce() async throws {
        let (first, second, face) = (Morning.photo(1), Morning.photo(2), Morning.photo(3))
        try await insert(
            post(first, by: bert), bert.say(.event, body: bert.eventBody("picnic", second)), bert.profile("me", face))
        for photo in [first, second, face] {
            let blob = try #require(try await blob(photo))
            #expect(blob.isShared && !blob.isUnused && !blob.isComplete)
            #expect(blob.blobClass == .strangers && blob.author == bert.peer && blob.heldBytes == 0)
        }
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }

    @Test func anOwnPhotoIsKeptWhateverTheQuota() async throws {
        let (mine, friends) = (Morning.photo(1), Morning.photo(2))
        try await insert(post(mine, by: anna), anna.follow(bert.peer), post(friends, by: bert))
        #expect(try await blob(mine)?.blobClass == .own)
        #expect(try await blob(mine)?.author == nil)
        #expect(try await blob(friends)?.blobClass == .contacts)
    }

    @Test func whatIsRefusedOrKnownIsNoUse() async throws {
        let (first, second) = (Morning.photo(1), Morning.photo(2))
        let post = post(first, by: bert)
        try await insert(post)
        #expect(try await store.insert([post], at: Morning.arrival) == [.known])
        #expect(try await uses(of: first) == 1)
        let late = self.post(second, by: bert, lifetimeSeconds: 60)
        #expect(try await store.insert([late], at: Morning.after(seconds: 7_200)) == [.expired])
        #expect(try await blob(second) == nil)
    }

    @Test func anEditMovesTheUse() async throws {
        let (first, second) = (Morning.photo(1), Morning.photo(2))
        let post = post(first, by: bert)
        try await insert(post)
        let edit = bert.edit(post.id, bert.postBody("another bridge", Morning.place, second))
        try await insert(edit)
        #expect(try await blob(first)?.isUnused == true)
        #expect(try await blob(second)?.isShared == true)
        #expect(try await store.photos.photo(of: post.id, at: Morning.arrival)?.photo == second)
        // An edit that keeps the photo.
        try await insert(bert.edit(post.id, bert.postBody("the same bridge", Morning.place, second)))
        #expect(try await uses(of: second) == 1)
        #expect(try await blob(second)?.isUnused == false)
        try await insert(bert.edit(post.id, bert.postBody("no bridge")))
        #expect(try await blob(second)?.isUnused == true)
        #expect(try await store.photos.photo(of: post.id, at: Morning.arrival) == nil)
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }

    @Test func anEditThatCameFirstAppliesAtOnce() async throws {
        let (first, second) = (Morning.photo(1), Morning.photo(2))
        let post = post(first, by: bert)
        let edit = bert.edit(post.id, bert.postBody("another bridge", Morning.place, second))
        try await insert(edit)
        #expect(try await blob(second) == nil, "it waits for the post")
        try await insert(post)
        #expect(try await blob(second)?.isShared == true)
        #expect(try await blob(first)?.isShared != true)
    }

    @Test func aDeletionEndsTheUse() async throws {
        let photo = Morning.photo(1)
        let (one, other) = (post(photo, by: bert), post(photo, by: anna))
        try await insert(one, other)
        #expect(try await uses(of: photo) == 2)
        try await insert(bert.delete(one.id))
        #expect(try await uses(of: photo) == 1)
        try await insert(anna.delete(other.id))
        #expect(try await blob(photo)?.isUnused == true)
        #expect(try await store.photos.photo(of: one.id, at: Morning.arrival) == nil)
    }

    @Test func whatExpiresEndsTheUse() async throws {
        let photo = Morning.photo(1)
        try await insert(post(photo, by: bert, lifetimeSeconds: 600))
        while try await store.upkeep.expire(at: Morning.after(seconds: 700)) > 0 {}
        #expect(try await blob(photo)?.isUnused == true)
    }

    @Test func aPlaceThatExpiresEndsTheUse() async throws {
        let photo = Morning.photo(1)
        let body = PlaceBody(author: bert.name, name: "kitchen", at: Morning.place.coordinate, photo: photo).body
        try await insert(bert.say(.place, body: body, lifetimeSeconds: 600))
        #expect(try await blob(photo)?.isUnused == false)
        while try await store.upkeep.expire(at: Morning.after(seconds: 700)) > 0 {}
        #expect(try await blob(photo)?.isUnused == true)
    }

    @Test func aNewerProfileMovesTheUse() async throws {
        let (first, second) = (Morning.photo(1, alt: "me"), Morning.photo(2))
        try await insert(bert.profile("one", first))
        #expect(try await store.photos.photo(of: bert.peer)?.photo == first)
        #expect(try await store.people.person(bert.peer, at: Morning.arrival).photo?.alt == "me")
        let later = bert.profile("two", second)
        try await insert(later)
        #expect(try await blob(first)?.isUnused == true)
        let named = NamedPhoto(photo: second, author: bert.peer, record: later.id)
        #expect(try await store.photos.photo(of: bert.peer) == named)
        try await insert(bert.profile("three"))
        #expect(try await blob(second)?.isUnused == true)
        #expect(try await store.photos.photo(of: bert.peer) == nil)
        #expect(try await store.people.person(bert.peer, at: Morning.arrival).photo == nil)
    }

    @Test func aRebuildFindsTheSameUses() async throws {
        let (first, second) = (Morning.photo(1), Morning.photo(2))
        let post = post(first, by: bert)
        try await insert(post, bert.edit(post.id, bert.postBody("x", Morning.place, second)), bert.profile("me", first))
        try await store.access.commit { try $0.database.run("DELETE FROM blob", []) }
        _ = try await store.upkeep.rebuild(at: Morning.arrival)
        #expect(try await uses(of: first) == 1)
        #expect(try await uses(of: second) == 1)
        _ = try await store.upkeep.rebuild(at: Morning.arrival)
        #expect(try await uses(of: first) == 1)
    }

    // MARK: - Reading

    @Test func listsHaveWhatThePhotoIs() async throws {
        let photo = Morning.photo(1, alt: "a broken bridge")
        let (post, plain) = (post(photo, by: bert), post(nil, by: bert))
        try await insert(post, plain)
        let item = try #require(try await store.items.item(post.id, at: Morning.arrival))
        #expect(item.photo == StoredPhoto(photo, isHere: false))
        #expect(item.photo?.alt == "a broken bridge")
        #expect(try await store.items.item(plain.id, at: Morning.arrival)?.photo == nil)
        _ = try await store.blobs.markComplete(photo.blob)
        #expect(try await store.items.item(post.id, at: Morning.arrival)?.photo == StoredPhoto(photo, isHere: true))
        let named = NamedPhoto(photo: photo, author: bert.peer, record: post.id)
        #expect(try await store.photos.photo(of: post.id, at: Morning.arrival) == named)
        #expect(try await store.photos.photo(of: post.id, at: Morning.after(seconds: 90_000)) == nil, "it has expired")
        #expect(try await store.photos.photo(of: plain.id, at: Morning.arrival) == nil)
    }

    @Test func itemsTellWhetherTheProfileOfTheirAuthorHasAPhoto() async throws {
        let (theirs, own) = (post(nil, by: bert), post(nil, by: anna))
        let comment = bert.comment("look", on: own.id)
        try await insert(theirs, own, comment)
        func sizes() async throws -> [Int64?] {
            var sizes: [Int64?] = []
            for record in [theirs, own, comment] {
                sizes.append(try await store.items.item(record.id, at: Morning.arrival)?.authorLook.photoSize)
            }
            return sizes
        }
        #expect(try await sizes() == [nil, nil, nil])
        try await insert(bert.profile("bert"))
        #expect(try await sizes() == [nil, nil, nil])
        try await insert(bert.profile("bert", Morning.photo(1, size: 40_000)))
        #expect(try await sizes() == [40_000, nil, 40_000])
        try await insert(bert.profile("bert", Morning.photo(2, size: 50_000)))
        #expect(try await sizes() == [50_000, nil, 50_000])
        try await insert(bert.profile("bert"))
        #expect(try await sizes() == [nil, nil, nil])
    }

    @Test func whatIsMissingIsListedInTheOrderOfItsComing() async throws {
        let photos = (1...4).map { Morning.photo($0, size: $0 == 2 ? 2_000_000 : 48_123) }
        let posts = photos.map { post($0, by: bert) }
        for post in posts { try await insert(post) }
        // Named by two records, and an own one.
        try await insert(post(photos[0], by: try Author(3)), post(Morning.photo(5), by: anna))
        func missing(after number: Int64 = 0, limit: Int = 10) async throws -> [MissingPhoto] {
            try await store.photos.missing(after: number, bytesMax: 1 << 20, limit: limit)
        }
        let found = try await missing()
        #expect(found.map(\.blob) == [0, 2, 3].map { photos[$0].blob })
        #expect(found.map(\.record) == [0, 2, 3].map { posts[$0].id })
        #expect(found.allSatisfy { $0.kind == .post && $0.author == bert.peer && $0.blobClass == .strangers })
        #expect(try await missing(after: found[0].number).map(\.blob) == [photos[2].blob, photos[3].blob])
        #expect(try await missing(after: found[0].number, limit: 1).map(\.blob) == [photos[2].blob])
        _ = try await store.blobs.markComplete(photos[2].blob)
        try await insert(bert.delete(posts[3].id))
        #expect(try await missing().map(\.blob) == [photos[0].blob])
    }

    @Test func everyQueryUsesAnIndex() async throws {
        for (sql, index) in [
            (PhotoReader.missing, "blob_pending"), (PhotoReader.item, "record_id"),
            (PhotoReader.edit, "record_about"), (PhotoReader.profile, "INTEGER PRIMARY KEY"),
        ] {
            let plan = try await store.access.file.writer.alone { database in
                try database.all("EXPLAIN QUERY PLAN \(sql)", []) { $0.text(3) }
            }
            #expect(plan.contains { $0.contains(index) }, "\(sql): \(plan)")
            #expect(
                !plan.contains { $0.hasPrefix("SCAN") && !$0.contains("blob_pending") || $0.contains("TEMP B-TREE") },
                "\(sql): \(plan)")
        }
    }
}
