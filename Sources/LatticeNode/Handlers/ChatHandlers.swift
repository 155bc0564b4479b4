import LatticeAPI
import LatticeCore
import LatticeMesh

enum ChatHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(Say.self) { node, persona, request throws(RequestError) in
            let line = SpokenText(request.text, request.style, isNotice: request.isNotice, replyTo: request.replyTo)
            return try await say([line], in: request.room, for: request.audience, as: persona, on: node)[0].get()
        }
        table.onPersona(SayLines.self) { node, persona, request throws(RequestError) in
            let lines = request.lines.map {
                SpokenText($0.text, $0.style, isNotice: $0.isNotice, replyTo: $0.replyTo)
            }
            let outcomes = await say(
                lines, in: request.room, for: request.audience, as: persona, asker: request.asker, on: node)
            return SayLines.Reply(outcomes.map(SayLines.Outcome.init))
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
        table.onDesk(ShowLine.self, .personas) { desk, request, now throws(RequestError) in
            try await desk.reader.line(request.line, at: now).message
        }
        table.onDesk(ReactToLine.self, [.writes, .personas]) { desk, request, now throws(RequestError) in
            try await desk.react(to: request.line, request.emoji, request.holds, at: now)
        }
        table.onDesk(EditLine.self, [.writes, .personas]) { desk, request, now throws(RequestError) in
            try await desk.editLine(request.line, request.text, at: now)
        }
        table.onDesk(DeleteLine.self, [.writes, .personas]) { desk, request, now throws(RequestError) in
            try await desk.deleteLine(request.line, at: now)
        }
    }
}

extension SayLines.Outcome {
    fileprivate init(_ result: Result<Say.Reply, RequestError>) {
        switch result {
        case .success(let said): self = .said(said)
        case .failure(let error): self = .refused(error)
        }
    }
}
