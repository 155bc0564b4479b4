import LatticeNode
import LatticeWire

extension Session {
    /// Does what advertisers and browsers want.
    func obeyNearby(on running: ServingNode) async {
        while let order = await nearby.first({ $0.takeOrder() }) {
            switch order {
            case .play(let roles): await running.node.play(roles)
            case .inform(let info): await running.node.inform(info)
            case .turnAway(let peer, let link): running.node.decline(peer, on: link, .busy)
            case .isOver: return
            }
        }
    }
}
