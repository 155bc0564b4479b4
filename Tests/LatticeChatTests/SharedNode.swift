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
        throw RequestError(.stopped, "this test does not answer \(R.name)")
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
        case .room(.create(let room)):
            change {
                if !$0.rooms.contains(room) { $0.rooms.append(room) }
                $0.privateRooms.append(room)
            }
            return .room(.entered([RoomMember(id: me.id, name: me.name, state: .here)]))
        case .room(.forget(let room)):
            change {
                $0.rooms.removeAll { $0 == room }
                $0.privateRooms.removeAll { $0 == room }
            }
            return .room(.done)
        case .room(.list): return .room(.rooms(me.privateRooms))
        case .peers: return .peers([])
        default: return try await FakeNode.obliging(request)
        }
        return .done
    }

    private func change(_ how: (inout Me) -> Void) {
        how(&me)
        input.yield(.me(me))
    }
}
