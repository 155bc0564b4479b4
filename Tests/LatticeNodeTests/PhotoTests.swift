import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticePicture
import LatticeStore
import LatticeWire
import TestPictures
import Testing

@testable import LatticeNode

/// Photos of posts, events and people, from one node to another.
@Suite(.timeLimit(.minutes(10))) struct PhotoTests {
    private func alone(_ body: (Chatter) async throws -> Void) async throws {
        let alice = try await Chatter(try Home("alice"))
        try await alice.run { try await body(alice) }
    }

    /// Alice and Bob, linked.
    private func together(
        fetchesPhotos: Bool = true, _ body: (Chatter, Chatter) async throws -> Void
    ) async throws {
        let alice = try await Chatter(try Home("alice"))
        let bob = try await Chatter(try Home("bob"), fetchesPhotos: fetchesPhotos)
        try await alice.run {
            try await bob.run {
                try await bob.meet(alice)
                try await body(alice, bob)
            }
        }
    }

    private func upload(_ bytes: [UInt8], to chatter: Chatter) async throws -> UploadID {
        let upload = try await chatter.node.perform(BeginUpload()).upload
        for start in stride(from: 0, to: bytes.count, by: AppendUpload.bytesMax) {
            let piece = Array(bytes[start..<min(start + AppendUpload.bytesMax, bytes.count)])
            _ = try await chatter.node.perform(AppendUpload(upload, at: Int64(start), piece))
        }
        return upload
    }

    private func prepared(_ number: UInt8, on chatter: Chatter) async throws -> UploadID {
        let upload = try await upload(PictureFile.png(number), to: chatter)
        let photo = try await chatter.node.perform(PreparePhoto(upload))
        #expect(photo.width == 560 && photo.height == 420 && photo.state == .here && photo.alt == nil)
        return upload
    }

    private func post(_ upload: UploadID, alt: String? = nil, by chatter: Chatter) async throws -> ItemInfo {
        try await chatter.node.perform(
            NewPost(text: "bridge out", at: try .park(), photo: .upload(upload), alt: alt))
    }

    private func photo(_ item: ItemInfo, _ which: PhotoSize = .photo, of chatter: Chatter) async throws -> [UInt8] {
        try await chatter.node.perform(ReadPhoto(item.reference, which)).bytes
    }

    private func row(_ item: ItemInfo, of chatter: Chatter) async throws -> StoredBlob? {
        let photo = try #require(try await chatter.store.items.item(item.id, at: Clocks.machine())?.photo)
        return try await chatter.store.blobs.find(photo.blob)
    }

    private func holds(_ text: String, _ bytes: [UInt8]) -> Bool { Data(bytes).range(of: Data(text.utf8)) != nil }

    // MARK: - Writing

    @Test func aPostWithAPhotoKeepsItFromTheStart() async throws {
        try await alone { alice in
            let post = try await post(try await prepared(1, on: alice), alt: "a broken\u{7} bridge ", by: alice)
            let info = try #require(post.photo)
            #expect(info.width == 560 && info.height == 420 && info.alt == "a broken bridge" && info.state == .here)
            let row = try #require(try await row(post, of: alice))
            #expect(row.isComplete && row.isShared && row.blobClass == .own)
            let bytes = try await photo(post, of: alice)
            #expect(Int64(bytes.count) == info.size && bytes.starts(with: [0xFF, 0xD8]))
            #expect(!holds("Exif", bytes) && !holds("GPS", bytes))
            let small = try await photo(post, .thumbnail, of: alice)
            #expect(small.count <= 8_192 && small.starts(with: [0xFF, 0xD8]))
            // The draft is gone: the post alone keeps it.
            _ = try await alice.node.perform(DeleteItem(post.reference))
            let name = row.name
            #expect(try await alice.store.blobs.find(name)?.isUnused == true)
        }
    }

    @Test func aThumbnailIsReadWithoutANode() async throws {
        try await alone { alice in
            let post = try await post(try await prepared(1, on: alice), by: alice)
            let me = PeerReference(alice.home.identity.peer.hex)
            let bare = try await alice.node.perform(NewPost(text: "no photo", at: try .park()))
            _ = try await alice.node.perform(ProfileChange(photo: .new(.upload(try await prepared(2, on: alice)))))
            let size = try await alice.node.perform(ShowProfile()).photo?.size
            let authors = try await alice.node.perform(NearQuery(.posts, centre: try .park())).items
            #expect(size != nil && authors.map(\.authorPhotoSize) == [size, size])
            let archive = Archive(store: alice.store, identity: alice.home.identity, name: alice.home.name)
            let small = try await archive.perform(ReadPhoto(post.reference, .thumbnail), at: Clocks.machine())
            #expect(small.bytes == (try await photo(post, .thumbnail, of: alice)))
            let face = try await archive.perform(ReadPersonPhoto(me, .thumbnail), at: Clocks.machine())
            #expect(face.bytes.starts(with: [0xFF, 0xD8]) && face != small)
            await #expect(throws: RequestError.unknownItem(id: bare.id.hex)) {
                _ = try await archive.perform(ReadPhoto(bare.reference, .thumbnail), at: Clocks.machine())
            }
            await #expect(throws: RequestError.stopped(why: .noNode)) {
                _ = try await archive.perform(ReadPhoto(post.reference), at: Clocks.machine())
            }
        }
    }

    @Test func aPhotoComesFromAFileAsWell() async throws {
        try await alone { alice in
            let path = alice.home.path + ".png"
            try Data(PictureFile.png(3)).write(to: URL(filePath: path))
            defer { unlink(path) }
            let later = WallTime(milliseconds: Clocks.machine().milliseconds + 3_600_000)
            let draft = EventDraft(name: "fire", at: try .park(), starts: later, photo: .file(path), alt: "a fire")
            let event = try await alice.node.perform(CreateEvent(draft))
            #expect(event.photo?.alt == "a fire")
            for wrong in ["/nowhere.png", "/dev/zero", "/tmp"] {
                await #expect(throws: RequestError.self) {
                    _ = try await alice.node.perform(NewPost(text: "x", at: try .park(), photo: .file(wrong)))
                }
            }
            try Data("no picture".utf8).write(to: URL(filePath: path))
            await #expect(throws: RequestError.badPicture(problem: .notAPicture)) {
                _ = try await alice.node.perform(NewPost(text: "x", at: try .park(), photo: .file(path)))
            }
            #expect(truncate(path, off_t(PictureFormat.bytesMax) + 1) == 0)
            await #expect(throws: RequestError.badPicture(problem: .tooLarge(bytesMax: PictureFormat.bytesMax))) {
                _ = try await alice.node.perform(NewPost(text: "x", at: try .park(), photo: .file(path)))
            }
        }
    }

    @Test func aRefusedPostDoesNotUseThePhotoUp() async throws {
        try await alone { alice in
            let upload = try await prepared(1, on: alice)
            let long = String(repeating: "w", count: 1_001)
            for (text, alt) in [("", nil), ("bridge", long)] as [(String, String?)] {
                await #expect(throws: RequestError.self) {
                    _ = try await alice.node.perform(
                        NewPost(text: text, at: try .park(), photo: .upload(upload), alt: alt))
                }
            }
            #expect(try await post(upload, by: alice).photo?.state == .here)
            await #expect(throws: RequestError.unknownItem(id: upload.hex), "it is used up now") {
                _ = try await post(upload, by: alice)
            }
        }
    }

    // MARK: - Originals

    private func original(of item: ItemInfo, on chatter: Chatter) async throws -> ItemFile? {
        try await chatter.node.perform(ShowItem(item.reference)).original
    }

    @Test func anOriginalIsAFileOfItsPostUntilItHasAnotherPhoto() async throws {
        try await together { alice, bob in
            let picture = PictureFile.png(1)
            let upload = try await prepared(1, on: alice)
            let post = try await alice.node.perform(
                NewPost(text: "bridge out", at: try .park(), photo: .upload(upload, original: true)))
            let file = try #require(try await original(of: post, on: alice))
            #expect(holds("GPS", picture) && file.name == "photo.png" && file.type == "image/png")
            try await eventually("bob hears of it") {
                try await bob.node.perform(ListFiles()).files.map(\.id) == [file.id]
            }
            #expect(try await original(of: post, on: bob) == file)
            let got = try await bob.node.perform(GetFile(file.id.hex, into: nil))
            #expect(got.by.id == post.author && got.room == nil)
            try await eventually("bob has it") {
                try await bob.node.perform(ShowFile(file.id.hex)).state == .here
            }
            let bare = try BarePicture.of(picture)
            let read = ReadFile(file.id.hex, from: 0, length: ReadFile.lengthMax)
            let bytes = try await bob.node.perform(read).bytes
            #expect(bytes == Array(bare.prefix(ReadFile.lengthMax)) && file.size == Int64(bare.count))
            #expect(!holds("GPS", bytes))

            let other = PhotoChange.new(.upload(try await prepared(2, on: alice)))
            _ = try await alice.node.perform(EditItem(post.reference, photo: other))
            #expect(try await original(of: post, on: alice) == nil)
            try await eventually("it is gone for bob") {
                try await bob.node.perform(ListFiles()).files.isEmpty
            }
            let third = PhotoChange.new(.upload(try await prepared(3, on: alice), original: true))
            _ = try await alice.node.perform(EditItem(post.reference, photo: third))
            #expect(try await original(of: post, on: alice) != nil)
            _ = try await alice.node.perform(DeleteItem(post.reference))
            #expect(try await alice.node.perform(ListFiles()).files.isEmpty)
        }
    }

    @Test func anOriginalIsReadFromWhereItsPostIs() async throws {
        try await together { alice, bob in
            let source = PhotoSource.upload(try await prepared(1, on: alice), original: true)
            let post = try await alice.node.perform(NewPost(text: "x", at: try .park(), photo: source))
            let file = try #require(try await original(of: post, on: alice))
            func bobsFiles() async throws -> [RecordID] { try await bob.node.perform(ListFiles()).files.map(\.id) }
            _ = try await bob.node.perform(SetHere(Coordinate(latitude: 1, longitude: 1)))
            try await eventually("bob's node has it") {
                try await !bob.store.manifests.newest(1, at: Clocks.machine()).isEmpty
            }
            #expect(try await bobsFiles().isEmpty)
            await #expect(throws: RequestError.unknownItem(id: file.id.hex)) {
                _ = try await bob.node.perform(ShowFile(file.id.hex))
            }
            _ = try await bob.node.perform(SetHere(try .park()))
            #expect(try await bobsFiles() == [file.id])
        }
    }

    @Test func onlyPostsAndEventsHaveOriginals() async throws {
        try await alone { alice in
            let source = PhotoSource.upload(try await prepared(1, on: alice), original: true)
            await #expect(throws: RequestError.invalid(faults: [.originalOfProfile])) {
                _ = try await alice.node.perform(ProfileChange(photo: .new(source)))
            }
            let post = try await alice.node.perform(NewPost(text: "x", at: try .park(), photo: source))
            let comment = try await alice.node.perform(NewComment(on: post.reference, text: "y"))
            let again = PhotoSource.upload(try await prepared(2, on: alice), original: true)
            await #expect(throws: RequestError.invalid(faults: [.photoOfComment])) {
                _ = try await alice.node.perform(EditItem(comment.reference, photo: .new(again)))
            }
            #expect(try await alice.node.perform(ListFiles()).files.count == 1)
        }
    }

    // MARK: - Uploads

    @Test func whatIsNoPictureEndsItsUpload() async throws {
        try await alone { alice in
            let upload = try await upload(Array("hello".utf8), to: alice)
            await #expect(throws: RequestError.badPicture(problem: .notAPicture)) {
                _ = try await alice.node.perform(PreparePhoto(upload))
            }
            await #expect(throws: RequestError.unknownItem(id: upload.hex)) {
                _ = try await alice.node.perform(PreparePhoto(upload))
            }
        }
    }

    @Test func aCancelledUploadLeavesNothing() async throws {
        try await alone { alice in
            let upload = try await prepared(1, on: alice)
            #expect(try await alice.node.perform(PreparePhoto(upload)).width == 560, "the answer is the same again")
            _ = try await alice.node.perform(CancelUpload(upload))
            #expect(try await alice.store.blobs.unused(limit: 10).count == 1)
            await #expect(throws: RequestError.unknownItem(id: upload.hex)) {
                _ = try await post(upload, by: alice)
            }
        }
    }

    @Test func soManyPhotosWaitForTheirPosts() async throws {
        try await alone { alice in
            var uploads: [UploadID] = []
            for number in 0..<PreparePhoto.countMax {
                uploads.append(try await prepared(UInt8(number), on: alice))
            }
            let more = try await upload(PictureFile.png(99), to: alice)
            await #expect(throws: RequestError.uploadsFull(max: PreparePhoto.countMax)) {
                _ = try await alice.node.perform(PreparePhoto(more))
            }
            _ = try await alice.node.perform(CancelUpload(uploads[0]))
            #expect(try await alice.node.perform(PreparePhoto(more)).width == 560)
        }
    }

    @Test func anEditKeepsThePhoto() async throws {
        try await alone { alice in
            let post = try await post(try await prepared(1, on: alice), alt: "a bridge", by: alice)
            let before = try await photo(post, of: alice)
            let edited = try await alice.node.perform(EditItem(post.reference, text: "bridge open"))
            #expect(edited.text == "bridge open" && edited.photo == post.photo)
            #expect(try await photo(edited, of: alice) == before)
            #expect(try await photo(edited, .thumbnail, of: alice).isEmpty == false)
        }
    }

    @Test func anEditChangesAddsAndRemovesThePhoto() async throws {
        try await alone { alice in
            let post = try await post(try await prepared(1, on: alice), alt: "a bridge", by: alice)
            let first = try await photo(post, of: alice)
            func edit(
                text: String? = nil, _ change: PhotoChange? = nil, alt: String? = nil
            ) async throws -> ItemInfo {
                try await alice.node.perform(EditItem(post.reference, text: text, photo: change, alt: alt))
            }
            let described = try await edit(alt: "the old bridge")
            #expect(described.text == post.text && described.photo?.alt == "the old bridge")
            #expect(try await photo(described, of: alice) == first)
            let another = try await edit(.new(.upload(try await prepared(2, on: alice))), alt: "the new bridge")
            #expect(another.text == post.text && another.photo?.alt == "the new bridge")
            #expect(try await photo(another, of: alice) != first)
            let bare = try await edit(text: "gone", .remove)
            #expect(bare.text == "gone" && bare.photo == nil)
            let again = try await edit(.new(.upload(try await prepared(1, on: alice))))
            #expect(again.text == "gone" && again.photo?.alt == nil)
            #expect(try await photo(again, of: alice) == first)
            await #expect(throws: RequestError.invalid(faults: [.empty(text: .text)])) { _ = try await edit() }
        }
    }

    @Test func anEventLosesItsPhotoAndACommentGetsNone() async throws {
        try await alone { alice in
            let later = WallTime(milliseconds: Clocks.machine().milliseconds + 3_600_000)
            let draft = EventDraft(
                name: "fire", at: try .park(), starts: later, photo: .upload(try await prepared(1, on: alice)))
            let event = try await alice.node.perform(CreateEvent(draft))
            let bare = try await alice.node.perform(EditItem(event.reference, photo: .remove))
            #expect(bare.photo == nil && bare.title == "fire" && bare.starts == event.starts)
            let new = PhotoChange.new(.upload(try await prepared(2, on: alice)))
            #expect(try await alice.node.perform(EditItem(event.reference, photo: new)).photo != nil)
            let comment = try await alice.node.perform(NewComment(on: event.reference, text: "warm"))
            for change in [PhotoChange.remove, .new(.upload(try await prepared(1, on: alice)))] {
                await #expect(throws: RequestError.invalid(faults: [.photoOfComment])) {
                    _ = try await alice.node.perform(EditItem(comment.reference, photo: change))
                }
            }
        }
    }

    @Test func anEventGetsAnotherPhotoOrOtherWords() async throws {
        try await alone { alice in
            let later = WallTime(milliseconds: Clocks.machine().milliseconds + 3_600_000)
            let draft = EventDraft(
                name: "fire", at: try .park(), starts: later, photo: .upload(try await prepared(1, on: alice)),
                alt: "one")
            let event = try await alice.node.perform(CreateEvent(draft))
            let first = try await photo(event, of: alice)
            func edit(_ draft: EventDraft) async throws -> ItemInfo {
                try await alice.node.perform(EditEvent(event.reference, draft))
            }
            #expect(try await edit(EventDraft(name: "campfire")).photo == event.photo)
            #expect(try await edit(EventDraft(alt: "two")).photo?.alt == "two")
            #expect(try await photo(event, of: alice) == first)
            #expect(try await edit(EventDraft(alt: "")).photo?.alt == nil)
            let new = try await edit(EventDraft(photo: .upload(try await prepared(2, on: alice))))
            #expect(new.photo?.alt == nil)
            #expect(try await photo(event, of: alice) != first)
        }
    }

    @Test func aProfileGetsAPhotoAndLosesIt() async throws {
        try await alone { alice in
            let me = PeerReference(alice.home.identity.peer)
            let upload = try await prepared(1, on: alice)
            let set = try await alice.node.perform(
                ProfileChange(about: "hi", photo: .new(.upload(upload)), alt: "me"))
            #expect(set.photo?.width == 560 && set.photo?.alt == "me")
            #expect(try await alice.node.perform(ProfileChange(about: "ho")).photo == set.photo)
            #expect(try await alice.node.perform(ProfileChange(alt: "me in a boat")).photo?.alt == "me in a boat")
            let small = try await alice.node.perform(ReadPersonPhoto(me, .thumbnail)).bytes
            #expect(small.starts(with: [0xFF, 0xD8]))
            #expect(try await alice.node.perform(ReadPersonPhoto(me)).bytes.count == Int(set.photo?.size ?? 0))
            #expect(try await alice.node.perform(ProfileChange(photo: .remove)).photo == nil)
            await #expect(throws: RequestError.self) { _ = try await alice.node.perform(ReadPersonPhoto(me)) }
        }
    }

    @Test func whatHasNoPhotoIsNotFound() async throws {
        try await alone { alice in
            let post = try await alice.node.perform(NewPost(text: "x", at: try .park()))
            for which in [PhotoSize.photo, .thumbnail] {
                await #expect(throws: RequestError.unknownItem(id: post.id.hex)) {
                    _ = try await photo(post, which, of: alice)
                }
            }
            await #expect(throws: RequestError.unknownItem(id: UploadID(5).hex)) {
                _ = try await self.post(UploadID(5), by: alice)
            }
        }
    }

    // MARK: - Fetching

    @Test func aPhotoComesBeforeAnybodyLooks() async throws {
        try await together { alice, bob in
            let post = try await post(try await prepared(1, on: alice), by: alice)
            let profile = try await alice.node.perform(
                ProfileChange(photo: .new(.upload(try await prepared(2, on: alice)))))
            let she = alice.home.identity.peer
            try await eventually("bob has both") {
                let item = try await bob.store.items.item(post.id, at: Clocks.machine())
                let person = try await bob.store.people.person(she, at: Clocks.machine())
                return item?.photo?.isHere == true && person.photo?.isHere == true
            }
            #expect(try await row(post, of: bob)?.blobClass == .strangers)
            #expect(try await photo(post, of: bob) == (try await photo(post, of: alice)))
            let face = try await bob.node.perform(ReadPersonPhoto(PeerReference(she))).bytes
            #expect(face.count == Int(profile.photo?.size ?? 0))
        }
    }

    @Test func aPhotoIsFetchedWhenSomebodyLooks() async throws {
        try await together(fetchesPhotos: false) { alice, bob in
            let post = try await post(try await prepared(1, on: alice), by: alice)
            try await eventually("bob has the post") {
                try await bob.store.items.item(post.id, at: Clocks.machine()) != nil
            }
            #expect(try await row(post, of: bob)?.isComplete == false)
            #expect(try await photo(post, .thumbnail, of: bob) == (try await photo(post, .thumbnail, of: alice)))
            #expect(try await row(post, of: bob)?.isComplete == false, "the thumbnail came with the post")
            #expect(try await photo(post, of: bob) == (try await photo(post, of: alice)))
            let detail = try await bob.node.perform(ShowItem(post.reference))
            #expect(detail.item.photo?.state == .here)
            // A reader who is too far away to read the post gets no photo of it.
            let far = try Coordinate.at(-33.9, 151.2)
            for which in [PhotoSize.photo, .thumbnail] {
                await #expect(throws: RequestError.unknownItem(id: post.id.hex)) {
                    _ = try await bob.node.perform(ReadPhoto(post.reference, which, from: far))
                }
            }
            _ = try await bob.node.perform(ReadPhoto(post.reference, from: .park()))
        }
    }

    @Test func aPhotoThatNobodyHasIsNotHere() async throws {
        try await together(fetchesPhotos: false) { alice, bob in
            let post = try await post(try await prepared(1, on: alice), by: alice)
            try await eventually("bob has the post") {
                try await bob.store.items.item(post.id, at: Clocks.machine()) != nil
            }
            let blob = try #require(try await row(post, of: alice)).name
            // Alice's copy goes, and her post stays.
            try await alice.store.blobs.remove(.record(post.id), of: blob)
            await #expect(throws: RequestError.photoNotHere) { _ = try await photo(post, of: bob) }
        }
    }

    @Test func aPhotoThatIsTooLargeIsNotShown() async throws {
        try await alone { alice in
            let blob = try #require(BlobName(root: .zero, size: BodyPhoto.bytesMax + 1))
            let place = Place(try .park())
            let body = PostBody(
                name: alice.home.name, place: place, text: "huge", placeName: "",
                photo: BodyPhoto(blob, width: 9_000, height: 9_000))
            let record = alice.home.identity.sign(
                Record(
                    kind: .post, author: alice.home.identity.peer,
                    created: HybridTime(wallTime: Clocks.machine()), lifetimeSeconds: 3_600, topic: [],
                    body: body.body))
            _ = try await alice.store.insert([IncomingRecord(record)], at: Clocks.machine())
            await #expect(throws: RequestError.badPicture(problem: .tooLarge(bytesMax: Int(BodyPhoto.bytesMax)))) {
                _ = try await alice.node.perform(ReadPhoto(ItemReference(record.id.hex)))
            }
        }
    }
}
