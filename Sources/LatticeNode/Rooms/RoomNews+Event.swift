import LatticeAPI
import LatticeCore

extension RoomNews {
    /// For fronts whose users share a node.
    ///
    /// - Parameter person: resolves a peer, with the name from the record or else the known one.
    func event(_ person: (PeerID, String?) -> RoomEvent.Person) -> RoomEvent {
        switch self {
        case .came(let room, let peer, let name): RoomEvent(.came, room, by: person(peer, name))
        case .left(let room, let peer, let name): RoomEvent(.left, room, by: person(peer, name))
        case .invited(let room, let peer, let name, let by):
            RoomEvent(.invited, room, by: person(by, nil), others: [person(peer, name)])
        case .removed(let room, let peers, let by):
            RoomEvent(.removed, room, by: person(by, nil), others: peers.map { person($0, nil) })
        case .invitation(let room, let by): RoomEvent(.invitation, room, by: person(by, nil))
        case .oldKey(let room, let peer): RoomEvent(.oldKey, room, by: person(peer, nil))
        }
    }
}
