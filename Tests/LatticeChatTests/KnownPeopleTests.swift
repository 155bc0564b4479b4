import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// Who is who, as a chat shows it.
struct KnownPeopleTests {
    private static let day: Int64 = 86_400_000

    private func person(
        _ rank: UInt8, _ name: String?, daysAgo: Int64 = 0, verified: Bool = false
    ) throws -> KnownPerson {
        let met = WallTime(milliseconds: Samples.at.milliseconds - daysAgo * Self.day)
        return KnownPerson(
            id: Samples.peer(rank), name: try name.map { try PeerName($0) }, namedSince: met, firstSeen: met,
            lastSeen: Samples.at, verified: verified ? met : nil)
    }

    private func clash() throws -> NameClash {
        NameClash(newcomer: try person(3, "bob"), known: try person(2, "bob", daysAgo: 18, verified: true))
    }

    @Test func whoComesUnderAnothersNameIsToldOfLoudly() async throws {
        let rig = try ChatRig()
        async let end = rig.run()
        rig.tell(.nameClash(try clash()), try Samples.linked(3, "bob"))
        try await rig.until("both are notified") { rig.screen.error.count == 2 }
        let (old, new) = (Samples.peer(2).short, Samples.peer(3).short)
        #expect(
            rig.screen.error == [
                "! Careful: this is a different bob. bob#\(new) is new (first seen today); bob#\(old) is the one you know "
                    + "(known since 3 Nov, verified).",
                // From now on the name alone says nothing.
                "* bob#\(new) is connected",
            ])
        let shown = TerminalRenderer(me: Samples.peer(1), hasColor: false, clock: { _ in "" }).render(
            .nameClash(try clash(), text: "beware"))
        #expect(shown == Rendered(output: ["! beware"], rings: true))
        rig.interrupt()
        _ = await end
    }

    @Test func programsAreToldOfBothKeys() async throws {
        let rig = try ChatRig(isJSON: true)
        async let end = rig.run()
        rig.tell(
            .nameClash(try clash()),
            .renamed(Samples.peer(2), from: try PeerName("bob"), to: try PeerName("carol")))
        try await rig.until("both are notified") { rig.screen.output.count == 2 }
        #expect(rig.screen.output[0].hasPrefix(#"{"event":"name_clash","id":"\#(Samples.peer(3).hex)","name":"bob","#))
        #expect(rig.screen.output[0].contains(#""known":{"id":"\#(Samples.peer(2).hex)""#))
        #expect(
            rig.screen.output[1]
                == #"{"event":"renamed","id":"\#(Samples.peer(2).hex)","name":"carol","was":"bob"}"#)
        rig.interrupt()
        _ = await end
    }

    @Test func theMarkStaysWithTheKeyAndNobodyPutsItOnThemselves() throws {
        var roster = Roster(me: Samples.peer(1), name: try PeerName("alice"))
        roster.verified = [Samples.peer(2)]
        roster.set(Samples.peer(2), try PeerName("bob"))
        #expect(roster.shown(Samples.peer(2), try PeerName("bob")) == "bob ✓")
        roster.set(Samples.peer(2), try PeerName("rob"))
        #expect(roster.shown(Samples.peer(2), try PeerName("rob")) == "rob ✓")
        roster.set(Samples.peer(3), try PeerName("rob ✓"))
        #expect(roster.shown(Samples.peer(3), try PeerName("rob ✓")) == "rob ?#\(Samples.peer(3).short)")
        #expect(roster.shown(Samples.peer(2), try PeerName("rob")) == "rob#\(Samples.peer(2).short) ✓")
        var plain = Roster(me: Samples.peer(1), name: try PeerName("alice"), verifiedMark: "*")
        plain.verified = [Samples.peer(2)]
        #expect(plain.shown(Samples.peer(2), try PeerName("bob")) == "bob*")
        #expect(plain.shown(Samples.peer(3), try PeerName("bob*")) == "bob?")
    }

    @Test func whoLooksLikeSomebodyOneKnowsHasTheShortId() throws {
        var conversation = Conversation(me: try Samples.me())
        conversation.know([try person(2, "bob")])
        #expect(conversation.roster.shown(Samples.peer(3), try PeerName("Воb")) == "Воb#\(Samples.peer(3).short)")
        #expect(conversation.roster.shown(Samples.peer(2), try PeerName("bob")) == "bob")
    }

    @Test func ownNamesForPeopleAreTypedAndCompletedLikeTheirs() async throws {
        let known = KnownPerson(
            id: Samples.peer(2), name: try PeerName("bob"), petname: try PeerName("Robert"), lastSeen: Samples.at)
        let twin = KnownPerson(id: Samples.peer(3), name: try PeerName("bob"), verified: Samples.at)
        let rig = try ChatRig(
            isJSON: true,
            answering: { request throws(RequestError) in
                request is ListKnownPeople
                    ? ListKnownPeople.Reply([known, twin]) : try await FakeNode.obliging(request)
            })
        async let end = rig.run()
        rig.screen.put([.line("/ignore Robert"), .line("/ignore robert"), .line("/ignore alice"), .line("/ignore bob")])
        try await rig.until("all are answered") { rig.screen.output.count == 4 }
        let asked = await rig.node.requests.compactMap { $0.base as? IgnorePerson }
        #expect(asked == [IgnorePerson](repeating: IgnorePerson(PeerReference(Samples.peer(2)), true), count: 2))
        let names = rig.screen.context.addressees
        #expect(names == ["Robert", "bob#\(Samples.peer(2).short)", "bob#\(Samples.peer(3).short)"])
        #expect(rig.screen.output[2].contains("That is you."))
        // People and programs both see how they differ.
        let told = rig.screen.output[3]
        #expect(told.hasPrefix(#"{"event":"error","code":"ambiguousName""#) && told.contains("(verified)"))
        #expect(
            told.contains(#""candidates":[{"id":"\#(Samples.peer(2).hex)""#) && told.contains(#""petname":"Robert""#))
        rig.interrupt()
        _ = await end
    }

    @Test func aNameOfOnesOwnComesBeforeWhatOthersCallThemselves() throws {
        let (one, other) = (Samples.peer(2), Samples.peer(3))
        var roster = Roster(me: Samples.peer(1), name: try PeerName("alice"))
        roster.set(one, try PeerName("bob"))
        roster.set(other, try PeerName("Bobby"))
        roster.petnames = [other: try PeerName("bob")]
        #expect(roster.meaning(of: "bob") == .one(other))
        #expect(roster.meaning(of: "bob#\(one.short)") == .one(one))
        #expect(roster.meaning(of: "Bobby") == .one(other))
        #expect(roster.typed == ["bob#\(one.short)", "bob", "Bobby"])
    }

    @Test func whatOneSaidOfOthersHoldsFromTheStart() async throws {
        let ignored = KnownPerson(id: Samples.peer(2), name: try PeerName("bob"), ignored: Samples.at)
        let blocked = KnownPerson(id: Samples.peer(3), name: try PeerName("eve"), blocked: Samples.at)
        let park = try RoomName("#park")
        let rig = try ChatRig(answering: { request throws(RequestError) in
            switch request {
            case is ListKnownPeople: ListKnownPeople.Reply([ignored, blocked])
            case is ListMutedRooms: MutedRooms([park])
            default: try await FakeNode.obliging(request)
            }
        })
        async let end = rig.run()
        rig.tell(
            .message(try Samples.message("from bob")), .message(try Samples.message("from eve", from: 3, name: "eve")),
            .message(try Samples.message("in the park", from: 4, name: "dan", room: "#park")),
            .message(try Samples.message("hi", from: 4, name: "dan")))
        try await rig.until("dan is heard") { !rig.screen.output.isEmpty }
        // Another process of the same person takes it all back.
        rig.tell(.contactMarks(ContactMarks()), .message(try Samples.message("again")))
        try await rig.until("bob is heard") { rig.screen.output.count == 2 }
        #expect(rig.screen.output == ["<dan> hi", "<bob> again"])
        rig.interrupt()
        _ = await end
    }

    @Test func aBlockListIsReadLineByLine() throws {
        let keys = [2, 3].map { Samples.peer($0).hex }
        let list = BlockList(
            parsing: """
                # whom we block
                \(keys[0]) bob the loud # blocked 2026-11-03
                \(keys[1].uppercased())
                bob
                \(keys[0]) again\r

                \(keys[0])1 too long
                """)
        #expect(
            list.entries == [
                BlockEntry(id: Samples.peer(2), name: try PeerName("bob the loud")),
                BlockEntry(id: Samples.peer(3), name: nil),
            ])
        #expect(list.wrongLines == [4, 7])
        let people = [try person(2, "bob", daysAgo: 1)].map { known in
            var known = known
            known.blocked = WallTime(milliseconds: 1_795_253_400_000)
            return known
        }
        #expect(BlockList.text(people) == "\(keys[0]) bob # blocked 2026-11-21\n")
        #expect(BlockList(parsing: BlockList.text(people)).entries.map(\.id) == people.map(\.id))
    }

    @Test func aBlockListHasALimit() {
        let text = (0..<5_000).map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 64 - digits.count) + digits + "\n"
        }.joined()
        let list = BlockList(parsing: text)
        #expect(list.entries.count == KnownLimit.peopleMax && list.wrongLines.count == 5_000 - KnownLimit.peopleMax)
    }

    @Test func contactsAreATable() throws {
        var bob = try person(2, "bob", daysAgo: 18, verified: true)
        bob.petname = try PeerName("Robert")
        var eve = try person(3, "eve")
        eve.blocked = Samples.at
        let lines = KnownLines.list([bob, eve], CommandContext(now: Samples.at))
        #expect(
            lines == [
                "NAME    ID    VERIFIED  FIRST SEEN  LAST SEEN",
                "Robert  \(bob.id.short)  3 Nov     3 Nov       today      calls itself bob",
                "eve     \(eve.id.short)  -         today       today      blocked",
            ])
    }
}
