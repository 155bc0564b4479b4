import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire
import Logging
import Testing

@testable import LatticeNode

/// Cards of the mesh.
@Suite struct CardTests {
    private static let day: Int64 = 86_400_000

    private func camp() throws -> MeshCardDraft {
        var draft = MeshCardDraft()
        (draft.name, draft.about, draft.welcome) = ("Camp", "By the lake", "Hello!")
        (draft.rules, draft.textLength) = ("Quiet at ten.\nNo fires.", 10)
        (draft.area, draft.radiusChoices) = (MapArea(try .park(), metres: 500), [2_000, 100, 100])
        return draft
    }

    @Test func aCardOfTheOwnerCountsForThemAndForThoseWhoTakeIt() async throws {
        let (alice, bob, carol) = (try Person("alice"), try Person("bob"), try Person("carol"))
        let nobody = try await bob.ask(ShowMeshCard())
        #expect(nobody == MeshCardStatus())
        #expect(nobody.defaults == MeshDefaults(textClusters: 140, radiusChoices: [250, 2_000, 5_000]))
        let mine = try await alice.ask(SetMeshCard(try camp()))
        #expect(mine.isMine && mine.signer == alice.archive.me && mine.card?.name == "Camp")
        #expect(mine.defaults == MeshDefaults(textClusters: 10, radiusChoices: [100, 2_000]))
        var other = MeshCardDraft()
        (other.name, other.textLength) = ("Mine now", 1_000)
        _ = try await carol.ask(SetMeshCard(other))
        try await alice.tell(bob, carol)
        try await carol.tell(bob, alice)
        // A card by whom nobody chose changes nothing.
        #expect(try await bob.ask(ShowMeshCard()) == MeshCardStatus())
        let taken = try await bob.ask(TakeMeshCard(PeerReference(alice.archive.me)))
        #expect(!taken.isMine && taken.signer == alice.archive.me)
        let card = try #require(taken.card)
        #expect(card.name == "Camp" && card.authorName == "alice" && card.at <= Person.now)
        #expect(card.about == "By the lake" && card.welcome == "Hello!" && card.rules == "Quiet at ten.\nNo fires.")
        #expect(card.area == MapArea(try .park(), metres: 500) && card.radiusChoices == [100, 2_000])
        #expect(try await alice.ask(ShowMeshCard()).card?.name == "Camp")
        #expect(try await carol.ask(ShowMeshCard()).card?.name == "Mine now")
        #expect(try await bob.ask(TakeMeshCard(nil)) == MeshCardStatus())
    }

    /// A person from whom nothing has come is known by their key.
    @Test func aCardMayComeLaterThanItIsTaken() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let early = try await bob.ask(TakeMeshCard(PeerReference(alice.archive.me)))
        #expect(early.signer == alice.archive.me && early.card == nil)
        _ = try await alice.ask(SetMeshCard(try camp()))
        try await alice.tell(bob)
        #expect(try await bob.ask(ShowMeshCard()).card?.name == "Camp")
        await #expect(throws: RequestError.self) { try await bob.ask(TakeMeshCard(PeerReference("somebody"))) }
    }

    @Test func theLengthOfTextsIsThatOfTheCardUnlessOneChoseAnother() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let dave = try Person("dave", textClustersMax: 20)
        _ = try await alice.ask(SetMeshCard(try camp()))
        try await alice.tell(bob, dave)
        for person in [bob, dave] { _ = try await person.ask(TakeMeshCard(PeerReference(alice.archive.me))) }
        let post = NewPost(text: "eleven char", at: try .park())
        let error = await #expect(throws: RequestError.self) { try await bob.ask(post) }
        #expect(error == .invalid(faults: [.tooManyCharacters(text: .text, count: 11, max: 10)]))
        #expect(try await dave.ask(post).text == "eleven char")
        #expect(try await dave.ask(ShowMeshCard()).defaults.textClusters == 20)
        _ = try await bob.ask(TakeMeshCard(nil))
        #expect(try await bob.ask(post).text == "eleven char")
    }

    @Test func whatIsLeftOutStaysAndWhatIsRemovedGoes() async throws {
        let alice = try Person("alice")
        _ = try await alice.ask(SetMeshCard(try camp()))
        var change = MeshCardDraft()
        change.welcome = "Come in"
        let changed = try await alice.ask(SetMeshCard(change, remove: [.area, .rules, .textLength, .welcome]))
        let card = try #require(changed.card)
        #expect(card.name == "Camp" && card.about == "By the lake" && card.welcome == "Come in")
        #expect(card.area == nil && card.rules == nil && card.textLength == nil && card.radiusChoices == [100, 2_000])
    }

    @Test func whatIsWrongInACardIsSaidAltogether() async throws {
        let alice = try Person("alice")
        var draft = MeshCardDraft()
        (draft.name, draft.about) = (String(repeating: "é", count: 33), String(repeating: "a", count: 1_025))
        (draft.area, draft.textLength) = (MapArea(try .park(), metres: 9), 1_001)
        (draft.radiusChoices, draft.welcome) = ([0], String(repeating: "w", count: 513))
        draft.rules = String(repeating: "r", count: 4_097)
        draft.pins = [PlaceReference](repeating: PlaceReference("Kitchen"), count: 17)
        let error = await #expect(throws: RequestError.self) { try await alice.ask(SetMeshCard(draft)) }
        #expect(
            error?.faults.map(\.field) == [.name, .about, .welcome, .rules, .area, .textLength, .radius, .pins])
        let nameless = await #expect(throws: RequestError.self) { try await alice.ask(SetMeshCard(MeshCardDraft())) }
        #expect(nameless == .invalid(faults: [.empty(text: .meshName)]))
        draft = MeshCardDraft()
        (draft.name, draft.pins) = ("Camp", [PlaceReference("Nowhere")])
        let unknown = await #expect(throws: RequestError.self) { try await alice.ask(SetMeshCard(draft)) }
        #expect(unknown == .unknownPlace(name: "Nowhere", similar: []))
        #expect(try await alice.ask(ShowMeshCard()) == MeshCardStatus())
    }

    @Test func pinnedPlacesComeFirstAndOnlyThoseThatAreHere() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        var ids: [RecordID] = []
        for (number, name) in ["Tap", "Stage", "Kitchen"].enumerated() {
            let place = PlaceDraft(
                name: name, at: try .at(40.7128 + Double(number) * 0.003, -74.006), category: "camp")
            ids.append(try await alice.ask(CreatePlace(place)).id)
        }
        try await alice.tell(bob)
        var draft = try camp()
        draft.pins = [PlaceReference("kitchen"), PlaceReference(ids[0].hex), PlaceReference("Kitchen")]
        _ = try await alice.ask(SetMeshCard(draft))
        _ = try await alice.ask(DeleteItem(ItemReference(ids[0].hex)))
        try await alice.tell(bob)
        let taken = try await bob.ask(TakeMeshCard(PeerReference(alice.archive.me)))
        #expect(taken.card?.pins == [MeshCard.Pin(ids[2], name: "Kitchen"), MeshCard.Pin(ids[0], name: nil)])
        _ = try await bob.ask(SetHere(try .park()))
        let listed = try await bob.ask(ListPlaces())
        #expect(listed.items.map(\.title) == ["Kitchen", "Stage"] && listed.items.map(\.isPinned) == [true, false])
        // Once, on the first page, in addition to it.
        let first = try await bob.ask(ListPlaces(page: PageRequest(limit: 1)))
        #expect(first.items.map(\.title) == ["Kitchen", "Stage"])
        let second = try await bob.ask(ListPlaces(page: PageRequest(limit: 1, after: first.next)))
        #expect(second.items.isEmpty && second.next == nil)
        for narrow in [ListPlaces(category: "camp"), ListPlaces(within: 5_000)] {
            #expect(try await bob.ask(narrow).items.map(\.title) == ["Stage", "Kitchen"])
        }
    }

    @Test func itsSignerSignsItAgainAfterADay() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        func later(_ milliseconds: Int64) -> WallTime { WallTime(milliseconds: Person.now.milliseconds + milliseconds) }
        _ = try await alice.ask(SetMeshCard(try camp()))
        try await alice.tell(bob)
        _ = try await bob.ask(TakeMeshCard(PeerReference(alice.archive.me)))
        let first = try #require(try await alice.ask(ShowMeshCard()).card)
        try await alice.archive.desk.renew(at: later(Self.day - 60_000))
        try await bob.archive.desk.renew(at: later(Self.day + 60_000))
        for person in [alice, bob] { #expect(try await person.ask(ShowMeshCard()).card == first) }
        try await alice.archive.desk.renew(at: later(Self.day + 60_000))
        try await alice.tell(bob, at: later(Self.day + 90_000))
        let again = try #require(try await bob.ask(ShowMeshCard(), at: later(Self.day + 90_000)).card)
        #expect(again.record != first.record && again.at >= later(Self.day) && again.rules == first.rules)
    }

    @Test func aSignerIsNamedByAKeyOrALink() throws {
        let key = PeerID(Bytes32(words: (1, 2, 3, 4)))
        let link = try InvitationLink(mesh: MeshName("camp"), access: .open, addresses: [], inviter: nil, card: key)
        #expect(try CardSigner.parse(key.hex.uppercased()) == key)
        #expect(try CardSigner.parse(link.text) == key)
        #expect(throws: CardSigner.Fault.linkWithoutCard) { try CardSigner.parse("lattice://join/camp?v=1") }
        #expect(throws: CardSigner.Fault.neither) { try CardSigner.parse("bob") }
        #expect(throws: CardSigner.Fault.badLink(InvitationLinkError.noLink.description)) {
            try CardSigner.parse("https://example.org")
        }
    }

    /// The key of a link is kept: a later start without one takes the same card.
    @Test func aStartWithAKeyKeepsIt() async throws {
        let alice = try Person("alice")
        let (one, other) = (PeerID(Bytes32(words: (1, 2, 3, 4))), PeerID(Bytes32(words: (5, 6, 7, 8))))
        for (told, kept) in [(nil, nil), (one, one), (nil, one), (other, other)] as [(PeerID?, PeerID?)] {
            await alice.archive.takeCard(of: told, .init(label: "test"))
            #expect(try await alice.ask(ShowMeshCard()).signer == kept)
        }
    }
}
