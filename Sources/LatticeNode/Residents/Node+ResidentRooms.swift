import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore

// Private rooms of residents, each for themselves: one may be in the public room of a name while another is in a private one.
extension Node {
    func forget(_ room: RoomName, _ person: Residents.Person, on wall: Wall) async throws(RequestError) {
        let id = person.identity.peer
        try await wall.rooms.forget(room, as: person.name, at: clock.now)
        residents.change(id) {
            $0.rooms.removeAll { $0 == room }
            $0.privacy.forget(room)
        }
        await residentWrote(id)
    }

    /// - Returns: its members; `nil` if there is no such room.
    func enter(
        _ room: RoomName, _ key: TypedKey?, _ person: Residents.Person, _ desk: RoomDesk
    ) async throws(RequestError) -> [RoomMember]? {
        let id = person.identity.peer
        let isInvited = try await !desk.offers(of: room).isEmpty
        guard key != nil || isInvited || person.privacy.isPrivate(room) else { return nil }
        let wasForgotten = person.privacy.isForgotten(room)
        // Before the key is here: what they say there meanwhile does not go out in clear.
        residents.change(id) { $0.privacy.held(room) }
        do throws(RequestError) {
            if try await desk.enter(room, key, as: person.name, at: clock.now, unheard: standing.blocked) != nil {
                return try await entered(room, id, desk)
            }
        } catch {
            await enteringFailed(room, wasForgotten, id, desk)
            throw error
        }
        await enteringFailed(room, wasForgotten, id, desk)
        return nil
    }

    private func enteringFailed(_ room: RoomName, _ wasForgotten: Bool, _ id: PeerID, _ desk: RoomDesk) async {
        let found = await RoomPrivacy.found(in: desk.store)
        residents.change(id) { $0.privacy.failed(room, wasForgotten: wasForgotten, found) }
        announce([id])
    }

    /// From here on all that they say there is sealed.
    func entered(_ room: RoomName, _ id: PeerID, _ desk: RoomDesk) async throws(RequestError) -> [RoomMember] {
        residents.change(id) {
            $0.privacy.held(room)
            if !$0.rooms.contains(room) { $0.rooms.append(room) }
        }
        // Whoever was in the public one of that name is there no more.
        announce([id])
        await residentWrote(id)
        return try await members(of: room, id, desk)
    }

    func members(of room: RoomName, _ id: PeerID, _ desk: RoomDesk) async throws(RequestError) -> [RoomMember] {
        let here = Set(mesh.peers().filter(\.isHere).compactMap(\.peer)).union([mesh.me, id])
        return try await desk.members(of: room).map { member in
            let state: RoomMember.State =
                member.state == .invited ? .invited : here.contains(member.peer) ? .here : .away
            return RoomMember(
                id: member.peer, name: residents[member.peer]?.name ?? RoomDesk.name(member.name), state: state)
        }
    }

    func sayPrivately(
        _ speech: SpokenText, in room: RoomName, by person: Residents.Person
    ) async throws(RequestError) -> Answer {
        guard let wall = person.wall else { throw .noStore }
        let id = person.identity.peer
        let message = try await wall.rooms.say(speech, in: room, as: person.name, at: clock.now)
        residents.tell(.message(message), to: id)
        await residentWrote(id)
        return .said(message.record, isWaiting: mesh.connectedCount == 0, at: message.at)
    }
}
