package import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire

// What fronts ask for.
extension Node {
    /// A week, after which a line is forgotten everywhere.
    private static let chatLifetimeSeconds: UInt32 = 7 * 86_400
    /// A clock that only counts may be weeks behind: with the usual lifetime its lines would have expired before anybody gets them.
    private var chatLifetimeSeconds: UInt32 {
        clock.source == .counted ? Record.lifetimeSecondsRange.upperBound : Self.chatLifetimeSeconds
    }
    /// Whoever speaks faster than a neighbour takes it in waits for it: until the link is free for others, too, so that own
    /// speech leaves them their part of it.
    private static let waitingBytesMax = freeBytes
    /// Very many unconfirmed lines are asked after this often, until they are confirmed or nobody is connected any more.
    private static let paceTimeout: Duration = .seconds(1)
    private static let probeSeconds = MeshLimit.probeTimeout.components.seconds
    private static let stallTimeout: Duration = .seconds(1)
    /// Two milliseconds of signatures: what goes out together costs its readers, too, less than one by one.
    private static let linesInTurnMax = 64

    package func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, for: personas.owner, on: self)
    }

    func peers() -> [PeerInfo] { mesh.peers().map(PeerInfo.init) }

    func say(
        _ speech: SpokenText, in room: RoomName, for audience: Audience?, as speaker: Persona
    ) async throws(RequestError) -> Say.Reply {
        try checkText(speech.text)
        try speaker.privacy.check(audience, in: room)
        if speaker.privacy.isPrivate(room) { return try await sayPrivately(speech, in: room, as: speaker) }
        try speaker.privacy.check(room)
        guard !speaker.privacy.isForgotten(room) else {
            throw RequestError(
                .invalid, "you left the private room \(room); /join \(room) enters the public room with that name")
        }
        let line = speech.line(by: speaker.name)
        let topic = Array(room.text.utf8)
        let body = line.body
        let lifetime = chatLifetimeSeconds
        let bytes = Record.byteCount(
            kind: .chat, lifetimeSeconds: lifetime, topicBytes: topic.count, bodyBytes: body.count)
        guard wall != nil || hasOutboxRoom(bytes: bytes) else { throw outboxFull }
        let (record, unkept, fault) = await signKept(
            .chat, by: speaker.identity, lifetime: lifetime, topic: topic, body: body)
        guard unkept == nil || hasOutboxRoom(bytes: bytes), let id = submit(record) else { throw outboxFull }
        let message = Message(
            record: id, room: room, from: record.author, name: line.name, text: speech.text, style: speech.style,
            at: record.firstSeen(at: clock.now), hops: 0, isNotice: speech.isNotice)
        tellLine(message)
        // The owner gets a notice, once.
        if let fault, !speaker.isOwner { deliver(.notKept(in: room, fault, speaker), to: speaker.id) }
        let isWaiting = hasWaitingLines
        if isWaiting { outbox.isShown(id, by: speaker.id) }
        for link in live.values {
            if link.waitingBytes > Self.waitingBytesMax { await keepPace(with: link) } else { stalled.remove(link.id) }
        }
        await keepPaceWithMesh()
        await giveWay()
        return Say.Reply(id, isWaiting: isWaiting, unkept: unkept, at: message.at)
    }

    /// Whoever speaks on the node's own thread and never waits would keep it from its links: what was said until then goes out now.
    private func giveWay() async {
        linesInTurn += 1
        guard linesInTurn >= Self.linesInTurnMax else { return }
        linesInTurn = 0
        await Task.yield()
    }

    private func hasOutboxRoom(bytes: Int) -> Bool { ask { $0.hasOutboxRoom(bytes: bytes) } }

    private var hasWaitingLines: Bool { ask { $0.broadcast.outbox.waitingCount > 0 } }

    private func isPaced(at now: Instant) -> Bool { ask { $0.isPaced(at: now) && $0.register.neighbourCount > 0 } }

    private func quietUntil(at now: Instant) -> Instant? { ask { $0.fairness.quietUntil(at: now) } }

    func checkText(_ text: String) throws(RequestError) {
        guard text.utf8.count <= ChatLine.textBytesMax else {
            throw RequestError(
                .lineTooLong,
                "not sent: this line has \(text.utf8.count) bytes, and the limit is \(ChatLine.textBytesMax); make it shorter"
            )
        }
        // Most lines have a letter of ASCII, which is found sooner than what a character of Unicode is.
        guard text.utf8.contains(where: { (0x21..<0x7F).contains($0) }) || text.contains(where: { !$0.isWhitespace })
        else {
            throw RequestError(.invalid, "the line is empty; write some text")
        }
    }

    private var outboxFull: RequestError {
        RequestError(
            .outboxFull,
            "not sent: \(mesh.broadcast.outbox.count) lines already wait to be delivered, the most there can be; try again when somebody is connected"
        )
    }

    /// Waits for a neighbour that takes in slowly, not for one that takes in nothing: that one's queue fills up and ends it.
    private func keepPace(with link: Link) async {
        guard !stalled.contains(link.id) else { return }
        while true {
            let before = link.waitingBytes
            await link.drained(below: Self.waitingBytesMax, atMost: Self.stallTimeout)
            let after = link.waitingBytes
            if after <= Self.waitingBytesMax || link.isClosing { return }
            if after >= before {
                stalled.insert(link.id)
                return
            }
        }
    }

    /// Waits while very much is unconfirmed, or while we have said more than others take from one speaker.
    private func keepPaceWithMesh() async {
        while case let now = Clocks.now, isPaced(at: now), !hasStopped, !Task.isCancelled {
            if let time = quietUntil(at: now) {
                await wait(until: time, endsWhenFlushed: false)
            } else {
                _ = await flush(timeout: Self.paceTimeout)
            }
        }
    }

    /// What one front of the owner changes, the others hear of.
    func tellMe() {
        tell(.me(me))
    }

    func probe(_ peer: PeerID) async throws(RequestError) -> ProbeInfo {
        let peer = probed(for: peer)
        guard peer != mesh.me || !personas.hasVisitors else {
            return ProbeInfo(roundTrip: .zero, path: [ProbeInfo.Stop(id: mesh.me, name: personas.owner.name)])
        }
        let nonce = SecureRandom.word()
        let outcome = await withCheckedContinuation { continuation in
            probeWaiters[nonce] = continuation
            handle(.probeWanted(peer, nonce: nonce))
        }
        switch outcome {
        case .answered(let roundTrip, let path):
            return ProbeInfo(roundTrip: roundTrip, path: path.map { ProbeInfo.Stop(id: $0.peer, name: $0.name) })
        case .noRoute:
            throw RequestError(
                .noRoute, "nobody is connected who could pass the probe on; /peers shows who is connected")
        case .timedOut:
            throw RequestError(.noAnswer, "no answer within \(Self.probeSeconds) s")
        case .forged:
            throw RequestError(
                .untrusted,
                "no trustworthy answer within \(Self.probeSeconds) s: "
                    + "the one that came has a path with a missing signature")
        }
    }

    /// - Returns: how many of these, or else of all our lines, no neighbour has confirmed.
    func flush(timeout: Duration, _ lines: [RecordID]? = nil) async -> Int {
        handle(.flushWanted)
        guard mesh.broadcast.outbox.linesCount > 0 else { return 0 }
        await wait(until: Clocks.now.advanced(by: timeout), endsWhenFlushed: true)
        return lines.map { mesh.broadcast.outbox.count(among: Set($0)) } ?? mesh.broadcast.outbox.linesCount
    }

    /// Whoever is cancelled waits no longer.
    func wait(until time: Instant, endsWhenFlushed: Bool) async {
        let givenUp = GivenUp()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                flushWaiters.add(continuation, until: time, endsWhenFlushed: endsWhenFlushed, givenUp)
                handle(.woke)
            }
        } onCancel: {
            givenUp.set()
            let now = Clocks.now
            alarm.set(now, now: now)
        }
    }
}

extension PeerInfo {
    fileprivate init(_ view: PeerView) {
        self.init(
            id: view.peer, prefix: view.prefix, name: view.name, state: PeerState(view.state),
            hops: view.hops.map(Int.init), roundTrip: view.roundTrip, address: view.address, source: view.source,
            via: view.via, isHere: view.isHere, rooms: view.rooms, reason: view.reason)
    }
}

extension NodeEvent {
    fileprivate static func notKept(in room: RoomName, _ fault: StoreError, _ speaker: Persona) -> NodeEvent {
        let person = RoomEvent.Person(speaker.id, speaker.name)
        return .room(RoomEvent(.notKept, room, by: person, reason: fault.description))
    }
}
