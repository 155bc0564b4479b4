package import LatticeAPI
package import LatticeCore
import OrderedCollections

// What `/rooms` lists.
extension Conversation {
    /// - Parameters:
    ///   - known: what the node knows of the joined rooms and of private conversations.
    ///   - when: formats the date of a line.
    package func roomList(_ known: [ConversationInfo] = [], when: (WallTime) -> String = { _ in "" }) -> RoomList {
        let all = joined + privateRooms.union(people.keys).filter { !joined.contains($0) }.sorted()
        let talks = Dictionary(known.map { ($0.conversation, talk($0, when)) }) { first, _ in first }
        return RoomList(
            rooms: all.map { room in
                RoomList.Room(
                    room: room, isJoined: joined.contains(room), isCurrent: isCurrent(room), people: people[room] ?? 0,
                    isPrivate: privateRooms.contains(room), talk: talks[.room(room)])
            },
            conversations: known.compactMap { info in
                guard case .peer(let reference) = info.conversation, let peer = reference.id, !isUnheard(peer) else {
                    return nil
                }
                return RoomList.Partner(
                    peer: peer, shown: shownPartner(peer), isCurrent: partner == peer, talk: talk(info, when))
            })
    }

    private func talk(_ info: ConversationInfo, _ when: (WallTime) -> String) -> RoomList.Talk {
        guard let last = info.last else { return RoomList.Talk(info, author: nil, when: "") }
        let isPartner = info.conversation == .peer(PeerReference(last.from))
        let author = isPartner ? nil : last.name.map { roster.shown(last.from, $0) } ?? "#\(last.from.short)"
        return RoomList.Talk(info, author: last.from == me ? "you" : author, when: when(last.at))
    }
}
