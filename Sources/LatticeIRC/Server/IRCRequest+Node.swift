import LatticeAPI

// The node's own requests for what people on IRC want.
extension IRCRequest {
    func performed(on node: any MeshNode) async throws(RequestError) -> IRCReply {
        switch self {
        case .say(let text, let style, let room, let audience, let isNotice):
            let say = NodeRequest.say(text, style: style, room: room, audience: audience, isNotice: isNotice)
            return IRCReply(try await node.perform(say))
        case .rename(let name): return IRCReply(try await node.perform(.rename(name)))
        case .join(let room): return IRCReply(try await node.perform(.join(room)))
        case .part(let room): return IRCReply(try await node.perform(.part(room)))
        case .peers: return IRCReply(try await node.perform(.peers))
        case .sync: return IRCReply(try await node.perform(.sync))
        case .history(let query): return IRCReply(try await node.perform(.history(query)))
        case .tell(let peer, let text, let style, let isNotice):
            return IRCReply(try await node.perform(.tell(peer, text, style: style, isNotice: isNotice)))
        case .privateHistory(let peer, let limit):
            return IRCReply(try await node.perform(.privateHistory(peer, limit: limit)))
        case .conversations: return IRCReply(try await node.perform(.conversations))
        case .stats: return IRCReply(try await node.perform(.stats))
        case .wall(.near(let query)): return .wall(.page(try await node.perform(query)))
        case .wall(.post(let post)): return .wall(.item(try await node.perform(post)))
        case .wall(.here): return .wall(.here(try await node.perform(ShowHere()).place))
        case .known(.find(let person)): return .known(.person(try await node.perform(FindPerson(person))))
        case .known(.safetyNumber(let person)):
            return .known(.safetyNumber(try await node.perform(ShowSafetyNumber(person))))
        case .room(let request): return .room(try await request.performed(on: node))
        }
    }
}

extension IRCRequest.Room {
    fileprivate func performed(on node: any MeshNode) async throws(RequestError) -> IRCReply.Room {
        switch self {
        case .list: return .rooms(try await node.perform(ListPrivateRooms()).rooms)
        case .enter(let room, let key):
            return .entered(try await node.perform(EnterPrivateRoom(room, key: key)).members)
        case .create(let room): return .entered(try await node.perform(CreatePrivateRoom(room)).members)
        case .key(let room): return .key(try await node.perform(ShowRoomKey(room)).key)
        case .invite(let peer, let name, let room):
            _ = try await node.perform(InviteToRoom(PeerReference(peer), name: name, room))
        case .remove(let peer, let room): _ = try await node.perform(RemoveFromRoom(PeerReference(peer), room))
        case .members(let room): return .members(try await node.perform(ListRoomMembers(room)).members)
        case .forget(let room): _ = try await node.perform(ForgetRoom(room))
        }
        return .done
    }
}

extension IRCReply {
    fileprivate init(_ answer: Answer) {
        switch answer {
        case .done: self = .done
        case .said(let record, let isWaiting, let unkept, let date):
            self = .said(record, isWaiting: isWaiting, unkept: unkept, at: date)
        case .peers(let peers): self = .peers(peers)
        case .history(let page): self = .history(page)
        case .told(let message): self = .told(message)
        case .privateHistory(let messages): self = .privateHistory(messages)
        case .stats(let stats): self = .stats(stats)
        case .me, .probe, .flushed, .syncStatus, .health:
            preconditionFailure("each request names its answer")
        }
    }
}
