import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeChat

/// Private rooms, as they are typed and shown.
struct ChatFrontRoomTests {
    private static let camp: RoomName = {
        do {
            return try RoomName("#camp")
        } catch {
            preconditionFailure("\(error)")
        }
    }()
    private static let bob = Samples.peer(2)

    private static let answering: FakeNode.Answering = { request throws(RequestError) in
        func members() throws(RequestError) -> [RoomMember] {
            do {
                return [
                    RoomMember(id: try Samples.me().id, name: try PeerName("alice"), state: .here),
                    RoomMember(id: bob, name: try PeerName("bob"), state: .away),
                ]
            } catch {
                throw RequestError.other(code: .stopped, message: "\(error)")
            }
        }
        switch request {
        case let request as EnterPrivateRoom where request.room == camp:
            guard request.key?.bytes != Array("wrong key".utf8) else {
                throw RequestError.other(code: .wrongKey, message: "another key")
            }
            return EnteredRoom(try members())
        case is CreatePrivateRoom: return EnteredRoom(try members())
        case is ShowRoomKey: return ShowRoomKey.Reply("AAAA")
        case is ListRoomMembers: return ListRoomMembers.Reply(try members())
        case is InviteToRoom, is RemoveFromRoom, is ForgetRoom: return Done()
        default: return try await FakeNode.obliging(request)
        }
    }

    private static func isSaid(_ request: AnyHashable) -> Bool {
        request.base is Say
    }

    private func run(_ lines: String..., isInteractive: Bool = true) async throws -> (ChatRig, [String], [AnyHashable])
    {
        let rig = try ChatRig(isInteractive: isInteractive, answering: Self.answering)
        _ = await rig.run(typing: lines)
        let shown = rig.screen.shown.flatMap { $0.error + $0.output }
        return (rig, shown, await rig.node.requests)
    }

    @Test func aRoomIsEnteredByItsKeyAndSaysThatItIsPrivate() async throws {
        let (rig, shown, requests) = try await run("/join #camp correct horse", "hi", "/names")
        #expect(requests.first == AnyHashable(EnterPrivateRoom(Self.camp, key: TypedKey("correct horse"))))
        #expect(requests.contains(Say("hi", style: .says, room: Self.camp, audience: .members)))
        #expect(!requests.contains(JoinRoom(Self.camp)), "no public room is joined")
        #expect(rig.screen.context.room == Self.camp && rig.screen.context.isPrivate)
        #expect(shown.first == "#camp*: 2 members")
        #expect(shown.filter { $0 == "#camp*: 2 members" }.count == 2, "names are the members")
        #expect(!shown.joined().contains("horse"))
    }

    /// What follows was meant for the private room, and for nobody else.
    @Test func afterAKeyThatIsRefusedAPipeSaysNothing() async throws {
        let (_, shown, requests) = try await run("/join #camp wrong key", "secret", isInteractive: false)
        #expect(!requests.contains(where: Self.isSaid))
        #expect(shown.first == "lattice: another key")
        for line in [
            "/join #ca,mp correct horse", "/jion #camp correct horse", " /join #camp correct horse", "/create #",
        ] {
            let (_, _, requests) = try await run(line, "secret", isInteractive: false)
            #expect(!requests.contains(where: Self.isSaid), "\(line)")
        }
    }

    @Test func whatIsForgottenIsLeft() async throws {
        let (rig, shown, requests) = try await run("/create camp", "/forget #camp", "hi")
        #expect(requests.contains(CreatePrivateRoom(Self.camp)) && requests.contains(ForgetRoom(Self.camp)))
        #expect(
            requests.contains(Say("hi", style: .says, room: try RoomName("#lobby"), audience: .everybody)))
        #expect(!rig.screen.context.isPrivate)
        #expect(shown.contains("Deleted #camp and its key from this device. You are now in #lobby."))
        let (_, _, piped) = try await run("/create camp", "/forget #camp", "secret", isInteractive: false)
        #expect(!piped.contains(where: Self.isSaid))
    }

    @Test func peopleAreInvitedAndRemovedByName() async throws {
        let (_, shown, requests) = try await run(
            "/join #camp correct horse", "/remove bob", "/invite \(Self.bob.hex) #camp", "/key", "/members")
        #expect(requests.contains(RemoveFromRoom(PeerReference(Self.bob), Self.camp)))
        #expect(requests.contains(InviteToRoom(PeerReference(Self.bob), name: nil, Self.camp)))
        #expect(shown.contains("Anyone with this key can read #camp: AAAA"))
    }

    @Test func ofAPublicRoomThereIsNoKey() async throws {
        for command in ["/key", "/members", "/invite bob", "/remove bob", "/key #park"] {
            let (_, shown, requests) = try await run(command)
            #expect(!requests.contains { $0.base is ShowRoomKey })
            #expect(shown.count == 1, "\(command): \(shown)")
        }
    }

    @Test func linesOfAPublicNamesakeAreNotShown() async throws {
        var conversation = Conversation(me: try Samples.me())
        conversation.privateRooms = [Self.camp]
        func line(_ number: UInt8, isPrivate: Bool) throws -> Message {
            Message(
                record: RecordID(try #require(Bytes32([UInt8](repeating: number, count: 32)))), room: Self.camp,
                from: Self.bob, name: try PeerName("bob"), text: "hi", style: .says, at: Samples.at, hops: 1,
                isPrivate: isPrivate)
        }
        let strangers = conversation.heard(.message(try line(1, isPrivate: false)))
        #expect(strangers == nil)
        let members = conversation.heard(.message(try line(2, isPrivate: true)))
        let item = try #require(members)
        #expect(Samples.plainRenderer.render(item).output == ["#camp* <bob> hi"])
        #expect(JSONRenderer().render(item).output.first?.contains("\"private\":true") == true)
        conversation.privateRooms = []
        let left = conversation.heard(.message(try line(3, isPrivate: true)))
        #expect(left == nil, "nor the other way round")
    }
}
