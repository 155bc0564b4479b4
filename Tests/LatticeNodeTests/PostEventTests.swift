import LatticeAPI
import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeNode

@Suite struct PostEventTests {
    private func after(hours: Int64) -> WallTime {
        WallTime(milliseconds: Person.now.milliseconds + hours * 3_600_000)
    }

    private func fire() throws -> EventDraft {
        EventDraft(
            name: "Campfire", at: try .park(), starts: after(hours: 2), ends: after(hours: 4), address: "Field 3")
    }

    @Test func whatIsMissingIsNamedAllAtOnce() async throws {
        let alice = try Person("alice")
        let error = await #expect(throws: RequestError.self) { try await alice.ask(CreateEvent(EventDraft())) }
        #expect(error?.faults.map(\.field) == [.place, .name, .starts])
    }

    @Test func eventsAreFoundNearestFirstWithinTheRadiusAlone() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        for (index, latitude) in [40.80, 40.72, 40.7130, 40.7128001].enumerated() {
            var draft = try fire()
            draft.name = "event \(index)"
            draft.at = try .at(latitude, -74.006)
            _ = try await alice.ask(CreateEvent(draft))
        }
        try await alice.tell(bob)
        let page = try await bob.ask(NearQuery(.events, centre: try .park(), radius: 2_000))
        #expect(page.items.map(\.title) == ["event 3", "event 2", "event 1"])
        let nothing = try await bob.ask(NearQuery(.events, centre: try .at(0, 0), radius: 100_000))
        #expect(nothing.items.isEmpty)
    }

    @Test func whoComesIsCountedOnceAndMayChangeTheirMind() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let event = try await alice.ask(CreateEvent(try fire()))
        try await alice.tell(bob)
        #expect(try await bob.ask(AttendEvent(event.reference, true)).attendees == 1)
        #expect(try await bob.ask(AttendEvent(event.reference, true)).attendees == 1)
        try await bob.tell(alice)
        #expect(try await alice.detail(event.id).attendedBy.map(\.name) == ["bob"])
        #expect(try await bob.ask(AttendEvent(event.reference, false)).attendees == 0)
        try await bob.tell(alice)
        #expect(try await alice.detail(event.id).attendedBy.isEmpty)
    }

    @Test func anEventThatIsPutOffLivesOn() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let event = try await alice.ask(CreateEvent(try fire()))
        let moved = try await alice.ask(EditEvent(event.reference, EventDraft(starts: after(hours: 100))))
        #expect(moved.starts == after(hours: 100))
        #expect(moved.ends == after(hours: 102))
        #expect(moved.title == "Campfire")
        #expect(moved.expires > event.expires)
        try await alice.tell(bob)
        #expect(try await bob.detail(event.id, at: after(hours: 100)).item.title == "Campfire")
    }

    @Test func onlyItsAuthorChangesAnEvent() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let event = try await alice.ask(CreateEvent(try fire()))
        try await alice.tell(bob)
        let error = await #expect(throws: RequestError.self) {
            try await bob.ask(EditEvent(event.reference, EventDraft(name: "Mine")))
        }
        #expect(error?.code == .notTheAuthor)
        let post = try await bob.ask(NewPost(text: "x", at: try .park()))
        let kind = await #expect(throws: RequestError.self) { try await bob.ask(AttendEvent(post.reference, true)) }
        #expect(kind?.code == .invalid)
    }

    @Test func anEventIsGoneADayAfterItsEnd() async throws {
        let alice = try Person("alice")
        let event = try await alice.ask(CreateEvent(try fire()))
        #expect(try await alice.detail(event.id, at: after(hours: 27)).item.title == "Campfire")
        await #expect(throws: RequestError.self) { try await alice.detail(event.id, at: after(hours: 29)) }
    }

    @Test func whatSomebodyAnnouncedAndGoesToIsListedByItsStart() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        var ids: [String: ItemInfo] = [:]
        for (name, start) in [("late", 8), ("soon", 2), ("morning", 5)] as [(String, Int64)] {
            var draft = try fire()
            (draft.name, draft.starts, draft.ends) = (name, after(hours: start), after(hours: start + 1))
            ids[name] = try await alice.ask(CreateEvent(draft))
        }
        try await alice.tell(bob)
        for name in ["late", "soon"] { _ = try await bob.ask(AttendEvent(try #require(ids[name]).reference, true)) }
        func titles(_ request: ListEvents, _ person: Person, hours: Int64 = 1) async throws -> [String?] {
            try await person.ask(request, at: after(hours: hours)).items.map {
                $0.isPast ? "past \($0.title ?? "")" : $0.title
            }
        }
        #expect(try await titles(ListEvents(), alice) == ["soon", "morning", "late"])
        #expect(try await titles(ListEvents(), alice, hours: 7) == ["late", "past morning", "past soon"])
        #expect(try await titles(ListEvents(by: PeerReference("alice")), bob) == ["soon", "morning", "late"])
        #expect(try await titles(ListEvents(isAttending: true), bob, hours: 4) == ["late", "past soon"])
        #expect(try await titles(ListEvents(), bob).isEmpty)
        #expect(try await titles(ListEvents(isAttending: true), alice).isEmpty)
        // Pages go on from what is not over to what is.
        var page = PageRequest(limit: 1)
        var pages: [String?] = []
        repeat {
            let found = try await alice.ask(ListEvents(page), at: after(hours: 7))
            pages += found.items.map(\.title)
            page.after = found.next
        } while page.after != nil
        #expect(pages == ["late", "morning", "soon"])
        _ = try await bob.ask(AttendEvent(try #require(ids["late"]).reference, false))
        #expect(try await titles(ListEvents(isAttending: true), bob) == ["soon"])
        await #expect(throws: RequestError.unknownPeer(text: "nobody")) {
            _ = try await alice.ask(ListEvents(by: PeerReference("nobody")))
        }
        for cursor in ["t-0-0", "c-zz", "p", "c-0-0-0", ""] {
            await #expect(throws: RequestError.invalid(faults: [.otherCursor])) {
                _ = try await alice.ask(ListEvents(PageRequest(after: PageCursor(cursor))))
            }
        }
    }
}
