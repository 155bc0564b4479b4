import LatticeAPI
import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeNode

/// Several fronts of one node.
@Suite(.timeLimit(.minutes(10))) struct FrontsTests {
    private let camp: RoomName
    private let park: RoomName

    init() throws {
        (camp, park) = (try RoomName("#camp"), try RoomName("#park"))
    }

    private func told(_ chatter: Chatter) -> [Me] {
        chatter.events.compactMap { if case .me(let me) = $0 { me } else { nil } }
    }

    @Test func whatOneDoesToNameAndRoomsAllAreTold() async throws {
        let alice = try await Chatter(try Home("alice"))
        try await alice.run {
            let carol = try PeerName("carol")
            for request in [Rename(carol), JoinRoom(park), JoinRoom(park)] as [any Request] {
                _ = try await alice.node.perform(request)
            }
            _ = try await alice.node.perform(CreatePrivateRoom(camp))
            _ = try await alice.node.perform(LeaveRoom(park))
            _ = try await alice.node.perform(ForgetRoom(camp))
            try await eventually("all is reported") { told(alice).count == 5 }
            let lobby = try RoomName("#lobby")
            #expect(told(alice).allSatisfy { $0.name == carol })
            #expect(
                told(alice).map(\.rooms) == [[lobby], [lobby, park], [lobby, park, camp], [lobby, camp], [lobby]])
            #expect(told(alice).map(\.privateRooms) == [[], [], [camp], [camp], []])
            #expect(await alice.node.me == told(alice).last)
        }
    }

    /// A front may not have heard yet what another did.
    @Test func aLineGoesToNobodyForWhomItWasNotMeant() async throws {
        let alice = try await Chatter(try Home("alice"))
        try await alice.run {
            func say(_ text: String, _ audience: Audience?) async throws {
                _ = try await alice.node.perform(Say(text, style: .says, room: camp, audience: audience))
            }
            func isRefused(_ audience: Audience) async -> Bool {
                do {
                    try await say("not meant for them", audience)
                    return false
                } catch {
                    return (error as? RequestError)?.code == .otherAudience
                }
            }
            _ = try await alice.node.perform(JoinRoom(camp))
            try await say("in public", .everybody)
            #expect(await isRefused(.members))
            _ = try await alice.node.perform(CreatePrivateRoom(camp))
            #expect(await isRefused(.everybody))
            try await say("in private", .members)
            try await say("to whoever it is", nil)
            _ = try await alice.node.perform(ForgetRoom(camp))
            #expect(await isRefused(.members))
            try await eventually("what was meant is reported") { alice.lines.count == 3 }
            #expect(alice.lines.map(\.isPrivate) == [false, true, true])
        }
    }

    @Test func linesSaidTogetherAreToldInOrderAndNameWhoAsked() async throws {
        let alice = try await Chatter(try Home("alice"))
        try await alice.run {
            let front = FrontID(rawValue: 7)
            _ = try await alice.node.perform(JoinRoom(camp))
            func say(_ texts: [String], _ audience: Audience) async throws -> [SayLines.Outcome] {
                let lines = texts.map { SayLines.Line($0) }
                let request = SayLines(lines, room: camp, audience: audience, asker: front)
                return try await alice.node.perform(request).lines
            }
            func isSaid(_ outcome: SayLines.Outcome) -> Bool { if case .said = outcome { true } else { false } }
            let long = String(repeating: "x", count: 4_097)
            #expect(try await say(["one", long, "two", " "], .everybody).map(isSaid) == [true, false, true, false])
            #expect(try await say(["three"], .members).map(isSaid) == [false])
            _ = try await alice.node.perform(CreatePrivateRoom(camp))
            #expect(try await say(["four", "five"], .members).map(isSaid) == [true, true])
            try await eventually("all lines arrive") { alice.lines.count == 4 }
            #expect(alice.lines.map(\.text) == ["one", "two", "four", "five"])
            #expect(alice.lines.allSatisfy { $0.asker == front })
            let history = try await alice.node.perform(HistoryQuery(room: camp, limit: 10)).lines
            #expect(history.map(\.text) == ["four", "five"])
        }
    }

    @Test(arguments: ["", " \t "]) func nothingIsNoLine(text: String) async throws {
        let alice = try await Chatter(try Home("alice"))
        try await alice.run {
            let error = await #expect(throws: RequestError.self) { try await alice.say(text) }
            #expect(error?.code == .invalid)
        }
    }

    /// A front that watches another place filters by that place.
    @Test func postsAreToldWithTheirPlaceHoweverFarAwayTheyAre() async throws {
        let (alice, bob) = (try await Chatter(try Home("alice")), try await Chatter(try Home("bob")))
        try await alice.run {
            let item = try await alice.node.perform(NewPost(text: "water", at: try .at(48.1, 11.5)))
            let munich = try Coordinate.at(48.1, 11.5)
            try await bob.run {
                _ = try await bob.node.perform(SetHere(try .park()))
                try await bob.meet(alice)
                try await eventually("its place is reported") {
                    bob.events.contains(.placed(PlacedItem(item: item.id, place: munich)))
                }
                #expect(!bob.events.contains { if case .posted = $0 { true } else { false } })
            }
        }
    }
}
