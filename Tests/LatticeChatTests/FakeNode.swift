import LatticeAPI
import LatticeCore

/// A node that answers as a test says and notes what it was asked.
actor FakeNode: MeshNode {
    typealias Answering = @Sendable (any Request) async throws(RequestError) -> any Sendable

    /// Everything in order, the requests of a front at its start left out.
    private var asked: [any Request] = []
    /// How many lines each request had.
    private(set) var lineCounts: [Int] = []
    private let answering: Answering

    /// In order.
    nonisolated var requests: [AnyHashable] { get async { await asked.map { AnyHashable($0) } } }

    init(_ answering: @escaping Answering) {
        self.answering = answering
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        if let request = request as? SayLines {
            guard let reply = await said(request) as? R.Reply else { preconditionFailure("lines have their reply") }
            return reply
        }
        switch request {
        // At its start a front asks for known people, muted and private rooms, urgent messages, pins and the card. After five
        // seconds alone it asks who it is, for its hint. No test can say when that happens.
        case is ListKnownPeople, is ListMutedRooms, is ListPrivateRooms, is ShowMe, is ListUrgent, is ListPins,
            is ShowMeshCard:
            break
        default: asked.append(request)
        }
        guard let reply = try await answering(request) as? R.Reply else {
            preconditionFailure("\(R.name) has another reply")
        }
        return reply
    }

    /// A test says what becomes of each line, and sees each, as if it was said alone.
    private func said(_ request: SayLines) async -> SayLines.Reply {
        lineCounts.append(request.lines.count)
        var outcomes: [SayLines.Outcome] = []
        for line in request.lines {
            let say = Say(
                line.text, style: line.style, room: request.room, audience: request.audience, replyTo: line.replyTo,
                isUrgent: line.isUrgent)
            do {
                outcomes.append(.said(try await perform(say)))
            } catch {
                outcomes.append(.refused(error))
            }
        }
        return SayLines.Reply(outcomes)
    }

    func events() -> NodeEvents {
        preconditionFailure("a front is given its events")
    }

    /// Says yes to everything; lines are confirmed as soon as they are said. Nobody is known, and no room is private.
    static let obliging: Answering = { request throws(RequestError) in
        switch request {
        case is Say: Say.Reply(RecordID(.zero), isWaiting: false)
        case is Flush: Flush.Reply(unconfirmed: 0)
        case is ListPeers: ListPeers.Reply([])
        case is Rename, is JoinRoom, is LeaveRoom, is DialAddress, is InvitePeer, is AnswerInvitation, is SyncNow:
            Done()
        case is HistoryQuery: HistoryPage(lines: [], hasMore: false)
        case is ListPrivateMessages, is ListConversations: PrivateMessages([])
        case is ListKnownPeople: ListKnownPeople.Reply([])
        case is ListMutedRooms: MutedRooms([])
        case is ListUrgent: ListUrgent.Reply([])
        case let request as ListPins: RoomPins(request.room, [])
        case is ShowMeshCard: MeshCardStatus()
        case is IgnorePerson: KnownPerson(id: PeerID(.zero))
        case is ListRooms: ListRooms.Reply([])
        case is ListPrivateRooms: ListPrivateRooms.Reply([])
        case let request as EnterPrivateRoom where request.key == nil: EnteredRoom(nil)
        default: throw RequestError.other(code: .stopped, message: "this test does not answer \(request)")
        }
    }
}
