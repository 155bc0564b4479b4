import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire
import TestPictures
import Testing

@testable import LatticeNode

/// Posts that somebody keeps until they publish them.
@Suite(.timeLimit(.minutes(5))) struct DraftTests {
    private static let later = WallTime(milliseconds: Person.now.milliseconds + 10_800_000)

    private func keep(_ text: String, by person: Person, after seconds: Int64 = 0) async throws -> DraftInfo {
        try await person.ask(
            KeepDraft(NewPost(text: text, at: try .park())),
            at: WallTime(milliseconds: Person.now.milliseconds + seconds * 1_000))
    }

    private func texts(_ person: Person) async throws -> [String] {
        try await person.ask(ListDrafts()).drafts.map(\.text)
    }

    @Test func aDraftHasThePlaceAndTheTimeOfWhenItWasWritten() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        _ = try await alice.ask(SetHere(try .park()))
        let post = NewPost(
            text: " bridge out ", placeName: "river", lifetime: .seconds(7_200), blur: 6, isUrgent: true,
            unlockMetres: 50)
        let draft = try await alice.ask(KeepDraft(post))
        #expect(draft.number == 1 && draft.text == "bridge out" && draft.placeName == "river")
        #expect(draft.blur == 6 && draft.isUrgent && draft.unlockMetres == 50 && draft.lifetime == .seconds(7_200))
        #expect(draft.written == Person.now)
        #expect(try await alice.store.outbox.waiting(limit: 9, after: nil).isEmpty)
        // Meanwhile she went elsewhere.
        _ = try await alice.ask(SetHere(try .at(1, 1)))
        let published = try await alice.ask(PublishDrafts(), at: Self.later)
        #expect(published.failed.isEmpty && published.items.map(\.text) == ["bridge out"])
        #expect(try await alice.ask(ListDrafts()).drafts.isEmpty)
        try await alice.tell(bob, at: Self.later)
        let read = try await bob.detail(published.items[0].id, from: draft.place, at: Self.later).item
        #expect(read.place == draft.place && read.blur == 6 && read.placeName == "river")
        #expect(read.at == Self.later && read.writtenAt == Person.now && read.unlockMetres == 50)
        #expect(read.expires.milliseconds == Self.later.milliseconds + 7_200_000)
        let ordinary = try await alice.ask(NewPost(text: "here", at: try .park()))
        #expect(ordinary.writtenAt == nil)
    }

    @Test func draftsArePublishedInTheOrderInWhichTheyWereWritten() async throws {
        let alice = try Person("alice")
        for (text, seconds) in [("third", 30), ("first", 10), ("second", 20)] as [(String, Int64)] {
            _ = try await keep(text, by: alice, after: seconds)
        }
        #expect(try await texts(alice) == ["first", "second", "third"])
        let one = try await alice.ask(PublishDrafts([3, 3]), at: Self.later)
        #expect(one.items.map(\.text) == ["second"])
        let rest = try await alice.ask(PublishDrafts(), at: Self.later)
        #expect(rest.items.map(\.text) == ["first", "third"])
        let waiting = try await alice.store.outbox.waiting(limit: 9, after: nil)
        let posts = waiting.map(\.record.record).filter { $0.kind == .post }
        #expect(try posts.map { try PostBody(decoding: $0.body).text } == ["second", "first", "third"])
        #expect(posts.map(\.created) == posts.map(\.created).sorted())
        #expect(try await alice.ask(PublishDrafts(), at: Self.later) == .init())
    }

    @Test func aDraftThatCannotBePublishedStays() async throws {
        let alice = try Person("alice", textClustersMax: 5)
        let long = NewDraft(
            PostBody(name: try PeerName("alice"), place: Place(try .park()), text: "too long", placeName: ""),
            written: Person.now)
        _ = try await alice.store.drafts.keep([long])
        _ = try await keep("short", by: alice, after: 1)
        let published = try await alice.ask(PublishDrafts(), at: Self.later)
        #expect(published.items.map(\.text) == ["short"])
        let fault = FieldFault.tooManyCharacters(text: .text, count: 8, max: 5)
        #expect(published.failed == [.init(1, .invalid(faults: [fault]))])
        #expect(try await texts(alice) == ["too long"])
        await #expect(throws: RequestError.invalid(faults: [fault])) {
            try await alice.ask(EditDraft(1, text: "too long"))
        }
        #expect(try await alice.ask(EditDraft(1, text: "short")).written == Person.now)
        #expect(try await alice.ask(PublishDrafts(), at: Self.later).failed.isEmpty)
    }

    @Test func whatIsNoDraftIsSaid() async throws {
        let alice = try Person("alice")
        _ = try await keep("a", by: alice)
        await #expect(throws: RequestError.unknownDraft(number: 7)) { try await alice.ask(PublishDrafts([1, 7])) }
        await #expect(throws: RequestError.unknownDraft(number: -1)) { try await alice.ask(DeleteDrafts([1, -1])) }
        await #expect(throws: RequestError.unknownDraft(number: .max)) {
            try await alice.ask(EditDraft(.max, text: "b"))
        }
        await #expect(throws: RequestError.invalid(faults: [.empty(text: .text), .noPlace])) {
            try await alice.ask(KeepDraft(NewPost(text: " ")))
        }
        #expect(try await texts(alice) == ["a"])
        #expect(try await alice.ask(DeleteDrafts([1, 1])) == Done())
        #expect(try await texts(alice).isEmpty)
    }

    /// A clock that was set back, or a file with dates ahead.
    @Test func aDraftFromTheFutureDoesNotSayWhenItWasWritten() async throws {
        let alice = try Person("alice")
        _ = try await keep("ahead", by: alice, after: 100_000)
        let published = try await alice.ask(PublishDrafts())
        #expect(published.items.map(\.text) == ["ahead"] && published.items.map(\.writtenAt) == [nil])
    }

    @Test func anEditKeepsWhenAPostWasWritten() async throws {
        let alice = try Person("alice")
        _ = try await keep("a", by: alice)
        let post = try await alice.ask(PublishDrafts(), at: Self.later).items[0]
        let edited = try await alice.ask(EditItem(post.reference, text: "b"), at: Self.later)
        #expect(edited.text == "b" && edited.writtenAt == Person.now)
    }

    @Test func aVisitorHasDraftsOfTheirOwn() async throws {
        let alice = try await Chatter(try Home("alice"))
        try await alice.run {
            let jonna = try await alice.admit("jonna")
            _ = try await alice.node.perform(KeepDraft(NewPost(text: "of alice", at: try .park())))
            let kept = try await jonna.visitor.perform(KeepDraft(NewPost(text: "of jonna", at: try .park())))
            #expect(kept.number == 1)
            #expect(try await jonna.visitor.perform(ListDrafts()).drafts.map(\.text) == ["of jonna"])
            #expect(try await alice.node.perform(ListDrafts()).drafts.map(\.text) == ["of alice"])
            // A path is one of this machine.
            await #expect(throws: RequestError.ownerOnly) {
                try await jonna.visitor.perform(ImportDrafts(path: "/dev/stdin"))
            }
            let published = try await jonna.visitor.perform(PublishDrafts())
            #expect(published.items.map(\.author) == [jonna.id] && published.items.map(\.text) == ["of jonna"])
            #expect(try await alice.node.perform(ListDrafts()).drafts.map(\.text) == ["of alice"])
        }
    }

    @Test func aDraftKeepsItsPhotoForThePost() async throws {
        let alice = try await Chatter(try Home("alice"))
        try await alice.run {
            func upload() async throws -> UploadID {
                let upload = try await alice.node.perform(BeginUpload()).upload
                _ = try await alice.node.perform(AppendUpload(upload, at: 0, PictureFile.png(1)))
                return upload
            }
            let post = NewPost(
                text: "bridge out", at: try .park(), photo: .upload(try await upload()), alt: "a broken bridge")
            let draft = try await alice.node.perform(KeepDraft(post))
            #expect(draft.photo?.alt == "a broken bridge" && draft.photo?.width == 560)
            let body = try #require(try await alice.store.drafts.draft(1)).body
            let blob = try #require(body.photo).blob
            let row = try #require(try await alice.store.blobs.find(blob))
            #expect(row.isComplete && !row.isUnused && !row.isShared)
            let item = try await alice.node.perform(PublishDrafts()).items[0]
            #expect(item.photo?.alt == "a broken bridge")
            #expect(try await alice.node.perform(ReadPhoto(item.reference, .photo)).bytes.starts(with: [0xFF, 0xD8]))
            let shared = try #require(try await alice.store.blobs.find(blob))
            #expect(shared.isShared && !shared.isUnused)
            let original = NewPost(
                text: "x", at: try .park(), photo: .upload(try await upload(), original: true))
            await #expect(throws: RequestError.invalid(faults: [.originalOfDraft])) {
                try await alice.node.perform(KeepDraft(original))
            }
        }
    }
}
