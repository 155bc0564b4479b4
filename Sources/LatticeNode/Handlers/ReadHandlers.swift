import LatticeAPI
import LatticeCore

/// Requests about how far a persona has read.
enum ReadHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(MarkRead.self) { node, persona, request throws(RequestError) in
            let reader = try persona.storedArchive().reader
            let conversation = try await resolved(request.conversation, for: persona, on: node)
            let hasMoved = try await reader.markRead(conversation, persona.privacy, upTo: request.upTo)
            guard let count = try await unread([conversation], of: persona, reader, at: node.clock.now).first else {
                throw .store(fault: .unreadable)
            }
            if hasMoved { node.notifier.deliver([.read(count)], in: persona.visit, for: node) }
            return count
        }
        registerSearch(in: &table)
        registerRooms(in: &table)
        table.onPersona(ListUnread.self) { node, persona, _ throws(RequestError) in
            let (reader, now) = (try persona.storedArchive().reader, node.clock.now)
            let rooms = persona.rooms.filter { !persona.contactMarks.muted.contains($0) }.map(ConversationName.room)
            let counts = try await unread(rooms + (try await reader.unreadPeers()), of: persona, reader, at: now)
            return .init(counts.filter { $0.lines > 0 || $0.isMore })
        }
    }

    private static func registerSearch(in table: inout HandlerTable) {
        table.onPersona(
            SearchLines.self,
            { node, persona, request throws(RequestError) in
                let reader = try persona.storedArchive().reader
                var conversation: ConversationName?
                if let named = request.conversation { conversation = try await resolved(named, for: persona, on: node) }
                let found = try await reader.find(request, in: conversation, at: node.clock.now)
                return .init(found.lines.filter { !persona.contactMarks.unheard.contains($0.from) }, next: found.next)
            },
            withoutNode: { store, request throws(RequestError) in
                var conversation = request.conversation
                if case .peer(let reference) = conversation {
                    conversation = .peer(PeerReference(try await store.peer(reference)))
                }
                return try await store.archive.reader.find(request, in: conversation, at: await store.time())
            })
        table.onDesk(LinesAround.self, .personas) { desk, request, now throws(RequestError) in
            try await desk.reader.lines(around: request, at: now)
        }
    }

    private static func resolved(
        _ conversation: ConversationName, for persona: Persona, on node: isolated Node
    ) async throws(RequestError) -> ConversationName {
        switch conversation {
        case .room: conversation
        case .peer(let reference): .peer(PeerReference(try await node.peer(reference, for: persona)))
        }
    }

    static func unread(
        _ conversations: [ConversationName], of persona: Persona, _ reader: PersonaReader, at now: WallTime
    ) async throws(RequestError) -> [UnreadCount] {
        try await reader.unread(
            conversations, persona.privacy, name: persona.name, unheard: persona.contactMarks.unheard, at: now)
    }
}
