import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// Places that have names.
@Suite struct PlaceTests {
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
    private func insert(_ records: VerifiedRecord...) async throws -> [InsertOutcome] {
        try await store.insert(records, at: Morning.arrival)
    }

    private func titles(partOf outer: RecordID? = nil) async throws -> [String] {
        try await store.places.newest(partOf: outer, at: Morning.arrival, limit: 10).map(\.title)
    }

    @Test func aPlaceIsFoundAroundItByWordsAndByWhatItIsPartOf() async throws {
        let camp = anna.place("Camp")
        let kitchen = bert.place("Kitchen", partOf: camp.id)
        #expect(try await insert(kitchen, camp) == [.added, .added])
        let near = try await store.items.near(
            NearSearch(kind: .place, centre: Morning.place.coordinate, reachMetres: 10, now: Morning.arrival))
        #expect(Set(near.map(\.item.title)) == ["Camp", "Kitchen"])
        let found = try await store.items.search(
            WordSearch(
                words: "kitchen soup", isNearestFirst: false, position: nil, readableMetres: 1, now: Morning.arrival,
                limit: 10))
        #expect(Set(found.map(\.item.title)) == ["Camp", "Kitchen"])
        #expect(try await titles(partOf: camp.id) == ["Kitchen"])
        #expect(try await titles(partOf: kitchen.id).isEmpty)
        #expect(Set(try await titles()) == ["Camp", "Kitchen"])
        let item = try #require(try await store.items.item(kitchen.id, at: Morning.arrival))
        #expect(item.parent == camp.id && item.placeName == "kitchen" && item.hours == "8 to 20" && item.text == "soup")
        try await insert(bert.delete(kitchen.id))
        #expect(try await titles() == ["Camp"])
    }

    /// Whichever comes first.
    @Test(arguments: [true, false]) func onlyItsAuthorAndWhomTheyNameMayEditIt(isEditFirst: Bool) async throws {
        let kitchen = anna.place("Kitchen", editors: [bert.peer])
        let stranger = try Author(3)
        let (edit, foreign) = (
            bert.edit(kitchen.id, bert.placeBody("Soup kitchen")), stranger.edit(kitchen.id, stranger.placeBody("Mine"))
        )
        if isEditFirst {
            #expect(try await insert(edit, foreign) == [.added, .added])
            #expect(try await insert(kitchen) == [.added])
        } else {
            #expect(try await insert(kitchen, edit, foreign).map(\.isRefused) == [false, false, true])
        }
        #expect(try await titles() == ["Soup kitchen"])
        // Whom an editor names is no editor, and an editor deletes nothing.
        let more = bert.edit(kitchen.id, bert.placeBody("Kitchen 2", editors: [stranger.peer]))
        #expect(try await insert(more, bert.delete(kitchen.id)).map(\.isRefused) == [false, true])
        #expect(try await insert(stranger.edit(kitchen.id, stranger.placeBody("Mine"))).map(\.isRefused) == [true])
        #expect(try await titles() == ["Kitchen 2"])
    }

    /// Edits that somebody may not make are in it neither before nor after the place came.
    @Test(arguments: [true, false]) func itsVersionsAreKeptTheNewestFirst(isEditFirst: Bool) async throws {
        let kitchen = anna.place("Kitchen", editors: [bert.peer])
        let stranger = try Author(3)
        let edits = [
            bert.edit(kitchen.id, bert.placeBody("Soup kitchen")),
            stranger.edit(kitchen.id, stranger.placeBody("Mine")), anna.edit(kitchen.id, anna.placeBody("Canteen")),
        ]
        if !isEditFirst { try await insert(kitchen) }
        for edit in edits { try await insert(edit) }
        if isEditFirst { try await insert(kitchen) }
        let versions = try await store.places.versions(of: kitchen.id, limit: 10)
        let dates = versions.filter { !$0.isOriginal }.map(\.date.milliseconds)
        #expect(dates == dates.sorted(by: >))
        #expect(Set(versions.map(\.body.name)) == ["Kitchen", "Soup kitchen", "Canteen"])
        #expect(versions.map(\.isOriginal) == [false, false, true])
        #expect(versions.last?.body.name == "Kitchen" && versions.last?.author == anna.peer)
        #expect(try await store.places.versions(of: kitchen.id, limit: 2).count == 2)
        try await insert(anna.delete(kitchen.id))
        #expect(try await store.places.versions(of: kitchen.id, limit: 10).isEmpty)
        // A post has edits, too, and is no place.
        let post = anna.post("hello")
        try await insert(post)
        #expect(try await store.places.versions(of: post.id, limit: 10).isEmpty)
    }

    @Test func aPlaceLivesAsLongAsItsNewestEdit() async throws {
        let kitchen = anna.place("Kitchen")
        try await insert(kitchen)
        try await insert(anna.edit(kitchen.id, anna.placeBody("Kitchen"), lifetimeSeconds: 864_000))
        let later = Morning.after(seconds: 432_000)
        #expect(try await store.items.item(kitchen.id, at: later)?.title == "Kitchen")
    }

    @Test func aPostRemembersTheNamedPlace() async throws {
        let kitchen = anna.place("Kitchen")
        let body = PostBody(
            name: anna.name, place: Morning.place, text: "soup", placeName: "Kitchen", atPlace: kitchen.id
        ).body
        let post = anna.say(.post, body: body)
        try await insert(post)
        #expect(try await store.items.item(post.id, at: Morning.arrival)?.atPlace == kitchen.id)
    }

    @Test func aPlaceWithATopicOfAnotherLengthIsRefused() async throws {
        let outcome = try await insert(anna.say(.place, topic: [1, 2, 3], body: anna.placeBody("Kitchen")))
        #expect(outcome.map(\.isRefused) == [true])
    }
}

extension InsertOutcome {
    fileprivate var isRefused: Bool { if case .refused = self { true } else { false } }
}
