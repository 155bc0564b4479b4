import LatticeAPI
import LatticeCore

// JOIN of a room that the client is already in, with a typed key or one from a newer invitation.
extension IRCGateway {
    mutating func enterAgain(
        _ room: RoomName, _ key: String?, of id: ConnectionID, then next: @escaping @Sendable (inout IRCGateway) -> Void
    ) {
        guard connections[id]?.rooms[room]?.members != nil else {
            let text =
                "You are in the public \(room.text). To enter a private room with this name: PART \(room.text), then JOIN "
                + "\(room.text) KEY"
            if key != nil { note(id, text, to: room.text) }
            return next(&self)
        }
        let typed = key.map { TypedKey($0) }
        ask(id, .perform(.history(HistoryQuery(room: room, limit: limits.historyLinesMax)))) { gateway, id, outcome in
            var known: Set<RecordID> = []
            if case .success(.answer(.history(let page))) = outcome { known = Set(page.lines.map(\.record)) }
            gateway.takeKey(typed, of: room, since: known, id, then: next)
        }
    }

    /// - Parameter known: the latest lines that were readable before.
    private mutating func takeKey(
        _ key: TypedKey?, of room: RoomName, since known: Set<RecordID>, _ id: ConnectionID,
        then next: @escaping @Sendable (inout IRCGateway) -> Void
    ) {
        ask(id, .perform(.room(.enter(room, key: key)))) { gateway, id, outcome in
            switch outcome {
            case .success(.answer(.room(.entered(let members?)))):
                gateway.refreshed(room, members, id)
                if gateway.connections[id]?.invitedAgain.remove(room) != nil {
                    gateway.note(id, "You have the current key of \(room.text) now.", to: room.text)
                }
                gateway.shownSince(known, room, id, then: next)
            case .failure(let error):
                gateway.refuse(room, error, id)
                next(&gateway)
            case .success: next(&gateway)
            }
        }
    }
}
