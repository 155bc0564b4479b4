import LatticeAPI
import LatticeCore

/// A node that several fronts use: it keeps a name and rooms, and tells what becomes of them.
actor SharedNode: MeshNode {
    private var me: Me
    private(set) var refused: [SayLines.Line] = []
    private var said: UInt8 = 0
    let stream: NodeEvents
    private var inputs: [NodeEvents.Input]

    init(_ me: Me) {
        self.me = me
        let (stream, input) = NodeEvents.makeStream()
        input.yield(.ready(me))
        (self.stream, inputs) = (stream, [input])
    }

    func events() -> NodeEvents {
        let (stream, input) = NodeEvents.makeStream()
        inputs.append(input)
        return stream
    }

    private func tell(_ event: NodeEvent) {
        for input in inputs { input.yield(event) }
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        guard let reply = try await reply(to: request) as? R.Reply else {
            preconditionFailure("\(R.name) has another reply")
        }
        return reply
    }

    private func reply(to request: any Request) async throws(RequestError) -> any Sendable {
        switch request {
        case let request as CreatePrivateRoom:
            change {
                if !$0.rooms.contains(request.room) { $0.rooms.append(request.room) }
                $0.privateRooms.append(request.room)
            }
            return EnteredRoom([RoomMember(id: me.id, name: me.name, state: .here)])
        case let request as ForgetRoom:
            change {
                $0.rooms.removeAll { $0 == request.room }
                $0.privateRooms.removeAll { $0 == request.room }
            }
            return Done()
        case is ListPrivateRooms: return ListPrivateRooms.Reply(me.privateRooms)
        case is ShowMe: return me
        case let lines as SayLines: return SayLines.Reply(lines.lines.map { say($0, lines) })
        case let request as Rename: change { $0.name = request.name }
        case let request as JoinRoom: change { if !$0.rooms.contains(request.room) { $0.rooms.append(request.room) } }
        case let request as LeaveRoom: change { $0.rooms.removeAll { $0 == request.room } }
        default: return try await FakeNode.obliging(request)
        }
        return Done()
    }

    private func say(_ line: SayLines.Line, _ request: SayLines) -> SayLines.Outcome {
        let isPrivate = me.privateRooms.contains(request.room)
        guard request.audience == nil || (request.audience == .members) == isPrivate else {
            refused.append(line)
            return .refused(.otherAudience(room: request.room, isPrivate: isPrivate))
        }
        said += 1
        guard let hash = Bytes32([UInt8](repeating: said, count: 32)) else { preconditionFailure("32 are 32") }
        tell(
            .message(
                Message(
                    record: RecordID(hash), room: request.room, from: me.id, name: me.name, text: line.text,
                    style: line.style, at: Samples.at, hops: 0, isPrivate: isPrivate, asker: request.asker)))
        return .said(Say.Reply(RecordID(hash), isWaiting: false))
    }

    /// The requests that a front makes of it.
    static let names: RequestNames = {
        var names = RequestNames()
        names.add(ListKnownPeople.self)
        names.add(ListMutedRooms.self)
        names.add(ListPrivateRooms.self)
        names.add(EnterPrivateRoom.self)
        names.add(CreatePrivateRoom.self)
        names.add(ForgetRoom.self)
        names.add(ShowMe.self)
        names.add(SayLines.self)
        names.add(Flush.self)
        names.add(Rename.self)
        names.add(JoinRoom.self)
        names.add(LeaveRoom.self)
        names.add(ListPeers.self)
        names.add(HistoryQuery.self)
        names.add(ListConversations.self)
        names.add(ShowSyncStatus.self)
        return names
    }()

    private func change(_ how: (inout Me) -> Void) {
        how(&me)
        tell(.me(me))
    }
}
