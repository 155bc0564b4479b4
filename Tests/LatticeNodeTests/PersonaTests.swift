import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import Testing

@testable import LatticeNode

/// What the owner can do as a person, a visitor can, and neither sees the other's marks.
@Suite(.timeLimit(.minutes(10))) struct PersonaTests {
    private func withVisitor(_ work: (_ here: Chatter, _ bob: Guest) async throws -> Void) async throws {
        let here = try await Chatter(try Home("ann"))
        try await here.run { try await work(here, try await here.admit("bob")) }
    }

    @Test func aVisitorsLikeIsItsOwn() async throws {
        try await withVisitor { here, bob in
            let post = try await here.node.perform(NewPost(text: "water is here", at: try .park()))
            let liked = try await bob.visitor.perform(LikeItem(post.reference, true))
            #expect(liked.likes == 1 && liked.isLikedByMe)
            let seen = try await here.node.perform(ShowItem(post.reference))
            #expect(seen.item.likes == 1 && !seen.item.isLikedByMe)
            #expect(seen.likedBy.map(\.id) == [bob.id])
            let page = try await here.node.perform(ListNotifications())
            #expect(page.notifications.map(\.by.id) == [bob.id])
            #expect(try await bob.visitor.perform(ListNotifications()).notifications.isEmpty)
            #expect(try await bob.visitor.perform(LikeItem(post.reference, false)).likes == 0)
        }
    }

    @Test func aVisitorListsWhatOthersDidToIt() async throws {
        try await withVisitor { here, bob in
            let carol = try await here.admit("carol")
            let post = try await bob.visitor.perform(NewPost(text: "by bob", at: try .park()))
            _ = try await here.node.perform(LikeItem(post.reference, true))
            _ = try await carol.visitor.perform(NewComment(on: post.reference, text: "thanks"))
            _ = try await carol.visitor.perform(FollowPerson(PeerReference(bob.id), true))
            let notifications = try await bob.visitor.perform(ListNotifications()).notifications
            #expect(notifications.map(\.kind) == [.follow, .comment, .like])
            #expect(notifications.map(\.by.id) == [carol.id, carol.id, here.home.identity.peer])
            #expect(try await here.node.perform(ListNotifications()).notifications.isEmpty)
        }
    }

    @Test func aVisitorIsNotifiedOfWhatOthersDoToIt() async throws {
        try await withVisitor { here, bob in
            let carol = try await here.admit("carol")
            let post = try await bob.visitor.perform(NewPost(text: "by bob", at: try .park()))
            _ = try await here.node.perform(LikeItem(post.reference, true))
            _ = try await carol.visitor.perform(NewComment(on: post.reference, text: "thanks"))
            _ = try await carol.visitor.perform(FollowPerson(PeerReference(bob.id), true))
            _ = try await bob.visitor.perform(LikeItem(post.reference, true))
            try await eventually("all three") { bob.own.notifications.map(\.kind) == [.like, .comment, .follow] }
            #expect(carol.own.notifications.isEmpty)
            #expect(here.events.allSatisfy { if case .notification = $0 { false } else { true } })
        }
    }

    @Test func aVisitorIsNotifiedOfPostsNearItsPlaceAndOfWhomItFollows() async throws {
        try await withVisitor { here, bob in
            let carol = try await here.admit("carol")
            let (far, munich) = (try Coordinate.at(-33.86, 151.21), try Coordinate.at(48.137, 11.575))
            _ = try await bob.visitor.perform(SetHere(munich))
            let near = try await here.node.perform(NewPost(text: "near bob", at: munich))
            let followed = PeerReference(here.home.identity.peer)
            _ = try await carol.visitor.perform(SetHere(far))
            _ = try await carol.visitor.perform(FollowPerson(followed, true))
            _ = try await bob.visitor.perform(NewPost(text: "by bob", at: munich))
            let last = try await here.node.perform(NewPost(text: "nowhere near", at: try .park()))
            try await eventually("the post of somebody followed") { carol.own.posted.last == last.id }
            #expect(carol.own.posted.allSatisfy { $0 == last.id || $0 == near.id })
            try await eventually("the post near bob") { bob.own.posted == [near.id] }
        }
    }

    @Test func aVisitorsTimelineHasWhomItFollows() async throws {
        try await withVisitor { here, bob in
            let carol = try await here.admit("carol")
            let post = try await here.node.perform(NewPost(text: "by the owner", at: try .park()))
            _ = try await carol.visitor.perform(NewPost(text: "by carol", at: try .park()))
            let owner = PeerReference(here.home.identity.peer)
            let followed = try await bob.visitor.perform(FollowPerson(owner, true))
            #expect(followed.isFollowedByMe && followed.followers == 1)
            #expect(try await bob.visitor.perform(ListTimeline()).items.map(\.id) == [post.id])
            #expect(try await here.node.perform(ListTimeline()).items.map(\.id) == [post.id])
            #expect(try await carol.visitor.perform(ShowProfile(owner)).isFollowedByMe == false)
        }
    }

    @Test func aVisitorHasAProfileAPlaceAndEvents() async throws {
        try await withVisitor { here, bob in
            let about = try await bob.visitor.perform(ProfileChange(about: "brings bread"))
            #expect(about.about == "brings bread" && about.isMe)
            #expect(try await bob.visitor.perform(SetHere(try .park())).place == (try .park()))
            #expect(try await here.node.perform(ShowHere()).place == nil)
            let post = try await bob.visitor.perform(NewPost(text: "at my place"))
            #expect(post.place == (try .park()))
            let starts = WallTime(milliseconds: Clocks.machine().milliseconds + 86_400_000)
            let draft = EventDraft(
                name: "dinner", at: try .park(), starts: starts,
                ends: WallTime(milliseconds: starts.milliseconds + 3_600_000))
            let event = try await bob.visitor.perform(CreateEvent(draft))
            let coming = try await here.node.perform(AttendEvent(event.reference, true))
            #expect(coming.attendees == 1 && coming.isAttendedByMe)
            #expect(try await bob.visitor.perform(ShowItem(event.reference)).item.isAttendedByMe == false)
        }
    }
}
