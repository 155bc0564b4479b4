import LatticeAPI
import LatticeCore
import LatticeGeo

/// What is needed to answer.
struct HTTPDesk: Sendable {
    let node: any MeshNode
    let settings: HTTPSettings
    let gate: Gatekeeper
    let hub: StreamHub
    let users: EventDesk

    func perform<R: Request>(_ request: R) async throws(HTTPProblem) -> R.Reply {
        do {
            return try await node.perform(request)
        } catch {
            throw HTTPProblem(error)
        }
    }

    func perform(_ request: NodeRequest) async throws(HTTPProblem) -> Answer {
        do {
            return try await node.perform(request)
        } catch {
            throw HTTPProblem(error)
        }
    }

    /// - Parameter pick: gets what the request names as its answer.
    func ask<Value>(_ request: NodeRequest, _ pick: (Answer) -> Value?) async throws(HTTPProblem) -> Value {
        let answer = try await perform(request)
        guard let value = pick(answer) else { preconditionFailure("each request names its answer") }
        return value
    }

    func detail(_ id: String, from place: Coordinate? = nil) async throws(HTTPProblem) -> ItemDetail {
        try await perform(ShowItem(ItemReference(id), from: place))
    }

    func me() async throws(HTTPProblem) -> Me {
        try await ask(.me) { if case .me(let me) = $0 { me } else { nil } }
    }

    func peers() async throws(HTTPProblem) -> [PeerInfo] {
        try await ask(.peers) { if case .peers(let peers) = $0 { peers } else { nil } }
    }

    func done(_ request: NodeRequest) async throws(HTTPProblem) {
        _ = try await perform(request)
    }
}
