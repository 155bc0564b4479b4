import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import Testing

@testable import LatticeNode

@Suite struct PostTests {
    @Test func aPostIsReadNearbyAndWithheldFarAway() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let post = try await alice.ask(NewPost(text: "water here", at: try .park(), placeName: "gate"))
        #expect(post.text == "water here")
        try await alice.tell(bob)
        let near = try await bob.ask(NearQuery(.posts, centre: try .at(40.7148, -74.006), radius: 250))
        #expect(near.items.map(\.text) == ["water here"])
        #expect(near.items.map(\.authorName) == ["alice"])
        #expect(near.items.map(\.placeName) == ["gate"])
        let far = try await bob.ask(NearQuery(.posts, centre: try .at(40.7168, -74.006), radius: 250))
        #expect(far.items.map(\.state) == [.tooFar])
        #expect(far.items.map(\.text) == [nil])
        #expect(far.items.map(\.placeName) == [nil])
        let metres = try #require(far.items[0].metres)
        #expect(abs(metres - 444.8) < 1)
        #expect(try #require(far.items[0].bearing) == 180)
    }

    @Test func whatIsExactlyAtTheRadiusIsRead() async throws {
        let alice = try Person("alice")
        let centre = try Coordinate.park()
        let spot = try Coordinate.at(40.7168, -74.006)
        _ = try await alice.ask(NewPost(text: "edge", at: spot))
        let metres = centre.distance(to: spot)
        let at = try await alice.ask(NearQuery(.posts, centre: centre, radius: metres))
        #expect(at.items.map(\.state) == [.shown])
        let within = try await alice.ask(NearQuery(.posts, centre: centre, radius: metres - 0.001))
        #expect(within.items.map(\.state) == [.tooFar])
    }

    @Test func anotherPartOfTheMapIsReadFromWhereTheReaderIs() async throws {
        let alice = try Person("alice")
        let (park, there) = (try Coordinate.park(), try Coordinate.at(40.7528, -74.006))
        for (text, place) in [("at the park", park), ("over there", there), ("nearby", try .at(40.7538, -74.006))] {
            _ = try await alice.ask(NewPost(text: text, at: place))
        }
        let region = NearQuery(.posts, centre: there, reader: park, radius: 250, within: 1_000)
        let seen = try await alice.ask(region)
        #expect(seen.items.map(\.state) == [.tooFar, .tooFar])
        #expect(try #require(seen.items[0].metres) > 4_000 && seen.items[0].bearing == 0)
        #expect(seen.centre == there)
        let close = try await alice.ask(NearQuery(.posts, centre: there, reader: there, radius: 250, within: 50))
        #expect(close.items.map(\.text) == ["over there"])
        await #expect(throws: RequestError.self) {
            try await alice.ask(NearQuery(.posts, centre: there, within: PostLimit.searchMax + 1))
        }
    }

    @Test func theNewestWithinTheRadiusComeFirstAPageAtATime() async throws {
        let alice = try Person("alice")
        let park = try Coordinate.park()
        for (text, metres) in [("first", 10.0), ("second", 200), ("too far", 300), ("third", 100), ("fourth", 5)] {
            _ = try await alice.ask(NewPost(text: text, at: park.destination(bearing: 90, distance: metres)))
        }
        var query = NearQuery(.posts, centre: park, radius: 250, order: .newest, page: PageRequest(limit: 3))
        let page = try await alice.ask(query)
        #expect(page.items.map(\.text) == ["fourth", "third", "second"])
        query.page.after = page.next
        let last = try await alice.ask(query)
        #expect(last.items.map(\.text) == ["first"] && last.next == nil)
        // A cursor of the other order is none of this one.
        query.order = .closest
        let error = await #expect(throws: RequestError.self) { try await alice.ask(query) }
        #expect(error == .invalid(faults: [.otherCursor]))
    }

    @Test func aPostNeedsATextAndAPlace() async throws {
        let alice = try Person("alice")
        let error = await #expect(throws: RequestError.self) { try await alice.ask(NewPost(text: " ")) }
        #expect(error == .invalid(faults: [.empty(text: .text), .noPlace]))
        _ = try await alice.ask(SetHere(try .park()))
        #expect(try await alice.ask(NewPost(text: "x")).place == .park())
    }

    @Test func aBlurredPostTellsHowFarItWasBlurredAndNothingElse() async throws {
        let alice = try Person("alice")
        let post = try await alice.ask(NewPost(text: "x", at: try .park(), blur: 5))
        #expect(post.blur == 5)
        #expect(post.place != (try .park()))
    }

    @Test func commentsStandOldestFirstAndAreCounted() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let post = try await alice.ask(NewPost(text: "x", at: try .park()))
        try await alice.tell(bob)
        _ = try await bob.ask(SetHere(try .park()))
        for text in ["one", "two", "three"] { _ = try await bob.ask(NewComment(on: post.reference, text: text)) }
        try await bob.tell(alice)
        let detail = try await alice.detail(post.id)
        #expect(detail.comments.map(\.text) == ["one", "two", "three"])
        #expect(detail.item.comments == 3)
    }

    @Test func whoIsTooFarToReadIsTooFarToSayAnything() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let post = try await alice.ask(NewPost(text: "x", at: try .park()))
        try await alice.tell(bob)
        // A person without a place is not too far away.
        #expect(try await bob.ask(LikeItem(post.reference, true)).likes == 1)
        #expect(try await bob.detail(post.id).item.text == "x")
        _ = try await bob.ask(SetHere(try .at(0, 0)))
        let far = await #expect(throws: RequestError.self) {
            try await bob.ask(NewComment(on: post.reference, text: "y"))
        }
        #expect(far?.code == .tooFar)
        #expect(try await bob.detail(post.id).item.state == .tooFar)
        #expect(try await bob.detail(post.id, from: try .park()).item.state == .shown)
    }

    @Test func aLikeSaidTwiceCountsOnceAndIsTakenBack() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let post = try await alice.ask(NewPost(text: "x", at: try .park()))
        try await alice.tell(bob)
        _ = try await bob.ask(SetHere(try .park()))
        #expect(try await bob.ask(LikeItem(post.reference, true)).likes == 1)
        let twice = try await bob.ask(LikeItem(post.reference, true))
        #expect(twice.likes == 1)
        #expect(twice.isLikedByMe)
        try await bob.tell(alice)
        let detail = try await alice.detail(post.id)
        #expect(detail.likedBy.map(\.name) == ["bob"])
        #expect(detail.item.likes == 1)
        #expect(try await bob.ask(LikeItem(post.reference, false)).likes == 0)
        try await bob.tell(alice)
        #expect(try await alice.detail(post.id).item.likes == 0)
    }

    @Test func onlyItsAuthorChangesOrTakesBackAPost() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let post = try await alice.ask(NewPost(text: "first", at: try .park()))
        try await alice.tell(bob)
        for request in [EditItem(post.reference, text: "mine now"), DeleteItem(post.reference)] as [any Request] {
            let error = await #expect(throws: RequestError.self) { _ = try await bob.ask(request) }
            #expect(error?.code == .notTheAuthor)
        }
        #expect(try await alice.ask(EditItem(post.reference, text: "second")).text == "second")
        try await alice.tell(bob)
        let seen = try await bob.detail(post.id, from: try .park()).item
        #expect(seen.text == "second")
        #expect(seen.editedAt != nil)
        #expect(try await alice.ask(DeleteItem(post.reference)).state == .deletedByAuthor)
        try await alice.tell(bob)
        #expect(try await bob.detail(post.id).item.state == .deletedByAuthor)
        #expect(try await bob.detail(post.id).item.text == nil)
        #expect(try await bob.ask(NearQuery(.posts, centre: try .park())).items.isEmpty)
    }

    @Test func theAuthorOfAPostTakesACommentAway() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let post = try await alice.ask(NewPost(text: "x", at: try .park()))
        try await alice.tell(bob)
        let comment = try await bob.ask(NewComment(on: post.reference, text: "rude"), from: try .park())
        try await bob.tell(alice)
        #expect(try await alice.ask(DeleteItem(comment.reference)).state == .deletedByPostAuthor)
        try await alice.tell(bob)
        #expect(try await bob.detail(comment.id).item.state == .deletedByPostAuthor)
        #expect(try await bob.detail(comment.id).item.text == nil)
    }

    @Test func whatWasTakenBackTakesNoMore() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let post = try await alice.ask(NewPost(text: "x", at: try .park()))
        let draft = EventDraft(
            name: "fire", at: try .park(), starts: WallTime(milliseconds: Person.now.milliseconds + 3_600_000))
        let event = try await alice.ask(CreateEvent(draft))
        try await alice.tell(bob)
        _ = try await bob.ask(SetHere(try .park()))
        let comment = try await bob.ask(NewComment(on: post.reference, text: "rude"))
        _ = try await bob.ask(LikeItem(post.reference, true))
        try await bob.tell(alice)
        for item in [post, event, comment] { _ = try await alice.ask(DeleteItem(item.reference)) }
        try await alice.tell(bob)
        for (request, isByParentAuthor) in [
            (NewComment(on: post.reference, text: "y"), false), (LikeItem(post.reference, true), false),
            (NewComment(on: event.reference, text: "y"), false), (LikeItem(event.reference, true), false),
            (AttendEvent(event.reference, true), false),
            (LikeItem(comment.reference, true), true),
            (EditItem(comment.reference, text: "kind"), true),
        ] as [(any Request, Bool)] {
            let error = await #expect(throws: RequestError.self) { _ = try await bob.ask(request) }
            guard case .takenBack(_, let byParentAuthor)? = error else {
                Issue.record("\(request): \(String(describing: error))")
                continue
            }
            #expect(byParentAuthor == isByParentAuthor, "\(request)")
        }
        // A like can be removed from afar, and is removed once.
        #expect(try await bob.ask(LikeItem(post.reference, false)).likes == 0)
        let waiting = try await alice.store.outbox.waiting(limit: 100, after: nil).count
        #expect(try await alice.ask(DeleteItem(post.reference)).state == .deletedByAuthor)
        #expect(try await alice.ask(DeleteItem(comment.reference)).state == .deletedByPostAuthor)
        #expect(try await alice.store.outbox.waiting(limit: 100, after: nil).count == waiting)
    }

    @Test func theTimelineIsMineAndOfThoseIFollow() async throws {
        let (alice, bob, carol) = (try Person("alice"), try Person("bob"), try Person("carol"))
        func after(_ seconds: Int64) -> WallTime { WallTime(milliseconds: Person.now.milliseconds + seconds * 1_000) }
        _ = try await alice.ask(NewPost(text: "a1", at: try .park()), at: after(1))
        _ = try await bob.ask(NewPost(text: "b2", at: try .at(1, 1)), at: after(2))
        _ = try await carol.ask(NewPost(text: "c3", at: try .park()), at: after(3))
        _ = try await alice.ask(NewPost(text: "a4", at: try .park()), at: after(4))
        for other in [bob, carol] { try await other.tell(alice, at: after(5)) }
        #expect(try await alice.ask(ListTimeline(PageRequest()), at: after(6)).items.map(\.text) == ["a4", "a1"])
        #expect(try await alice.ask(FollowPerson(PeerReference("bob"), true)).isFollowedByMe)
        let first = try await alice.ask(ListTimeline(PageRequest(limit: 2)), at: after(6))
        #expect(first.items.map(\.text) == ["a4", "b2"])
        let next = try await alice.ask(ListTimeline(PageRequest(limit: 2, after: first.next)), at: after(6))
        #expect(next.items.map(\.text) == ["a1"])
        #expect(next.next == nil)
        let event = EventDraft(name: "e5", at: try .park(), starts: after(900))
        _ = try await bob.ask(CreateEvent(event), at: after(5))
        try await bob.tell(alice, at: after(6))
        let withEvent = try await alice.ask(ListTimeline(PageRequest(limit: 2)), at: after(6))
        #expect(withEvent.items.map { $0.title ?? $0.text } == ["e5", "a4"])
        #expect(try await alice.ask(FollowPerson(PeerReference("bob"), false)).isFollowedByMe == false)
        #expect(try await alice.ask(ListTimeline(PageRequest()), at: after(7)).items.map(\.text) == ["a4", "a1"])
    }

    @Test func onePersonsOwnPostsAndEventsAreAList() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        func after(_ seconds: Int64) -> WallTime { WallTime(milliseconds: Person.now.milliseconds + seconds * 1_000) }
        _ = try await alice.ask(NewPost(text: "a1", at: try .park()), at: after(1))
        _ = try await bob.ask(NewPost(text: "b2", at: try .park()), at: after(2))
        let event = EventDraft(name: "e3", at: try .park(), starts: after(500))
        _ = try await bob.ask(CreateEvent(event), at: after(3))
        _ = try await bob.ask(NewPost(text: "b4", at: try .at(1, 1)), at: after(4))
        try await bob.tell(alice, at: after(5))
        _ = try await alice.ask(SetHere(try .park()), at: after(5))
        let bobs = PeerReference("bob")
        let page = try await alice.ask(ListTimeline(by: bobs), at: after(6))
        #expect(page.items.map { $0.title ?? $0.text } == [nil, "e3", "b2"])
        #expect(page.items.first?.state == .tooFar)
        let elsewhere = ListTimeline(by: bobs, from: try .at(1, 1))
        let there = try await alice.ask(elsewhere, at: after(6)).items
        #expect(there.map { $0.title ?? $0.text } == ["b4", "e3", nil])
        let first = try await alice.ask(ListTimeline(PageRequest(limit: 2), by: bobs), at: after(6))
        let next = try await alice.ask(ListTimeline(PageRequest(limit: 2, after: first.next), by: bobs), at: after(6))
        #expect(first.items.count == 2 && next.items.map(\.text) == ["b2"] && next.next == nil)
        #expect(try await alice.ask(ListTimeline(by: bobs, onlyPhotos: true), at: after(6)).items.isEmpty)
        await #expect(throws: RequestError.unknownPeer(text: "nobody")) {
            _ = try await alice.ask(ListTimeline(by: PeerReference("nobody")), at: after(6))
        }
    }

    @Test func notificationsAreWhatOthersDidToWhatIsMine() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        func after(_ seconds: Int64) -> WallTime { WallTime(milliseconds: Person.now.milliseconds + seconds * 1_000) }
        let post = try await alice.ask(NewPost(text: "x", at: try .park()))
        try await alice.tell(bob)
        _ = try await bob.ask(SetHere(try .park()))
        _ = try await bob.ask(LikeItem(post.reference, true), at: after(1))
        _ = try await bob.ask(NewComment(on: post.reference, text: "nice"), at: after(2))
        _ = try await bob.ask(FollowPerson(PeerReference(alice.identity.peer.hex), true), at: after(3))
        _ = try await alice.ask(NewComment(on: post.reference, text: "mine"), at: after(4))
        try await bob.tell(alice, at: after(5))
        let page = try await alice.ask(ListNotifications())
        #expect(page.notifications.map(\.kind) == [.follow, .comment, .like])
        #expect(page.notifications.map(\.by.name) == ["bob", "bob", "bob"])
        #expect(page.notifications[1].comment?.text == "nice")
        #expect(page.notifications[2].item?.id == post.id)
    }

    @Test func aFrontIsToldWhatIsMeantAndWhatIsNot() async throws {
        let alice = try Person("alice")
        let post = try await alice.ask(NewPost(text: "x", at: try .park()))
        #expect(try await alice.ask(EditItem(ItemReference(post.short), text: "y")).id == post.id)
        for (text, code) in [
            ("0000ffff", RequestError.Code.unknownItem), ("12", .invalid), ("xyzw", .invalid), ("", .invalid),
        ] where !post.id.hex.hasPrefix(text) || text.isEmpty {
            let error = await #expect(throws: RequestError.self) {
                try await alice.ask(ShowItem(ItemReference(text)))
            }
            #expect(error?.code == code, "\(text)")
        }
        let nobody = await #expect(throws: RequestError.self) {
            try await alice.ask(FollowPerson(PeerReference("nobody"), true))
        }
        #expect(nobody?.code == .unknownPeer)
    }

    @Test func aNameInAProfileIsTheNameOfEverythingByIt() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        _ = try await alice.ask(NewPost(text: "x", at: try .park()))
        let orange = Colour(rgb: 0xFF8800)
        let change = ProfileChange(name: try PeerName("ally"), about: "here for the fire", colour: orange)
        #expect(try await alice.ask(change).name == "ally")
        try await alice.tell(bob)
        let person = try await bob.ask(ShowProfile(PeerReference("ally")))
        #expect(person.about == "here for the fire")
        #expect(person.colour == orange)
        #expect(person.posts == 1)
        // What is written afterwards does not undo it.
        _ = try await alice.ask(NewPost(text: "y", at: try .park()))
        #expect(try await alice.ask(ShowProfile()).name == "ally")
        #expect(try await bob.ask(NearQuery(.posts, centre: try .park())).items.map(\.authorName) == ["ally"])
    }
}

extension Person {
    /// Asks from a place.
    func ask<R: Request>(_ request: R, from place: Coordinate) async throws -> R.Reply {
        _ = try await ask(SetHere(place))
        return try await ask(request)
    }
}
