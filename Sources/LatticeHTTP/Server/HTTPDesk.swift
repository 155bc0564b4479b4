import LatticeAPI
import LatticeCore
import LatticeGeo

struct HTTPDesk: Sendable {
    /// The node, in the name of who asks.
    private(set) var node: any MeshNode
    let settings: HTTPSettings
    let gate: Gatekeeper
    private(set) var hub: StreamHub
    /// Whether paths and addresses of machines may be shown.
    var mayShowMachine = true
    let users: EventDesk
    /// `nil` if nobody but the owner writes here.
    let visitors: VisitorDesk?

    /// Whether connections are encrypted.
    var isSecure: Bool { settings.security != nil }

    /// The same for a visitor.
    func of(_ seat: VisitorSeat) -> HTTPDesk {
        var desk = self
        (desk.node, desk.hub, desk.mayShowMachine) = (seat.asking, seat.hub, false)
        return desk
    }

    func perform<R: Request>(_ request: R) async throws(HTTPProblem) -> R.Reply {
        do {
            return try await node.perform(request)
        } catch {
            throw mayShowMachine ? HTTPProblem(error) : HTTPProblem(withoutPaths: error)
        }
    }

    func detail(_ id: String, from place: Coordinate? = nil) async throws(HTTPProblem) -> ItemDetail {
        try await perform(ShowItem(ItemReference(id), from: place))
    }

    func me() async throws(HTTPProblem) -> Me { try await perform(ShowMe()) }

    func peers() async throws(HTTPProblem) -> [PeerInfo] { try await perform(ListPeers()).peers }
}
