import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

@testable import LatticeStore

/// Posts that are kept until they are published.
@Suite struct DraftTests {
    private let folder: Folder
    private let anna: Author
    private let bert: Author

    init() throws {
        folder = try Folder()
        (anna, bert) = (try Author(1), try Author(2))
    }

    private func new(_ text: String, _ photo: BodyPhoto? = nil, after seconds: Int64 = 0) -> NewDraft {
        let body = PostBody(name: anna.name, place: Morning.place, text: text, placeName: "gate", photo: photo)
        return NewDraft(body, written: Morning.after(seconds: seconds), lifetime: 90)
    }

    private func keep(_ drafts: NewDraft..., in store: Store) async throws -> [StoredDraft] {
        guard case .kept(let kept) = try await store.drafts.keep(drafts) else {
            Issue.record("there is space for \(drafts.count)")
            return []
        }
        return kept
    }

    private func record(_ draft: StoredDraft, by author: Author) -> Draft {
        let identity = author.identity
        return Draft(author: author.peer, at: Morning.arrival, waits: true, publishes: draft.seq) { created in
            identity.sign(
                Record(
                    kind: .post, author: identity.peer, created: created, lifetimeSeconds: 90, topic: [],
                    body: draft.body.body))
        }
    }

    private func texts(_ store: Store) async throws -> [String] { try await store.drafts.all().map(\.body.text) }

    @Test func draftsAreListedInTheOrderInWhichTheyWereWritten() async throws {
        let store = try folder.store(of: anna)
        let kept = try await keep(new("second", after: 5), new("first"), new("third", after: 5), in: store)
        #expect(kept.map(\.number) == [1, 2, 3])
        #expect(try await texts(store) == ["first", "second", "third"])
        let first = try #require(try await store.drafts.draft(2))
        #expect(first == kept[1] && first.lifetime == 90 && first.body.placeName == "gate")
        #expect(first.written == Morning.after(seconds: 0))
        #expect(try await store.drafts.draft(4) == nil)
        // None of it is a record.
        #expect(try await store.upkeep.stats(at: Morning.arrival).records == 0)
        #expect(try await store.outbox.waiting(limit: 9, after: nil).isEmpty)
        try store.close()
        let again = try folder.store(of: anna)
        #expect(try await again.drafts.all() == [kept[1], kept[0], kept[2]])
        #expect(try await again.upkeep.check(verify: verified).faults == [])
    }

    @Test func draftsAreEachPersonasOwn() async throws {
        let store = try folder.store(of: anna)
        let visitor = store.of(bert.peer)
        _ = try await keep(new("of anna"), in: store)
        let kept = try await keep(new("of bert"), in: visitor)
        #expect(kept.map(\.number) == [1])
        #expect(try await texts(store) == ["of anna"])
        #expect(try await texts(visitor) == ["of bert"])
        #expect(try await visitor.drafts.delete([1]) == nil)
        #expect(try await visitor.drafts.delete([1]) == 1)
        #expect(try await texts(store) == ["of anna"])
    }

    @Test func thereAreNotTooMany() async throws {
        let store = try folder.store(of: anna)
        let many = (1..<DraftTable.draftsMax).map { new("\($0)") }
        #expect(try await store.drafts.keep(many + [new("a"), new("b")]) == .full(withPhotos: false))
        #expect(try await texts(store).isEmpty)
        guard case .kept = try await store.drafts.keep(many + [new("last")]) else {
            Issue.record("there is space for \(DraftTable.draftsMax)")
            return
        }
        #expect(try await store.drafts.keep([new("more")]) == .full(withPhotos: false))
        // Another persona has all of theirs.
        #expect(try await keep(new("of bert"), in: store.of(bert.peer)).count == 1)
        #expect(try await store.drafts.delete(Array(1...60)) == nil)
        let photos = (1...DraftTable.photosMax).map { new("\($0)", Morning.photo(UInt64($0 % 7))) }
        guard case .kept = try await store.drafts.keep(photos) else {
            Issue.record("there is space for \(DraftTable.photosMax) photos")
            return
        }
        #expect(try await store.drafts.keep([new("more", Morning.photo(1))]) == .full(withPhotos: true))
        #expect(try await keep(new("plain"), in: store).count == 1)
    }

    @Test func deletingIsAllOrNothing() async throws {
        let store = try folder.store(of: anna)
        _ = try await keep(new("a"), new("b"), in: store)
        #expect(try await store.drafts.delete([1, 3]) == 3)
        #expect(try await texts(store) == ["a", "b"])
        #expect(try await store.drafts.delete([1, 2]) == nil)
        #expect(try await texts(store).isEmpty)
    }

    @Test func aChangedDraftKeepsItsNumberAndIsAnotherOne() async throws {
        let store = try folder.store(of: anna)
        let old = try await keep(new("a"), in: store)[0]
        let changed = try #require(try await store.drafts.change(old, to: new("b")))
        #expect(changed.number == 1 && changed.seq != old.seq && changed.body.text == "b")
        #expect(try await store.drafts.change(old, to: new("c")) == nil)
        // What was read before the change is not published.
        #expect(try await store.publish([record(old, by: anna)]).map(\.outcome) == [.erased])
        #expect(try await texts(store) == ["b"])
    }

    @Test func aDraftIsPublishedOnceAndEndsInTheSameCommit() async throws {
        let store = try folder.store(of: anna)
        let kept = try await keep(new("a"), new("b"), in: store)
        let (first, second) = (record(kept[0], by: anna), record(kept[1], by: anna))
        // All in one transaction.
        let published = try await store.publish([first, first, second])
        #expect(published.map(\.outcome) == [.added, .erased, .added])
        #expect(published.map { $0.number != nil } == [true, false, true])
        #expect(try await texts(store).isEmpty)
        #expect(try await store.publish([second]).map(\.outcome) == [.erased])
        #expect(try await store.outbox.waiting(limit: 9, after: nil).count == 2)
        // The number is free, and its next draft is another one.
        #expect(try await keep(new("c"), in: store).map(\.number) == [1])
        #expect(try await store.publish([first]).map(\.outcome) == [.erased])
        #expect(try await texts(store) == ["c"])
    }

    @Test func aDraftWithoutSpaceForItsPostStays() async throws {
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 150))
        let kept = try await keep(new(String(repeating: "long ", count: 60)), in: store)
        #expect(try await store.publish([record(kept[0], by: anna)]).map(\.outcome) == [.evicted])
        #expect(try await store.drafts.all() == kept)
    }

    @Test func aPhotoIsKeptAsLongAsItsDraftOrItsPost() async throws {
        let store = try folder.store(of: anna)
        let photos = (1...3).map { Morning.photo($0, size: 3) }
        for (number, photo) in photos.enumerated() {
            _ = try await store.blobs.add(
                photo.blob, .own, use: .draft(Int64(number + 1), until: Morning.after(seconds: 3_600)),
                bytes: [1, 2, 3], at: Morning.arrival)
        }
        let kept = try await keep(new("a", photos[0]), new("b", photos[1]), new("c", photos[2]), in: store)
        for (number, photo) in photos.enumerated() {
            try await store.blobs.remove(.draft(Int64(number + 1), until: Morning.arrival), of: photo.blob)
        }
        func isUsed(_ photo: BodyPhoto) async throws -> Bool {
            try #require(try await store.blobs.find(photo.blob)).isUnused == false
        }
        for photo in photos { #expect(try await isUsed(photo)) }
        #expect(try await store.publish([record(kept[0], by: anna)]).map(\.outcome) == [.added])
        #expect(try await store.drafts.delete([2]) == nil)
        _ = try await store.drafts.change(kept[2], to: new("d", photos[2]))
        #expect(try await [isUsed(photos[0]), isUsed(photos[1]), isUsed(photos[2])] == [true, false, true])
        // Nobody gets what only a draft names, and its use does not end by itself.
        _ = try await store.blobs.removeUses(until: Morning.after(seconds: 100_000_000))
        let row = try #require(try await store.blobs.find(photos[2].blob))
        #expect(!row.isShared && !row.isUnused)
    }
}
