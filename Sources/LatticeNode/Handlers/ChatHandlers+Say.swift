import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire

// Lines in rooms.
extension ChatHandlers {
    /// One week; then a line expires everywhere.
    private static let lifetimeSeconds: UInt32 = 7 * 86_400

    /// Says lines in order, those of a public room in one commit, and waits while links have too much of our speech.
    ///
    /// - Returns: the outcome of each.
    static func say(
        _ lines: [SpokenText], in room: RoomName, for audience: Audience?, as speaker: Persona, asker: FrontID? = nil,
        on node: isolated Node
    ) async -> [Result<Say.Reply, RequestError>] {
        var outcomes: [Result<Say.Reply, RequestError>?] = []
        for line in lines {
            do throws(RequestError) {
                try line.check()
                outcomes.append(nil)
            } catch {
                outcomes.append(.failure(error))
            }
        }
        let open = outcomes.indices.filter { outcomes[$0] == nil }
        let said = await sayChecked(
            open.map { lines[$0] }, in: room, for: audience, as: speaker, asker: asker, on: node)
        for (index, outcome) in zip(open, said) { outcomes[index] = outcome }
        return outcomes.compactMap(\.self)
    }

    private static func sayChecked(
        _ lines: [SpokenText], in room: RoomName, for audience: Audience?, as speaker: Persona, asker: FrontID?,
        on node: isolated Node
    ) async -> [Result<Say.Reply, RequestError>] {
        guard !lines.isEmpty else { return [] }
        do throws(RequestError) {
            try speaker.privacy.check(audience, in: room)
            if speaker.privacy.isPrivate(room) {
                // Nobody who relays them can see what they say.
                let lines = lines.map { $0.asUsual }
                return try await node.rooms.say(lines, in: room, as: speaker, asker: asker, for: node)
            }
            try speaker.privacy.check(room)
            guard !speaker.privacy.isForgotten(room) else {
                throw .leftPrivateRoom(room: room)
            }
            guard lines.allSatisfy({ $0.sealedFile == nil }) else { throw .otherAudience(room: room, isPrivate: false) }
        } catch {
            return lines.map { _ in .failure(error) }
        }
        return await sayPublicly(lines, in: room, as: speaker, asker: asker, on: node)
    }

    private static func sayPublicly(
        _ lines: [SpokenText], in room: RoomName, as speaker: Persona, asker: FrontID?, on node: isolated Node
    ) async -> [Result<Say.Reply, RequestError>] {
        precondition(lines.allSatisfy { $0.sealedFile == nil }, "the key of a private file never goes out in clear")
        let lines = judged(lines, by: speaker, on: node)
        let topic = Array(room.text.utf8)
        let bodies = lines.map { $0.line(by: speaker.name).body }
        // A counted clock may be weeks behind: with the usual lifetime its lines would expire before they arrive.
        let lifetime = node.clock.source == .counted ? Record.lifetimeSecondsRange.upperBound : lifetimeSeconds
        let sizes = bodies.map { body in
            Record.byteCount(kind: .chat, lifetimeSeconds: lifetime, topicBytes: topic.count, bodyBytes: body.count)
        }
        let (signed, fault) = await node.publisher.signKept(
            .chat, by: speaker.identity, lifetime: lifetime, topic: topic, bodies: bodies, for: node)
        var outcomes: [Result<Say.Reply, RequestError>] = []
        for ((line, size), (record, unkept)) in zip(zip(lines, sizes), signed) {
            guard unkept == nil || hasOutboxRoom(bytes: size, on: node), let id = node.submit(record) else {
                outcomes.append(.failure(outboxFull(on: node)))
                continue
            }
            var message = Message(
                record: id, room: room, from: record.author, name: speaker.name, text: line.text, style: line.style,
                at: record.firstSeen(at: node.clock.now), hops: 0, isNotice: line.isNotice, asker: asker,
                reply: line.replyTo.map { LineReference($0) })
            message.isUrgent = line.isUrgent
            message.file = line.file
            node.notifier.deliverLine(message, for: node)
            let isWaiting = node.ask { $0.broadcast.outbox.waitingCount > 0 }
            if isWaiting { node.publisher.isShown(id, by: speaker.id) }
            outcomes.append(
                .success(Say.Reply(id, isWaiting: isWaiting, unkept: unkept, at: message.at, isUrgent: line.isUrgent)))
        }
        // The owner gets a notice, once.
        if let fault, !speaker.isOwner {
            node.notifier.deliver(.notKept(in: room, fault, speaker), to: speaker.id, for: node)
        }
        await LinkPace.keep(after: lines.count, on: node)
        return outcomes
    }

    /// Lines over the limit are sent as usual.
    private static func judged(_ lines: [SpokenText], by speaker: Persona, on node: isolated Node) -> [SpokenText] {
        guard lines.contains(where: \.isUrgent) else { return lines }
        var left = node.ask { $0.urgency.left(of: speaker.id, at: Clocks.now) }
        return lines.map { line in
            guard line.isUrgent else { return line }
            left -= 1
            return left < 0 ? line.asUsual : line
        }
    }

    private static func hasOutboxRoom(bytes: Int, on node: isolated Node) -> Bool {
        node.ask { $0.hasOutboxRoom(bytes: bytes) }
    }

    private static func outboxFull(on node: isolated Node) -> RequestError {
        .outboxFull(lines: node.mesh.broadcast.outbox.count)
    }
}

extension NodeEvent {
    fileprivate static func notKept(in room: RoomName, _ fault: StoreError, _ speaker: Persona) -> NodeEvent {
        let person = RoomEvent.Person(speaker.id, speaker.name)
        return .room(RoomEvent(.notKept, room, by: person, reason: StoreFault(fault)))
    }
}
