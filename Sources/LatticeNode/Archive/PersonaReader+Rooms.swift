import LatticeAPI
import LatticeCore
import LatticeStore

// The last line of each room.
extension PersonaReader {
    /// - Parameters:
    ///   - privacy: which of the rooms are private.
    ///   - unheard: people whose lines are passed over.
    /// - Returns: a room without lines is missing.
    func lastLines(
        of rooms: [RoomName], _ privacy: RoomPrivacy, unheard: Set<PeerID>, at now: WallTime
    ) async throws(RequestError) -> [RoomName: LastLine] {
        let open = rooms.filter { !privacy.isPrivate($0) }
        let found = try await stored { () throws(StoreError) in
            try await store.history.lastLines(of: open.map { Array($0.text.utf8) }, except: unheard, at: now)
        }
        var last: [RoomName: LastLine] = [:]
        for line in try await messages(found.compactMap(\.self), at: now) { last[line.room] = LastLine(line) }
        for room in rooms where privacy.isPrivate(room) {
            let line = try await stored { () throws(StoreError) in
                try await store.rooms.lastLine(of: room, except: unheard)
            }
            last[room] = line.map { LastLine(Message($0, me: self.rooms.me)) }
        }
        return last
    }
}
