import LatticeAPI
import LatticeCore

/// A request and what a node might reply.
struct Exchange: Sendable {
    let request: any Request
    let reply: any Hashable & Codable & Sendable

    static func of<R: Request>(_ request: R, _ reply: R.Reply) -> Exchange {
        Exchange(request: request, reply: reply)
    }

    var name: String { type(of: request).name }
    var replyName: String { type(of: request).replyName }

    /// The requests that these are about.
    static let names: RequestNames = {
        var names = RequestNames()
        for exchange in all where names[exchange.name] == nil { add(exchange.request, to: &names) }
        return names
    }()

    private static func add<R: Request>(_: R, to names: inout RequestNames) { names.add(R.self) }

    static let all = streams + rooms + people

    static let rooms = [
        of(ListPrivateRooms(), .init([Samples.room])),
        of(
            EnterPrivateRoom(Samples.room, key: TypedKey("grüß dich")),
            EnteredRoom([RoomMember(id: Samples.peer, name: Samples.name, state: .invited)])),
        of(EnterPrivateRoom(Samples.room, key: nil), EnteredRoom(nil)),
        of(CreatePrivateRoom(Samples.room), EnteredRoom([])), of(ShowRoomKey(Samples.room), .init("abc")),
        of(InviteToRoom(PeerReference(Samples.peer), name: Samples.name, Samples.room), Done()),
        of(InviteToRoom(PeerReference(Samples.peer), name: nil, Samples.room), Done()),
        of(RemoveFromRoom(PeerReference(Samples.peer), Samples.room), Done()),
        of(
            ListRoomMembers(Samples.room),
            .init([RoomMember(id: Samples.peer, name: nil, state: .here)])), of(ForgetRoom(Samples.room), Done()),
    ]

    static let people = [
        of(ListKnownPeople(), .init([Samples.person])), of(FindPerson(Samples.bob), Samples.person),
        of(
            ShowSafetyNumber(Samples.bob),
            SafetyNumberInfo(person: Samples.person, groups: ["12345"], words: ["able"])),
        of(VerifyPerson(Samples.bob, false), Samples.person),
        of(AddContact(Samples.bob, petname: Samples.name), Samples.person),
        of(AddContact(Samples.bob, petname: nil), Samples.person), of(RemoveContact(Samples.bob), Samples.person),
        of(BlockPerson(Samples.bob, false), Samples.person),
        of(BlockPeople([BlockEntry(id: Samples.peer, name: Samples.name)]), .init(new: 3, hasSelf: true)),
        of(IgnorePerson(Samples.bob, false), Samples.person),
        of(MuteRoom(Samples.room, false), MutedRooms([Samples.room])),
        of(ListMutedRooms(), MutedRooms([Samples.room])),
    ]

    private static let stream = StreamInfo(stream: 7, peer: Samples.peer, label: .usual)

    static let streams = [
        of(OpenStream(PeerReference(Samples.peer), label: .usual, wait: .milliseconds(1_500)), stream),
        of(ListenForStream(label: .usual), stream),
        of(ListenForStream(label: .usual, from: PeerReference(Samples.peer)), stream),
        of(SendBytes(7, [0, 255, 10]), Done()), of(SendBytes(7, []), Done()), of(FinishStream(7), Done()),
        of(ReceiveBytes(7), .init([0, 255, 10], isEnd: false)), of(ReceiveBytes(7), .init([], isEnd: true)),
        of(ResetStream(7, .diskFull), Done()),
    ]
}
