import LatticeAPI
import LatticeCore

/// A node that answers as a test says and notes what it was asked.
actor FakeNode: MeshNode {
    typealias Answering = @Sendable (NodeRequest) async throws(RequestError) -> Answer

    typealias Replying = @Sendable (any Request) throws(RequestError) -> any Sendable

    /// Everything in order, the requests of a front at its start left out.
    private(set) var asked: [any Hashable & Sendable] = []
    private let answering: Answering
    private let replying: Replying

    init(_ answering: @escaping Answering, replying: @escaping Replying = obligingReplies) {
        self.answering = answering
        self.replying = replying
    }

    var requests: [NodeRequest] { asked.compactMap { $0 as? NodeRequest } }

    func perform(_ request: NodeRequest) async throws(RequestError) -> Answer {
        // After five seconds alone a front asks who it is, for its hint: when that is, no test can say.
        if request != .me { asked.append(request) }
        return try await answering(request)
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        switch request {
        // At its start a front asks who is known, what is muted, and which rooms are private.
        case is ListKnownPeople, is ListMutedRooms, is ListPrivateRooms: break
        default: asked.append(request)
        }
        guard let reply = try replying(request) as? R.Reply else { preconditionFailure("\(R.name) has another reply") }
        return reply
    }

    /// Nobody is known, and no room is private.
    static let obligingReplies: Replying = { request throws(RequestError) in
        switch request {
        case is ListKnownPeople: ListKnownPeople.Reply([])
        case is ListMutedRooms: MutedRooms([])
        case is IgnorePerson: KnownPerson(id: PeerID(.zero))
        case is ListPrivateRooms: ListPrivateRooms.Reply([])
        case let request as EnterPrivateRoom where request.key == nil: EnteredRoom(nil)
        default: throw RequestError(.stopped, "this test does not answer \(request)")
        }
    }

    func events() -> NodeEvents {
        preconditionFailure("a front is given its events")
    }

    /// Says yes to everything; lines are confirmed as soon as they are said.
    static let obliging: Answering = { request throws(RequestError) in
        switch request {
        case .say: .said(RecordID(.zero), isWaiting: false)
        case .flush: .flushed(unconfirmed: 0)
        case .peers: .peers([])
        case .rename, .join, .part, .connect, .invite, .answer, .sync: .done
        case .history: .history(HistoryPage(lines: [], hasMore: false))
        case .privateHistory, .conversations: .privateHistory([])
        case .me, .probe, .syncStatus, .tell, .stats, .health:
            throw RequestError(.stopped, "this test does not answer \(request)")
        }
    }
}
