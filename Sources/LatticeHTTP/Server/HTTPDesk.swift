import LatticeAPI
import LatticeCore
import LatticeGeo

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

    func detail(_ id: String, from place: Coordinate? = nil) async throws(HTTPProblem) -> ItemDetail {
        try await perform(ShowItem(ItemReference(id), from: place))
    }

    func me() async throws(HTTPProblem) -> Me { try await perform(ShowMe()) }

    func peers() async throws(HTTPProblem) -> [PeerInfo] { try await perform(ListPeers()).peers }
}
