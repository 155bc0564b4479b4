import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire

// A line in a public room.
extension ChatHandlers {
    /// One week; then a line expires everywhere.
    private static let lifetimeSeconds: UInt32 = 7 * 86_400

    /// Stores a line, gives it to the mesh, and waits while links have too much of our speech.
    static func say(
        _ speech: SpokenText, in room: RoomName, for audience: Audience?, as speaker: Persona, on node: isolated Node
    ) async throws(RequestError) -> Say.Reply {
        try speech.check()
        try speaker.privacy.check(audience, in: room)
        if speaker.privacy.isPrivate(room) { return try await node.rooms.say(speech, in: room, as: speaker, for: node) }
        try speaker.privacy.check(room)
        guard !speaker.privacy.isForgotten(room) else {
            throw RequestError(
                .invalid, "you left the private room \(room); /join \(room) enters the public room with that name")
        }
        let line = speech.line(by: speaker.name)
        let topic = Array(room.text.utf8)
        let body = line.body
        // A counted clock may be weeks behind: with the usual lifetime its lines would expire before they arrive.
        let lifetime = node.clock.source == .counted ? Record.lifetimeSecondsRange.upperBound : lifetimeSeconds
        let bytes = Record.byteCount(
            kind: .chat, lifetimeSeconds: lifetime, topicBytes: topic.count, bodyBytes: body.count)
        guard node.wall != nil || hasOutboxRoom(bytes: bytes, on: node) else { throw outboxFull(on: node) }
        let (record, unkept, fault) = await node.publisher.signKept(
            .chat, by: speaker.identity, lifetime: lifetime, topic: topic, body: body, for: node)
        guard unkept == nil || hasOutboxRoom(bytes: bytes, on: node), let id = node.submit(record) else {
            throw outboxFull(on: node)
        }
        let message = Message(
            record: id, room: room, from: record.author, name: line.name, text: speech.text, style: speech.style,
            at: record.firstSeen(at: node.clock.now), hops: 0, isNotice: speech.isNotice)
        node.tellLine(message)
        // The owner gets a notice, once.
        if let fault, !speaker.isOwner { node.deliver(.notKept(in: room, fault, speaker), to: speaker.id) }
        let isWaiting = node.ask { $0.broadcast.outbox.waitingCount > 0 }
        if isWaiting { node.publisher.isShown(id, by: speaker.id) }
        await LinkPace.keep(on: node)
        return Say.Reply(id, isWaiting: isWaiting, unkept: unkept, at: message.at)
    }

    private static func hasOutboxRoom(bytes: Int, on node: isolated Node) -> Bool {
        node.ask { $0.hasOutboxRoom(bytes: bytes) }
    }

    private static func outboxFull(on node: isolated Node) -> RequestError {
        let count = node.mesh.broadcast.outbox.count
        return RequestError(
            .outboxFull,
            "not sent: \(count) lines already wait to be delivered, the most there can be; try again when somebody is connected"
        )
    }
}

extension NodeEvent {
    fileprivate static func notKept(in room: RoomName, _ fault: StoreError, _ speaker: Persona) -> NodeEvent {
        let person = RoomEvent.Person(speaker.id, speaker.name)
        return .room(RoomEvent(.notKept, room, by: person, reason: fault.description))
    }
}
