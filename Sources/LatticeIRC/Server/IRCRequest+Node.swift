import LatticeAPI
import LatticeCore

extension IRCRequest {
    func performed(on node: any MeshNode) async throws(RequestError) -> IRCReply {
        switch self {
        case .say(let lines, let room, let audience):
            return .said(try await node.perform(SayLines(lines, room: room, audience: audience)).lines)
        case .react(let line, let emoji, let holds, let room):
            try await Self.check(line, isIn: room, on: node)
            _ = try await node.perform(ReactToLine(line, emoji, holds: holds))
        case .deleteLine(let line, let room):
            try await Self.check(line, isIn: room, on: node)
            _ = try await node.perform(DeleteLine(line))
        case .rename(let name): _ = try await node.perform(Rename(name))
        case .away(let text): return .away(missed: try await node.perform(SetAway(text)).missed)
        case .join(let room): _ = try await node.perform(JoinRoom(room))
        case .part(let room): _ = try await node.perform(LeaveRoom(room))
        case .peers: return .peers(try await node.perform(ListPeers()).peers)
        case .sync: _ = try await node.perform(SyncNow())
        case .history(let query): return .history(try await node.perform(query))
        case .tell(let peer, let text, let style, let isNotice, let replyTo):
            let message = SendPrivateMessage(
                PeerReference(peer), text, style: style, isNotice: isNotice, replyTo: replyTo)
            return .told(try await node.perform(message))
        case .privateHistory(let peer, let limit):
            let list = ListPrivateMessages(PeerReference(peer), limit: limit)
            return .privateHistory(try await node.perform(list).messages)
        case .conversations: return .privateHistory(try await node.perform(ListConversations()).messages)
        case .stats: return .stats(try await node.perform(ShowStats()))
        case .posts(let request): return .posts(try await request.performed(on: node))
        case .known(let request): return .known(try await request.performed(on: node))
        case .room(let request): return .room(try await request.performed(on: node))
        }
        return .done
    }

    /// A client that names another place than the line's has the wrong line.
    private static func check(
        _ line: RecordID, isIn room: RoomName?, on node: any MeshNode
    ) async throws(RequestError) {
        let place: RoomName? =
            switch try await node.perform(ShowLine(line)) {
            case .room(let line): line.room
            case .message: nil
            }
        if place != room { throw .unknownLine }
    }
}

extension IRCRequest.Archive {
    fileprivate func performed(on node: any MeshNode) async throws(RequestError) -> IRCReply.Archive {
        switch self {
        case .near(let query): .page(try await node.perform(query))
        case .timeline(let page): .page(try await node.perform(ListTimeline(page)))
        case .post(let post): .item(try await node.perform(post))
        case .like(let item, let likes): .item(try await node.perform(LikeItem(item, likes)))
        case .attend(let item, let attends): .item(try await node.perform(AttendEvent(item, attends)))
        case .comment(let item, let text): .item(try await node.perform(NewComment(on: item, text: text)))
        case .follow(let peer, let follows): .person(try await node.perform(FollowPerson(peer, follows)))
        case .notifications(let page): .notifications(try await Self.seen(page, on: node))
        case .search(let words, let page): .found(try await node.perform(SearchLines(words, page: page)).lines)
        case .notify(let kinds, let isOn): .notify(try await node.perform(SwitchNotifications(kinds, isOn: isOn)))
        case .dismissUrgent: .dismissed(try await node.perform(DismissUrgent()).records.count)
        case .here: .here(try await node.perform(ShowHere()).place)
        case .placeNamed(let name):
            .here(try await node.perform(SetHere(try await node.perform(FindPlace(name)).place)).place)
        case .places(let page): .page(try await node.perform(ListPlaces(page: page)))
        case .place(let place): .here(try await node.perform(SetHere(place)).place)
        }
    }

    /// What was listed is no longer new.
    private static func seen(
        _ page: PageRequest, on node: any MeshNode
    ) async throws(RequestError) -> NotificationPage {
        let listed = try await node.perform(ListNotifications(page))
        if listed.newCount > 0 { _ = try await node.perform(MarkNotificationsSeen()) }
        return listed
    }
}

extension IRCRequest.Known {
    fileprivate func performed(on node: any MeshNode) async throws(RequestError) -> IRCReply.Known {
        switch self {
        case .list: .people(try await node.perform(ListKnownPeople()).people)
        case .find(let person): .person(try await node.perform(FindPerson(person)))
        case .safetyNumber(let person): .safetyNumber(try await node.perform(ShowSafetyNumber(person)))
        case .verify(let person, let isRight): .person(try await node.perform(VerifyPerson(person, isRight)))
        case .ignore(let person, let isIgnored): .person(try await node.perform(IgnorePerson(person, isIgnored)))
        case .block(let person, let isBlocked): .person(try await node.perform(BlockPerson(person, isBlocked)))
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
        case .pins(let room): return .pins(try await node.perform(ListPins(room)).pins)
        case .pin(let pinned, let room): return .pins(try await node.perform(SetPin(pinned, in: room)).pins)
        }
        return .done
    }
}
