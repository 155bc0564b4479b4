import LatticeAPI
import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeIRC

/// What a client can do with posts through the service.
@Suite struct PostCommandsTests {
    private static let item: ItemInfo = {
        var item = ItemInfo(
            id: RecordID(.zero), short: "a1b2c3", kind: .post, state: .shown, author: GatewayRig.peer("alice"),
            authorName: "alice", at: WallTime(milliseconds: 1_795_000_000_000),
            expires: WallTime(milliseconds: 1_795_100_000_000))
        (item.text, item.likes) = ("water is here", 1)
        return item
    }()

    private static func rig(_ reply: IRCReply.Archive) throws -> (GatewayRig, ConnectionID) {
        var rig = try GatewayRig()
        rig.answer = { request, _ in
            guard case .posts = request else { return GatewayRig.obliging(request) }
            return .success(.answer(.posts(reply)))
        }
        let ben = rig.client("ben")
        rig.asked = []
        return (rig, ben)
    }

    private func said(_ lines: [String]) -> [String] {
        lines.compactMap { $0.split(separator: " NOTICE ben :", maxSplits: 1).last.map(String.init) }
    }

    @Test func aPostReachesOthersByItsEventAlone() throws {
        var (rig, ben) = try Self.rig(.item(Self.item))
        let carol = rig.client("carol")
        for id in [ben, carol] { rig.say(id, "JOIN #posts") }
        for id in [ben, carol] { _ = rig.heard(id) }
        rig.say(ben, "PRIVMSG #posts :water is here")
        #expect(rig.heard(carol).isEmpty, "the node knows whom a post concerns")
        rig.handle(.deliveredAlone(carol, .posted(Self.item)))
        #expect(rig.heard(carol).count == 1)
    }

    @Test func postsOfPeopleWhoAreIgnoredAreNotListed() throws {
        var (rig, ben) = try Self.rig(.page(ItemPage(items: [Self.item])))
        rig.handle(.deliveredAlone(ben, .contactMarks(ContactMarks(ignored: [Self.item.author]))))
        _ = rig.heard(ben)
        #expect(said(rig.replies(ben, "PRIVMSG mesh :posts")) == ["No posts here yet."])
        #expect(!rig.replies(ben, "JOIN #posts").contains { $0.contains("water is here") })
    }

    @Test func postsAreListedWithTheirIds() throws {
        var (rig, ben) = try Self.rig(.page(ItemPage(items: [Self.item])))
        let heard = said(rig.replies(ben, "PRIVMSG mesh :posts"))
        #expect(heard.count == 1 && heard[0].hasPrefix("a1b2c3  ") && heard[0].hasSuffix("(1 like, 0 comments)"))
        #expect(said(rig.replies(ben, "PRIVMSG mesh :feed")) == heard)
        #expect(rig.asked.count == 2)
    }

    @Test func aPostIsLikedByItsId() throws {
        var (rig, ben) = try Self.rig(.item(Self.item))
        #expect(said(rig.replies(ben, "PRIVMSG mesh :like a1b2c3")) == ["You like it; it has 1 like."])
        #expect(said(rig.replies(ben, "PRIVMSG mesh :UNLIKE a1b2c3")) == ["Your like is removed; it has 1 like."])
        #expect(
            said(rig.replies(ben, "PRIVMSG mesh :comment a1b2c3 thank you all")) == ["Your comment has the id a1b2c3."])
        let item = ItemReference("a1b2c3")
        #expect(
            rig.asked == [
                .posts(.like(item, true)), .posts(.like(item, false)), .posts(.comment(item, "thank you all")),
            ])
    }

    @Test func whatLacksAWordIsExplained() throws {
        var (rig, ben) = try Self.rig(.item(Self.item))
        for line in ["like", "unlike", "comment a1b2c3", "follow", "place", "place 91,0", "place 40.7"] {
            let heard = said(rig.replies(ben, "PRIVMSG mesh :\(line)"))
            #expect(heard.count == 1 && heard[0].hasPrefix("Use: "), "\(line): \(heard)")
        }
        #expect(rig.asked.isEmpty)
    }

    @Test func aPlaceIsSetAndCleared() throws {
        let place = try #require(Coordinate(latitude: 40.5, longitude: -74.25))
        var (rig, ben) = try Self.rig(.here(place))
        #expect(said(rig.replies(ben, "PRIVMSG mesh :place 40.5,-74.25")) == ["You are at \(place)."])
        _ = rig.replies(ben, "PRIVMSG mesh :place off")
        #expect(rig.asked == [.posts(.place(place)), .posts(.place(nil))])
    }

    @Test func aPlaceIsSetByItsName() throws {
        let place = try #require(Coordinate(latitude: 40.5, longitude: -74.25))
        var (rig, ben) = try Self.rig(.here(place))
        #expect(said(rig.replies(ben, "PRIVMSG mesh :place Bread oven")) == ["You are at \(place)."])
        #expect(rig.asked == [.posts(.placeNamed(PlaceReference("Bread oven")))])
    }

    @Test func placesAreListedWithTheirWay() throws {
        var kitchen = Self.item
        (kitchen.kind, kitchen.title, kitchen.hours, kitchen.partOf) = (.place, "Kitchen", "8 to 20", "Camp")
        (kitchen.metres, kitchen.bearing) = (286, 250)
        var (rig, ben) = try Self.rig(.page(ItemPage(items: [kitchen])))
        let heard = said(rig.replies(ben, "PRIVMSG mesh :places"))
        #expect(heard == ["a1b2c3  Kitchen, open 8 to 20, in Camp, 286 m WSW"])
        #expect(said(rig.replies(ben, "PRIVMSG mesh :places")) == heard)
    }

    @Test func followingAndNotificationsNameThePerson() throws {
        let alice = PersonInfo(
            id: GatewayRig.peer("alice"), name: "alice", about: "", colour: nil, isMe: false, isFollowedByMe: true,
            posts: 1, followers: 1, following: 0)
        var (rig, ben) = try Self.rig(.person(alice))
        let heard = said(rig.replies(ben, "PRIVMSG mesh :follow alice"))
        #expect(heard.count == 1 && heard[0].hasPrefix("You follow ") && heard[0].contains("alice"))
        #expect(rig.asked == [.posts(.follow(PeerReference("alice"), true))])
        var (other, carl) = try Self.rig(
            .notifications(
                NotificationPage(
                    notifications: [
                        NotificationInfo(
                            record: RecordID(.zero), kind: .follow, by: alice,
                            at: WallTime(milliseconds: 1_795_000_000_000))
                    ], newCount: 1)))
        #expect(said(other.replies(carl, "PRIVMSG mesh :notifications")).first?.hasSuffix("follows you") == true)
    }

    @Test func kindsOfNotificationsAreTurnedOnAndOff() throws {
        var (rig, ben) = try Self.rig(.notify(SwitchNotifications.Reply(off: [.like])))
        #expect(said(rig.replies(ben, "PRIVMSG mesh :notify like Follow off")) == ["Off: like."])
        _ = rig.replies(ben, "PRIVMSG mesh :notify like on")
        _ = rig.replies(ben, "PRIVMSG mesh :notify")
        #expect(
            rig.asked == [
                .posts(.notify([.like, .follow], isOn: false)), .posts(.notify([.like], isOn: true)),
                .posts(.notify([], isOn: true)),
            ])
        let refused = said(rig.replies(ben, "PRIVMSG mesh :notify everything off"))
        #expect(refused.first?.hasPrefix("Use: notify") == true && rig.asked.count == 3)
    }
}
