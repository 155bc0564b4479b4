import LatticeAPI
import LatticeCore
import LatticeMesh

enum ChatHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(Say.self) { node, persona, request throws(RequestError) in
            let line = SpokenText(
                request.text, request.style, isNotice: request.isNotice, replyTo: request.replyTo,
                isUrgent: request.isUrgent)
            return try await say([line], in: request.room, for: request.audience, as: persona, on: node)[0].get()
        }
        table.onPersona(SayLines.self) { node, persona, request throws(RequestError) in
            let lines = request.lines.map {
                SpokenText($0.text, $0.style, isNotice: $0.isNotice, replyTo: $0.replyTo, isUrgent: $0.isUrgent)
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
            try await desk.show(request.line, at: now)
        }
        table.onLine(ReactToLine.self) { desk, request, now throws(RequestError) in
            try await desk.perform(request, at: now)
        }
        table.onLine(EditLine.self) { desk, request, now throws(RequestError) in
            try await desk.perform(request, at: now)
        }
        table.onLine(DeleteLine.self) { desk, request, now throws(RequestError) in
            try await desk.perform(request, at: now)
        }
    }
}

extension HandlerTable {
    /// Like `onDesk`, for acts on lines. It also notifies the persona's fronts.
    fileprivate mutating func onLine<R: Request>(
        _: R.Type,
        _ work: @escaping @Sendable (PersonaDesk, R, WallTime) async throws(RequestError) -> LineOutcome
    ) where R.Reply == SaidLine {
        add(
            Handler<R>(
                isOwnersAlone: false,
                { node, persona, request throws(RequestError) in
                    let desk = try node.publisher.desk(of: persona, for: node)
                    let outcome = try await work(desk, request, node.clock.now)
                    if let event = outcome.event { node.notifier.deliver(event, to: persona.id, for: node) }
                    await node.publisher.wrote(persona.id, for: node)
                    return outcome.line
                },
                withoutNode: { store, request throws(RequestError) in
                    try await store.archive.perform(request, at: await store.time())
                }, damaged: nil,
                onDesk: { desk, request, now throws(RequestError) in try await work(desk, request, now).line }))
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
