import LatticeAPI
import LatticeCore

/// A node that answers as a test says and notes what it was asked.
actor FakeNode: MeshNode {
    typealias Answering = @Sendable (NodeRequest) async throws(RequestError) -> Answer

    private(set) var requests: [NodeRequest] = []
    private let answering: Answering

    init(_ answering: @escaping Answering) {
        self.answering = answering
    }

    func perform(_ request: NodeRequest) async throws(RequestError) -> Answer {
        // After five seconds alone a front asks who it is, for its hint: when that is, no test can say.
        // And at its start who is known, what is muted, and which rooms are private.
        if ![.me, .known(.people), .known(.muted), .room(.list)].contains(request) { requests.append(request) }
        return try await answering(request)
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        throw RequestError(.stopped, "this test does not answer \(R.name)")
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
        case .known(.people): .known(.people([]))
        case .known(.muted): .known(.muted([]))
        case .known: .known(.person(KnownPerson(id: PeerID(.zero))))
        case .privateHistory, .conversations: .privateHistory([])
        case .room(.list): .room(.rooms([]))
        case .room(.enter(_, key: nil)): .room(.entered(nil))
        case .room: throw RequestError(.stopped, "this test does not answer \(request)")
        case .me, .probe, .syncStatus, .wall, .tell, .stats, .health:
            throw RequestError(.stopped, "this test does not answer \(request)")
        }
    }
}
