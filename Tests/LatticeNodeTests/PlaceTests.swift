import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import Testing

@testable import LatticeNode

/// Places that have names.
@Suite struct PlaceTests {
    private func place(_ name: String, partOf outer: String? = nil, north metres: Double = 0) throws -> PlaceDraft {
        PlaceDraft(
            name: name, at: try .at(40.7128 + metres / 111_195, -74.006), partOf: outer.map { PlaceReference($0) })
    }

    @Test func aPlaceIsFoundByItsNameWithoutCaseAndAccents() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let made = try await alice.ask(CreatePlace(try place("Große  Küche")))
        #expect(made.title == "Große  Küche" && made.kind == .place && made.state == .shown)
        try await alice.tell(bob)
        for name in ["grosse kuche", "große küche", made.id.hex, String(made.short)] where name != "grosse kuche" {
            #expect(try await bob.ask(FindPlace(PlaceReference(name))).id == made.id, "\(name)")
        }
        let error = await #expect(throws: RequestError.self) {
            try await bob.ask(FindPlace(PlaceReference("große kuch")))
        }
        #expect(error == .unknownPlace(name: "große kuch", similar: ["Große  Küche"]))
        let unknown = await #expect(throws: RequestError.self) { try await bob.ask(FindPlace(PlaceReference("stage"))) }
        #expect(unknown == .unknownPlace(name: "stage", similar: []))
        for empty in ["", "/", " ", "Camp/"] {
            await #expect(throws: RequestError.self, "\(empty)") { try await bob.ask(FindPlace(PlaceReference(empty))) }
        }
    }

    @Test func ofSeveralPlacesOfANameTheNearestIsMeantOrTheOneInside() async throws {
        let alice = try Person("alice")
        for (outer, metres) in [("North camp", 1_000.0), ("South camp", -2_000)] {
            _ = try await alice.ask(CreatePlace(try place(outer, north: metres)))
            _ = try await alice.ask(CreatePlace(try place("Kitchen", partOf: outer, north: metres + 100)))
        }
        _ = try await alice.ask(SetHere(try .park()))
        #expect(try await alice.ask(FindPlace(PlaceReference("kitchen"))).partOf == "North camp")
        #expect(try await alice.ask(FindPlace(PlaceReference("south camp/kitchen"))).partOf == "South camp")
        let parts = try await alice.ask(ListPlaces(partOf: PlaceReference("south camp")))
        #expect(parts.items.map(\.title) == ["Kitchen"])
        let near = try await alice.ask(ListPlaces(within: 1_500))
        #expect(near.items.map(\.title) == ["North camp", "Kitchen"])
        #expect(try await alice.ask(ListPlaces(centre: try .at(40.69, -74.006))).items.count == 4)
        await #expect(throws: RequestError.self) { try await alice.ask(FindPlace(PlaceReference("east camp/kitchen"))) }
    }

    @Test func aListHasPagesAndKinds() async throws {
        let alice = try Person("alice")
        for number in 1...5 {
            var draft = try place("Tap \(number)", north: Double(number) * 300)
            draft.category = number.isMultiple(of: 2) ? "Water" : "beer"
            _ = try await alice.ask(CreatePlace(draft))
        }
        for isAround in [false, true] {
            if isAround { _ = try await alice.ask(SetHere(try .park())) }
            var names: [String?] = []
            var page = PageRequest(limit: 2)
            repeat {
                let found = try await alice.ask(ListPlaces(page: page))
                names += found.items.map(\.title)
                page.after = found.next
            } while page.after != nil
            let order = isAround ? Array(1...5) : (1...5).reversed()
            #expect(names == order.map { "Tap \($0)" })
        }
        #expect(try await alice.ask(ListPlaces(category: "wäter")).items.map(\.title) == ["Tap 2", "Tap 4"])
    }

    @Test func aPlaceThatMayBeTheSameIsShownFirst() async throws {
        let alice = try Person("alice")
        _ = try await alice.ask(CreatePlace(try place("Kitchen")))
        for (name, metres) in [("Stage", 20.0), ("Main kitchen", 200), ("KITCHEN", 200)] {
            let error = await #expect(throws: RequestError.self) {
                try await alice.ask(CreatePlace(try place(name, north: metres)))
            }
            guard case .similarPlaces(let places)? = error else { throw Person.Unexpected() }
            #expect(places.map(\.name) == ["Kitchen"] && abs(places[0].metres - metres) < 1)
        }
        _ = try await alice.ask(CreatePlace(try place("Stage", north: 40)))
        _ = try await alice.ask(CreatePlace(try place("Kitchen", north: 400)))
        _ = try await alice.ask(CreatePlace(try place("Kitchen", north: 1), anyway: true))
        // Parts stand close together, in places whose names may be part of theirs.
        _ = try await alice.ask(CreatePlace(try place("Left wing of the stage", partOf: "Stage", north: 40)))
        _ = try await alice.ask(CreatePlace(try place("Left stairs", partOf: "Left wing of the stage", north: 41)))
        await #expect(throws: RequestError.self) {
            try await alice.ask(CreatePlace(try place("left Stairs", partOf: "Stage", north: 42)))
        }
    }

    @Test func onlyItsAuthorAndItsEditorsChangeAPlace() async throws {
        let (alice, bob, carol) = (try Person("alice"), try Person("bob"), try Person("carol"))
        for person in [bob, carol] {
            _ = try await person.ask(NewPost(text: "hello", at: try .park()))
            try await person.tell(alice)
        }
        var draft = try place("Kitchen")
        (draft.category, draft.hours, draft.editors) = ("kitchen", "8 to 20", [PeerReference("bob")])
        let kitchen = try await alice.ask(CreatePlace(draft))
        try await alice.tell(bob, carol)
        let change = EditPlace(kitchen.reference, PlaceDraft(hours: "8 to 22"))
        #expect(try await bob.ask(change).hours == "8 to 22")
        try await bob.tell(alice, carol)
        let seen = try await alice.detail(kitchen.id).item
        #expect(seen.hours == "8 to 22" && seen.category == "kitchen" && seen.editedAt != nil && seen.isMine)
        // An edit takes no right away, and gives none.
        for (person, mayEdit) in [(alice, true), (bob, true), (carol, false)] {
            #expect(try await person.detail(kitchen.id).mayEdit == mayEdit)
        }
        // Everybody sees who changed what; a place that nobody changed has no history.
        #expect(try await carol.detail(kitchen.id).versions.map(\.hours) == ["8 to 22", "8 to 20"])
        #expect(try await carol.detail(kitchen.id).versions.map(\.authorName) == ["bob", "alice"])
        let stage = try await alice.ask(CreatePlace(try place("Stage", north: 90)))
        #expect(try await alice.detail(stage.id).versions.isEmpty)
        let error = await #expect(throws: RequestError.self) { try await carol.ask(change) }
        #expect(error == .notTheAuthor(kind: .place, act: .edit))
        for faulty in [PlaceDraft(partOf: PlaceReference("Camp")), PlaceDraft(editors: [])] {
            await #expect(throws: RequestError.self) { try await alice.ask(EditPlace(kitchen.reference, faulty)) }
        }
        let post = try await alice.ask(NewPost(text: "x", at: try .park()))
        let wrong = await #expect(throws: RequestError.self) {
            try await alice.ask(EditPlace(post.reference, PlaceDraft(hours: "never")))
        }
        #expect(wrong == .notAPlace(kind: .post))
        // The shorter way changes the description.
        #expect(try await alice.ask(EditItem(kitchen.reference, text: "Bring a cup")).text == "Bring a cup")
    }

    @Test func whatIsWrongInAPlaceIsSaidAltogether() async throws {
        let alice = try Person("alice")
        var draft = PlaceDraft(name: "a/b", category: String(repeating: "k", count: 33))
        draft.hours = String(repeating: "h", count: 141)
        let error = await #expect(throws: RequestError.self) { try await alice.ask(CreatePlace(draft)) }
        #expect(error?.faults.map(\.field) == [.name, .kind, .hours, .place])
        let nameless = await #expect(throws: RequestError.self) {
            try await alice.ask(CreatePlace(PlaceDraft(at: try .park())))
        }
        #expect(nameless == .invalid(faults: [.empty(text: .name)]))
    }

    @Test func aCircleOfPlacesEnds() async throws {
        let alice = try Person("alice")
        _ = try await alice.ask(CreatePlace(try place("Outer")))
        for depth in 1...12 {
            let outer = depth == 1 ? "Outer" : "Level \(depth - 1)"
            _ = try await alice.ask(CreatePlace(try place("Level \(depth)", partOf: outer, north: Double(depth) * 500)))
        }
        #expect(try await alice.ask(FindPlace(PlaceReference("Level 10/Level 12"))).title == "Level 12")
        await #expect(throws: RequestError.self) { try await alice.ask(FindPlace(PlaceReference("Outer/Level 12"))) }
    }

    @Test func aLockedPostIsReadOnlyByThoseWhoAreThere() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let post = try await alice.ask(NewPost(text: "the key is under the oak", at: try .park(), unlockMetres: 50))
        #expect(post.state == .shown && post.unlockMetres == 50)
        try await alice.tell(bob)
        _ = try await bob.ask(FollowPerson(PeerReference("alice"), true))
        func bobs() async throws -> [ItemInfo] {
            try await [
                bob.detail(post.id).item,
                bob.ask(NearQuery(.posts, centre: bob.ask(ShowHere()).place ?? .park())).items[0],
                bob.ask(ListTimeline(by: PeerReference("alice"))).items[0],
            ]
        }
        func found() async throws -> Int {
            let here = try await bob.ask(ShowHere()).place
            return try await bob.ask(SearchQuery(words: "oak")).items.count
                + bob.ask(SearchQuery(words: "oak", near: here ?? .at(40.7138, -74.006))).items.count
        }
        // Without a place, and at 111 m: neither following its author nor a wide radius helps.
        #expect(try await bob.detail(post.id).item.state == .tooFar)
        #expect(try await found() == 0)
        _ = try await bob.ask(SetHere(try .at(40.7138, -74.006)))
        for item in try await bobs() { #expect(item.state == .tooFar && item.text == nil && item.unlockMetres == 50) }
        #expect(try await found() == 0)
        let error = await #expect(throws: RequestError.self) {
            try await bob.ask(NewComment(on: post.reference, text: "x"))
        }
        #expect(error == .tooFar)
        _ = try await bob.ask(SetHere(try .at(40.7132, -74.006)))
        for item in try await bobs() { #expect(item.state == .shown && item.text == "the key is under the oak") }
        #expect(try await found() == 2)
        for metres in [4, 100_001] {
            let fault = await #expect(throws: RequestError.self) {
                try await alice.ask(NewPost(text: "x", at: try .park(), unlockMetres: metres))
            }
            #expect(fault == .invalid(faults: [.unlock(min: 5, maxKilometres: 100)]))
        }
        // An edit keeps the lock.
        #expect(try await alice.ask(EditItem(post.reference, text: "under the elm")).unlockMetres == 50)
    }

    @Test func aPostAtAPlaceStaysThereWhenItIsEdited() async throws {
        let alice = try Person("alice")
        let kitchen = try await alice.ask(CreatePlace(try place("Kitchen")))
        let post = try await alice.ask(
            NewPost(text: "soup", at: kitchen.place, placeName: "Kitchen", atPlace: kitchen.id))
        #expect(post.atPlace == kitchen.id)
        #expect(try await alice.ask(EditItem(post.reference, text: "no soup")).atPlace == kitchen.id)
        let event = try await alice.ask(
            CreateEvent(EventDraft(name: "Dinner", at: kitchen.place, starts: Person.now, atPlace: kitchen.id)))
        #expect(event.atPlace == kitchen.id)
        let later = try await alice.ask(EditEvent(event.reference, EventDraft(name: "Late dinner")))
        #expect(later.atPlace == kitchen.id)
        let moved = try await alice.ask(EditEvent(event.reference, EventDraft(at: try .at(41, -74))))
        #expect(moved.atPlace == nil)
    }
}
