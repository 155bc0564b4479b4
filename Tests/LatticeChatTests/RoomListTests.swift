import Foundation
import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeChat

/// What `/rooms` shows.
@Suite struct RoomListTests {
    private func talk(
        _ conversation: ConversationName, _ lines: Int = 0, mentions: Int = 0, isMuted: Bool = false,
        people: Int? = nil, _ text: String? = nil, isDeleted: Bool = false, by author: String? = "bob",
        style: SpeechStyle = .says
    ) throws -> RoomList.Talk {
        let last = try text.map {
            LastLine(
                record: Samples.record("x"), from: Samples.peer(2), name: try PeerName("bob"), text: $0, style: style,
                at: Samples.at, isDeleted: isDeleted)
        }
        let info = ConversationInfo(
            UnreadCount(conversation, lines: lines, mentions: mentions, isMore: lines == 1_000), isMuted: isMuted,
            people: people, last: last)
        return RoomList.Talk(info, author: author, when: text == nil ? "" : "08:17")
    }

    private func list() throws -> RoomList {
        func room(
            _ name: String, isJoined: Bool = true, isCurrent: Bool = false, _ people: Int, isPrivate: Bool = false,
            _ talk: RoomList.Talk? = nil
        ) throws -> RoomList.Room {
            RoomList.Room(
                room: try RoomName(name), isJoined: isJoined, isCurrent: isCurrent, people: people,
                isPrivate: isPrivate, talk: talk)
        }
        func name(_ text: String) throws -> ConversationName { .room(try RoomName(text)) }
        let carol = Samples.peer(3)
        return RoomList(
            rooms: [
                try room("#lobby", isCurrent: true, 3, talk(name("#lobby"), 5, "alice: are you coming?")),
                try room(
                    "#park", 2, talk(name("#park"), 12, mentions: 1, "take the north road,\n\u{1B}[31mnot the bridge")),
                try room(
                    "#camp", 0, isPrivate: true,
                    talk(name("#camp"), 3, isMuted: true, people: 2, "gone", isDeleted: true)),
                try room("#new", 0), try room("#zoo", isJoined: false, 1),
            ],
            conversations: [
                RoomList.Partner(
                    peer: carol, shown: "carol", isCurrent: false,
                    talk: try talk(.peer(PeerReference(carol)), 1_000, "waves", by: "you", style: .acts))
            ])
    }

    @Test func aRowHasTheCountsAndTheBeginningOfTheLastLine() throws {
        #expect(
            try list().lines(columns: 80) == [
                "> #lobby                  4 here  08:17  bob: alice: are you coming?",
                "  #park   12 new, 1 @you  3 here  08:17  bob: take the north road, ⏎ [31mnot t…",
                "  #camp*  3 muted         2 here  08:17  bob: deleted by its author",
                "  #new                    1 here",
                "  @carol  1000+ new               08:17  * you waves",
                "Not joined:",
                "  #zoo  1 here",
            ])
    }

    @Test func onANarrowScreenTheLastLineStandsBelow() throws {
        let lines = try list().lines(columns: 40)
        #expect(
            lines.prefix(4) == [
                "> #lobby                  4 here",
                "    08:17  bob: alice: are you coming?",
                "  #park   12 new, 1 @you  3 here",
                "    08:17  bob: take the north road, ⏎…",
            ])
        #expect(lines.allSatisfy { StyledText.columns(of: $0) < 40 })
    }

    @Test func aPipeGetsWholeLines() throws {
        let lines = try list().lines(columns: nil)
        #expect(lines[1].hasSuffix("bob: take the north road, ⏎ [31mnot the bridge"))
        #expect(RoomList(rooms: []).lines(columns: nil) == ["You are in no room. Enter one: /join #ROOM"])
    }

    @Test func wideTextIsCutByWhatItTakes() {
        #expect(RoomList.beginning(of: "日本語日本語", columns: 12) == "日本語日本語")
        #expect(RoomList.beginning(of: "日本語日本語", columns: 11) == "日本語日本…")
        #expect(RoomList.beginning(of: "日本語日本語", columns: 10) == "日本語日…")
        #expect(RoomList.beginning(of: "שלום עולם", columns: 5).hasSuffix("\u{2069}…"))
    }

    @Test func programsGetAllOfIt() throws {
        let rendered = JSONRenderer().render(.reply(.rooms(try list())))
        let line = try #require(rendered.output.first)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let rooms = try #require(object["rooms"] as? [[String: Any]])
        #expect(rooms[1]["unread"] as? Int == 12 && rooms[1]["mentions"] as? Int == 1)
        #expect(rooms[2]["muted"] as? Bool == true && rooms[2]["private"] as? Bool == true)
        let last = try #require(rooms[2]["last"] as? [String: Any])
        #expect(last["deleted"] as? Bool == true && last["text"] as? String == "")
        #expect(rooms[3]["last"] == nil && rooms[4]["joined"] as? Bool == false)
        let talks = try #require(object["conversations"] as? [[String: Any]])
        #expect(talks[0]["peer"] as? String == Samples.peer(3).hex && talks[0]["more"] as? Bool == true)
    }

    // MARK: - In a chat

    @Test func theNodeSaysWhatIsUnread() async throws {
        let (lobby, park) = (try RoomName("#lobby"), try RoomName("#park"))
        let rig = try ChatRig(rooms: ["#lobby", "#park"]) { request throws(RequestError) in
            guard request is ListRooms else { return try await FakeNode.obliging(request) }
            do {
                let carol = PeerReference(Samples.peer(3))
                return ListRooms.Reply([
                    ConversationInfo(
                        UnreadCount(.room(lobby), lines: 1, mentions: 0, isMore: false), people: 1,
                        last: LastLine(try Samples.message("hi"))),
                    ConversationInfo(
                        UnreadCount(.room(park), lines: 2, mentions: 1, isMore: false), people: 1,
                        last: LastLine(
                            try Samples.message("dusk", room: "#park", at: WallTime(milliseconds: 1_000)))),
                    ConversationInfo(
                        UnreadCount(.peer(carol), lines: 0, mentions: 0, isMore: false), name: try PeerName("carol"),
                        isPrivate: true,
                        last: LastLine(
                            record: nil, from: Samples.peer(1), name: try PeerName("alice"), text: "psst",
                            at: Samples.at)),
                ])
            } catch {
                throw .stopped(why: .left)
            }
        }
        _ = await rig.run(typing: ["/rooms"])
        #expect(rig.screen.error.count == 3)
        #expect(rig.screen.error[1].contains("2 new, 1 @you") && rig.screen.error[1].hasSuffix("1970-01-01  bob: dusk"))
        #expect(rig.screen.error[2].hasPrefix("  @carol") && rig.screen.error[2].hasSuffix("you: psst"))
    }

    @Test func withoutAnAnswerTheRoomsAloneAreListed() async throws {
        let rig = try ChatRig(rooms: ["#lobby", "#park"]) { request throws(RequestError) in
            guard request is ListRooms else { return try await FakeNode.obliging(request) }
            throw .store(fault: .unreadable)
        }
        _ = await rig.run(typing: ["/rooms"])
        #expect(rig.screen.error == ["> #lobby  1 here", "  #park   1 here"])
    }

    /// `lattice rooms` knows no roster: names come with what was said, with short ids where they look alike.
    @Test func inTheShellNamesComeWithTheLines() throws {
        let (me, bob, otherBob) = (Samples.peer(1), Samples.peer(2), Samples.peer(3))
        func last(_ text: String, by peer: PeerID, _ name: String = "bob") throws -> LastLine {
            LastLine(record: nil, from: peer, name: try PeerName(name), text: text, at: Samples.at)
        }
        let known = [
            ConversationInfo(
                UnreadCount(.room(try RoomName("#lobby")), lines: 2, mentions: 1, isMore: false), people: 3,
                last: try last("north road", by: bob)),
            ConversationInfo(
                UnreadCount(.room(try RoomName("#camp")), lines: 0, mentions: 0, isMore: false), isPrivate: true,
                people: 1, last: try last("mine", by: me, "alice")),
            ConversationInfo(
                UnreadCount(.peer(PeerReference(otherBob)), lines: 1, mentions: 0, isMore: false),
                name: try PeerName("bob"), last: try last("on my way", by: otherBob)),
        ]
        let context = CommandContext(now: Samples.at)
        let list = RoomList(known, me: me, context)
        let when = context.calendar.text(Samples.at).suffix(5)
        #expect(
            list.lines(for: context) == [
                "  #lobby     2 new, 1 @you  3 here  \(when)  bob#\(bob.short): north road",
                "  #camp*                    1 here  \(when)  you: mine",
                "  @bob#\(otherBob.short)  1 new                  \(when)  on my way",
            ])
        #expect(list.object.description.contains(##""room":"#lobby","joined":true"##))
    }
}
