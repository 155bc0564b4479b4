import LatticeAPI
import LatticeCore
import LatticeStore

// The rooms of a persona at a glance.
extension ReadHandlers {
    static func registerRooms(in table: inout HandlerTable) {
        table.onPersona(ListRooms.self) { node, persona, _ throws(RequestError) in
            let people = await people(in: persona, on: node)
            guard let reader = persona.archive?.reader else {
                return .init(persona.rooms.map { room(none(.room($0)), people[$0], nil, of: persona) })
            }
            let now = node.clock.now
            let messages = try await reader.mail.conversations()
                .filter { !persona.contactMarks.unheard.contains($0.peer) }
                .prefix(ListRooms.peersMax).map { Contacts.named($0, for: node) }
            let peers = messages.map { ConversationName.peer(PeerReference($0.peer)) }
            let counts = try await unread(
                persona.rooms.map(ConversationName.room) + peers, of: persona, reader, at: now)
            let unread = Dictionary(counts.map { ($0.conversation, $0) }) { first, _ in first }
            let last = try await reader.lastLines(
                of: persona.rooms, persona.privacy, unheard: persona.contactMarks.unheard, at: now)
            return .init(
                persona.rooms.map { name in
                    room(unread[.room(name)] ?? none(.room(name)), people[name], last[name], of: persona)
                }
                    + zip(peers, messages).map { peer, message in
                        ConversationInfo(
                            unread[peer] ?? none(peer), name: message.peerName, isPrivate: true,
                            last: LastLine(message, me: (persona.id, persona.name)))
                    })
        }
    }

    private static func none(_ conversation: ConversationName) -> UnreadCount {
        UnreadCount(conversation, lines: 0, mentions: 0, isMore: false)
    }

    private static func room(
        _ unread: UnreadCount, _ people: Int?, _ last: LastLine?, of persona: Persona
    ) -> ConversationInfo {
        guard case .room(let name) = unread.conversation else { return ConversationInfo(unread) }
        return ConversationInfo(
            unread, isPrivate: persona.privacy.isPrivate(name), isMuted: persona.contactMarks.muted.contains(name),
            people: people, last: last)
    }

    /// How many people are in each room of a persona now, the persona among them.
    private static func people(in persona: Persona, on node: isolated Node) async -> [RoomName: Int] {
        let own = Set(persona.publicRooms)
        var here: Set<PeerID> = [persona.id]
        var counts = Dictionary(uniqueKeysWithValues: own.map { ($0, 1) })
        var others = PeerHandlers.peers(of: node).filter { $0.isHere && $0.id != persona.id }
        if !persona.isOwner { others.append(PeerHandlers.owner(of: node)) }
        for peer in others {
            if let id = peer.id { here.insert(id) }
            for room in Set(peer.rooms).intersection(own) { counts[room, default: 0] += 1 }
        }
        for room in persona.rooms where persona.privacy.isPrivate(room) {
            do {
                let members = try await persona.storedArchive().rooms.members(of: room)
                counts[room] = members.count { $0.state == .here && here.contains($0.peer) }
            } catch {
                counts[room] = 1  // Its key is lost: nobody is known there.
            }
        }
        return counts
    }
}
