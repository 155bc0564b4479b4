import LatticeAPI
import LatticeCore
import LatticeCrypto

/// Private messages, each persona's own.
enum PrivateMessageHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(
            SendPrivateMessage.self,
            { node, persona, request throws(RequestError) in
                let (wall, peer) = (try persona.storedWall(), try await node.peer(request.peer, for: persona))
                let message = try await wall.mail.tell(
                    peer, SpokenText(request), as: persona.name, at: node.clock.now)
                await node.wrote(persona.id)
                return node.named(message)
            },
            withoutNode: { store, request throws(RequestError) in
                let (peer, name) = (try await store.peer(request.peer), try await store.wall.reader.authorName())
                let message = try await store.wall.mail.tell(
                    peer, SpokenText(request), as: name, at: await store.time())
                return store.named([message])[0]
            })
        table.onPersona(
            ListPrivateMessages.self,
            { node, persona, request throws(RequestError) in
                let (wall, peer) = (try persona.storedWall(), try await node.peer(request.peer, for: persona))
                let messages = try await wall.mail.history(with: peer, limit: request.limit)
                return PrivateMessages(messages.map { node.named($0) })
            },
            withoutNode: { store, request throws(RequestError) in
                let peer = try await store.peer(request.peer)
                return PrivateMessages(store.named(try await store.wall.mail.history(with: peer, limit: request.limit)))
            })
        table.onPersona(
            ListConversations.self,
            { node, persona, _ throws(RequestError) in
                let messages = try await persona.storedWall().mail.conversations()
                return PrivateMessages(messages.map { node.named($0) })
            },
            withoutNode: { store, _ throws(RequestError) in
                PrivateMessages(store.named(try await store.wall.mail.conversations()))
            })
    }
}

extension SpokenText {
    fileprivate init(_ request: SendPrivateMessage) {
        self.init(request.text, request.style, isNotice: request.isNotice)
    }
}
