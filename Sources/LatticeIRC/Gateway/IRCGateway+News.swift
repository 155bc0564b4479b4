import LatticeAPI
import LatticeCore

// Events of the node as IRC lines.
extension IRCGateway {
    mutating func told(_ event: NodeEvent) {
        switch event {
        case .presence(let change): presence(change)
        case .message(let message): heard(message)
        case .peer(let change): service.linked(change, people, to: rooms.audience(of: .status), into: &clients)
        case .notice(let notice): status(notice.words, isNotice: true)
        case .sync(let progress): service.synced(progress, to: rooms.audience(of: .status), into: &clients)
        case .renamed(let id, let from, let to):
            status("\(DisplayText.safe(from.text))#\(id.short) is now called \(DisplayText.safe(to.text))")
        case .nameClash(let clash):
            status(
                "Careful: #\(clash.newcomer.id.short) uses a name that looks like the name of #\(clash.known.id.short). "
                    + "WHOIS shows their keys.")
        case .invitation(_, let name, _):
            status("\(DisplayText.safe(name.text)) wants to connect. The owner of this node decides.")
        case .missed(let count): for id in clients.ids where !rooms.rooms(of: id).isEmpty { missed(count, id) }
        // News is each visitor's own.
        case .posted, .notification: break
        case .lineChanged(let change):
            rooms.changed(
                change, by: people.speaker(change.by, change.by == change.line.from ? change.line.name : nil),
                into: &clients)
            changed(change, among: rooms.audience(of: .room(change.line.room)))
        case .ready, .privateMessage, .privateMessageChanged, .privateProgress, .contactMarks, .me, .placed, .room,
            .changed, .sent, .read, .notificationsSeen, .urgentDismissed, .pinned:
            break
        }
    }

    mutating func deliveredAlone(_ event: NodeEvent, _ id: ConnectionID) {
        if case .contactMarks(let contactMarks) = event {
            clients.take(contactMarks, of: id)
            // The person of a topic may be ignored now.
            for room in rooms.rooms(of: id) where rooms.topic(of: room, for: id) != nil {
                lookAtTopic(of: room, id)
            }
        }
        guard clients[id]?.isRegistered == true, event.author.map({ clients.hears($0, id) }) ?? true else { return }
        switch event {
        case .message(let message): rooms.heard(alone: message, id, people, into: &clients)
        case .privateMessage(let message): heard(alone: message, id)
        case .lineChanged(let change):
            let name = change.by == change.line.from ? change.line.name : nil
            rooms.changed(alone: change, id, by: people.speaker(change.by, name), into: &clients)
            changed(change, among: [id])
        case .pinned(let change): lookAtTopic(of: change.room, id)
        case .privateMessageChanged(let change): changed(alone: change, id)
        case .privateProgress(let progress): messages.cameFurther(progress, id, people, into: &clients)
        case .notice(let notice): clients.note(aside: id, notice.words)
        case .room(let event):
            if event.kind == .invitation { remember(event.by.id, event.by.name) }
            rooms.happened(event, id, people, into: &clients)
        case .missed(let count): missed(count, id)
        case .posted(let item):
            IRCPostsChannel.show(item, to: rooms.isIn(.posts, id) ? [id] : [], people, into: &clients)
        case .notification(let one):
            if let line = IRCNotifications.news(one) { clients.note(aside: id, line) }
        default: break
        }
    }

    /// If the changed line is shown as a topic, these clients get the new topic.
    private mutating func changed(_ change: LineChange, among ids: [ConnectionID]) {
        guard change.kind == .edited || change.kind == .deleted else { return }
        for id in rooms.showing(change.line.record, in: change.line.room, among: ids) {
            lookAtTopic(of: change.line.room, id)
        }
    }

    mutating func lookAtTopic(of room: RoomName, _ id: ConnectionID) {
        guard rooms.isIn(.room(room), id) else { return }
        clients[id]?.underWay.queueOnce(topicOf: room)
        carryOutJobs(of: id)
    }

    private mutating func missed(_ count: Int, _ id: ConnectionID) {
        clients.note(
            aside: id,
            "This gateway was too slow and lost \(IRCText.counted(count, "event")). Leave a room and join it again to see its last lines."
        )
    }

    private mutating func heard(_ message: Message) {
        let speaker = people.speaker(message.from, message.name)
        rooms.heard(message, from: speaker, into: &clients)
        guard let own = speaker.connection, let farewell = messages.cameRound(message.record, of: own) else { return }
        close(own, farewell)
    }

    private mutating func heard(alone message: PrivateMessage, _ id: ConnectionID) {
        guard !message.isMine, let nick = clients[id]?.nick else { return }
        people.spoke(id, with: message.peer)
        let speaker = people.speaker(message.peer, message.peerName)
        remember(message.peer, message.peerName)
        clients.deliver(clients.lines(message, from: speaker, to: nick), isLate: message.isLate, to: [id])
    }

    private mutating func changed(alone change: PrivateMessageChange, _ id: ConnectionID) {
        guard let nick = clients[id]?.nick else { return }
        let other = people.speaker(change.message.peer, change.message.peerName)
        let isTheirs = change.by == change.message.peer
        guard let act = IRCLineActs.Act(change, target: isTheirs ? nick : other.nick) else { return }
        IRCLineActs.show(act, by: isTheirs ? other : people.speaker(change.by, nil), to: [id], into: &clients)
    }

    /// Remembers somebody who is not here, so that a client can answer somebody it has never seen.
    private mutating func remember(_ peer: PeerID, _ name: PeerName?) {
        if people[peer] == nil { people.remember(people.speaker(peer, name), clients) }
    }

    mutating func status(_ text: String, isNotice: Bool = false) {
        service.status(text, isNotice: isNotice, to: rooms.audience(of: .status), into: &clients)
    }
}
