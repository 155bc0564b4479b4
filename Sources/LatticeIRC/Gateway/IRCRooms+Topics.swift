import LatticeAPI
import LatticeCore

/// The topic of a room: its newest pin.
struct IRCTopic: Hashable, Sendable {
    /// Why a client is shown the topic.
    enum Reason: Sendable {
        /// The client entered the room.
        case joined
        /// The client sent TOPIC.
        case asked
        /// A pin changed, so the topic may have changed.
        case changed
    }

    let text: String
    let by: RoomEvent.Person
    let at: WallTime
    /// The pinned line; `nil` if a text is pinned.
    let line: RecordID?

    /// - Returns: `nil` if no text is left to show, because an empty topic means that there is none.
    init?(_ pin: RoomPin) {
        text = IRCText.clipped(DisplayText.safe(pin.text), bytesMax: IRCLimits.topicBytes)
        guard !text.allSatisfy(\.isWhitespace) else { return nil }
        (by, at, line) = (pin.by, pin.at, pin.line?.record)
    }
}

// TOPIC: anybody in a room can pin a text, and the newest pin is the topic.
extension IRCRooms {
    func topic(_ params: [String], of id: ConnectionID, into clients: inout IRCClients) {
        guard let name = params.first, let channel = clients.channel(name, of: id) else { return }
        guard isIn(channel, id) else { return clients.isOutside(channel.name, id) }
        guard case .room(let room) = channel else {
            if params.count > 1 {
                return clients.numeric(
                    id, .chanOpNeeded, [channel.name], trailing: "The topic of this channel cannot be changed")
            }
            return clients.numeric(id, .topic, [channel.name], trailing: channel.fixedTopic ?? "")
        }
        guard params.count > 1 else {
            return clients.ask(id, .room(.pins(room)), then: .rooms(.topic(room, .asked)))
        }
        let text = IRCText.clipped(params[1], bytesMax: IRCLimits.topicBytes)
        let isEmpty = text.allSatisfy(\.isWhitespace)
        clients.ask(id, .room(.pin(isEmpty ? .nothing : .text(text), room)), then: .rooms(.pinned(room)))
    }

    /// Shows an error. After a success, an event shows the new pin to everybody in the room.
    func pinned(in room: RoomName, _ outcome: IRCOutcome, _ id: ConnectionID, into clients: inout IRCClients) {
        guard case .failure(let error) = outcome else { return }
        clients.refuse(id, .cannotSend, room.text, "Cannot set the topic", error)
    }

    mutating func showTopic(
        of room: RoomName, _ reason: IRCTopic.Reason, _ outcome: IRCOutcome, _ id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) {
        guard isIn(.room(room), id) else { return }
        guard case .success(.answer(.room(.pins(let pins)))) = outcome else {
            if reason == .asked { noTopic(room, id, into: &clients) }
            return
        }
        let before = topic(of: room, for: id)
        let topic = pins.first.flatMap { IRCTopic($0) }
        set(topic, of: room, for: id)
        switch reason {
        case .joined, .asked:
            guard let topic else {
                if reason == .asked { noTopic(room, id, into: &clients) }
                return
            }
            clients.numeric(id, .topic, [room.text], trailing: topic.text)
            let nick = people.speaker(topic.by.id, topic.by.name).nick
            clients.numeric(id, .topicSetter, [room.text, nick, "\(topic.at.milliseconds / 1_000)"])
        case .changed:
            guard topic?.text != before?.text, let by = topic?.by ?? before?.by else { return }
            let person = people.speaker(by.id, by.name)
            clients.write(id, clients.line(from: person, "TOPIC", [room.text], trailing: topic?.text ?? ""))
        }
    }

    private func noTopic(_ room: RoomName, _ id: ConnectionID, into clients: inout IRCClients) {
        clients.numeric(
            id, .noTopic, [room.text], trailing: "Nothing is pinned here; TOPIC \(room.text) :text pins a text")
    }

    /// The clients to which this line is shown as the topic of the room.
    func showing(_ line: RecordID, in room: RoomName, among ids: [ConnectionID]) -> [ConnectionID] {
        ids.filter { topic(of: room, for: $0)?.line == line }
    }
}

extension IRCChannel {
    /// `nil` for a room.
    var fixedTopic: String? {
        switch self {
        case .room: nil
        case .status: "Who comes and goes, and problems. Type help here"
        case .posts: "Posts near this place. What you type here is posted"
        }
    }
}
