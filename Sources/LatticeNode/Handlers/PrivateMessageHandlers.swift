import LatticeAPI

/// Private messages, each persona's own.
enum PrivateMessageHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(
            SendPrivateMessage.self,
            { node, persona, request throws(RequestError) in
                let (archive, peer) = (try persona.storedArchive(), try await node.peer(request.peer, for: persona))
                let message = try await archive.mail.tell(
                    peer, SpokenText(request), as: persona.name, at: node.clock.now)
                await node.publisher.wrote(persona.id, for: node)
                return Contacts.named(message, for: node)
            },
            withoutNode: { store, request throws(RequestError) in
                let (peer, name) = (try await store.peer(request.peer), try await store.archive.reader.authorName())
                let message = try await store.archive.mail.tell(
                    peer, SpokenText(request), as: name, at: await store.time())
                return store.named([message])[0]
            })
        table.onPersona(
            ListPrivateMessages.self,
            { node, persona, request throws(RequestError) in
                let (archive, peer) = (try persona.storedArchive(), try await node.peer(request.peer, for: persona))
                let messages = try await archive.mail.history(with: peer, limit: request.limit)
                return PrivateMessages(messages.map { Contacts.named($0, for: node) })
            },
            withoutNode: { store, request throws(RequestError) in
                let peer = try await store.peer(request.peer)
                return PrivateMessages(
                    store.named(try await store.archive.mail.history(with: peer, limit: request.limit)))
            })
        table.onPersona(
            ListConversations.self,
            { node, persona, _ throws(RequestError) in
                let messages = try await persona.storedArchive().mail.conversations()
                return PrivateMessages(messages.map { Contacts.named($0, for: node) })
            },
            withoutNode: { store, _ throws(RequestError) in
                PrivateMessages(store.named(try await store.archive.mail.conversations()))
            })
    }
}

extension SpokenText {
    fileprivate init(_ request: SendPrivateMessage) {
        self.init(request.text, request.style, isNotice: request.isNotice, replyTo: request.replyTo)
    }
}
