import LatticeAPI
import LatticeCore
import LatticeMesh

/// Requests about chat in rooms.
enum ChatHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(Say.self) { node, persona, request throws(RequestError) in
            try await say(SpokenText(request), in: request.room, for: request.audience, as: persona, on: node)
        }
        table.onPersona(Rename.self) { node, persona, request throws(RequestError) in
            node.announcer.rename(request.name, as: persona.id, for: node)
            return Done()
        }
        table.onPersona(JoinRoom.self) { node, persona, request throws(RequestError) in
            try node.rooms.join(request.room, as: persona.id, for: node)
            return Done()
        }
        table.onPersona(LeaveRoom.self) { node, persona, request throws(RequestError) in
            node.rooms.part(request.room, as: persona.id, for: node)
            return Done()
        }
        table.onDesk(HistoryQuery.self, .personas) { desk, query, now throws(RequestError) in
            try await desk.reader.history(query, at: now)
        }
    }
}

extension SpokenText {
    fileprivate init(_ request: Say) {
        self.init(request.text, request.style, isNotice: request.isNotice)
    }
}
