import LatticeAPI
import LatticeCore

/// A node that several fronts use: it keeps a name and rooms, and tells what becomes of them.
actor SharedNode: MeshNode {
    private var me: Me
    private(set) var refused: [NodeRequest] = []
    private var said: UInt8 = 0
    let stream: NodeEvents
    private let input: NodeEvents.Input

    init(_ me: Me) {
        self.me = me
        (stream, input) = NodeEvents.makeStream()
        input.yield(.ready(me))
    }

    func events() -> NodeEvents { stream }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        guard let reply = try reply(to: request) as? R.Reply else { preconditionFailure("\(R.name) has another reply") }
        return reply
    }

    private func reply(to request: any Request) throws(RequestError) -> any Sendable {
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
        default: return try FakeNode.obligingReplies(request)
        }
    }

    func perform(_ request: NodeRequest) async throws(RequestError) -> Answer {
        switch request {
        case .me: return .me(me)
        case .say(let text, let style, let room, let audience, _):
            let isPrivate = me.privateRooms.contains(room)
            guard audience == nil || (audience == .members) == isPrivate else {
                refused.append(request)
                throw RequestError(.otherAudience, "\(room) is not what it was; nothing was sent")
            }
            said += 1
            guard let hash = Bytes32([UInt8](repeating: said, count: 32)) else { preconditionFailure("32 are 32") }
            input.yield(
                .message(
                    Message(
                        record: RecordID(hash), room: room, from: me.id, name: me.name, text: text, style: style,
                        at: Samples.at, hops: 0, isPrivate: isPrivate)))
            return .said(RecordID(hash), isWaiting: false)
        case .rename(let name): change { $0.name = name }
        case .join(let room): change { if !$0.rooms.contains(room) { $0.rooms.append(room) } }
        case .part(let room): change { $0.rooms.removeAll { $0 == room } }
        case .peers: return .peers([])
        default: return try await FakeNode.obliging(request)
        }
        return .done
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
        return names
    }()

    private func change(_ how: (inout Me) -> Void) {
        how(&me)
        input.yield(.me(me))
    }
}
