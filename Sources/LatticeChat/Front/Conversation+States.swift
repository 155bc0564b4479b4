import LatticeAPI
import LatticeCore
import OrderedCollections

// People who are away or idle, and changes of pins.
extension Conversation {
    /// The away text of a peer; `nil` if they are not away.
    func awayText(of peer: PeerID) -> String? { peer == me ? away : awayTexts[peer] }

    /// People of a room who are away or idle.
    ///
    /// - Parameter peers: the node's list, which has the idle times. If it is empty, nobody is shown as idle.
    func states(in room: RoomName, _ peers: [PeerInfo]) -> [PersonState] {
        let idle = Dictionary(peers.compactMap { peer in peer.id.map { ($0, peer.idle) } }) { first, _ in first }
        let ids = (joined.contains(room) ? [me] : []) + rooms.elements.filter { $0.value.contains(room) }.map(\.key)
        return ids.compactMap { id in
            guard let name = roster.name(of: id) else { return nil }
            let state = PersonState(
                name: roster.shown(id, name), away: awayText(of: id), idle: idle[id] ?? nil)
            return state.words == nil ? nil : state
        }
    }

    func changed(_ change: PinChange) -> ChatItem? {
        let room = change.room
        guard !isUnheard(change.by.id), !isMuted(room), joined.contains(room), !countsUnread || isCurrent(room)
        else { return nil }
        return .pinned(change, shown: shown(change.by), isCurrentRoom: isCurrent(room))
    }

    /// The name of a person: the one that this front knows, else the given one.
    func shown(_ person: RoomEvent.Person) -> String {
        if person.id == me { return "you" }
        guard let name = name(of: person.id) ?? person.name else { return shownPartner(person.id) }
        return roster.shown(person.id, name)
    }
}
