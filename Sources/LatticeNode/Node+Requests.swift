package import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire

// Requests from fronts.
extension Node {
    /// One week; then a line expires everywhere.
    private static let chatLifetimeSeconds: UInt32 = 7 * 86_400
    /// A counted clock may be weeks behind: with the usual lifetime its lines would expire before they arrive.
    private var chatLifetimeSeconds: UInt32 {
        clock.source == .counted ? Record.lifetimeSecondsRange.upperBound : Self.chatLifetimeSeconds
    }
    /// Someone who writes faster than a neighbour receives waits for it, until the link is free for relayed records too. So own
    /// lines leave those their share.
    private static let waitingBytesMax = freeBytes
    /// With very many unconfirmed lines, asks for confirmation this often until they are confirmed or nobody is connected.
    private static let paceTimeout: Duration = .seconds(1)
    private static let probeSeconds = MeshLimit.probeTimeout.components.seconds
    private static let stallTimeout: Duration = .seconds(1)
    /// Two milliseconds of signatures: batches also cost their readers less than single lines.
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
        if speaker.privacy.isPrivate(room) { return try await rooms.say(speech, in: room, as: speaker, for: self) }
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
        let (record, unkept, fault) = await publisher.signKept(
            .chat, by: speaker.identity, lifetime: lifetime, topic: topic, body: body, for: self)
        guard unkept == nil || hasOutboxRoom(bytes: bytes), let id = submit(record) else { throw outboxFull }
        let message = Message(
            record: id, room: room, from: record.author, name: line.name, text: speech.text, style: speech.style,
            at: record.firstSeen(at: clock.now), hops: 0, isNotice: speech.isNotice)
        tellLine(message)
        // The owner gets a notice, once.
        if let fault, !speaker.isOwner { deliver(.notKept(in: room, fault, speaker), to: speaker.id) }
        let isWaiting = hasWaitingLines
        if isWaiting { publisher.isShown(id, by: speaker.id) }
        for link in live.values {
            if link.waitingBytes > Self.waitingBytesMax { await keepPace(with: link) } else { stalled.remove(link.id) }
        }
        await keepPaceWithMesh()
        await giveWay()
        return Say.Reply(id, isWaiting: isWaiting, unkept: unkept, at: message.at)
    }

    /// A caller on the node's thread that never suspends would starve its links, so the lines so far are sent now.
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
        // Most lines have an ASCII letter, which is faster to find than a Unicode character's class.
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

    /// Waits for a slow neighbour, but not for one that takes nothing: its queue fills up and ends the link.
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

    /// Waits while very much is unconfirmed, or while we exceed what others accept from one author.
    private func keepPaceWithMesh() async {
        while case let now = Clocks.now, isPaced(at: now), !hasStopped, !Task.isCancelled {
            if let time = quietUntil(at: now) {
                await wait(until: time, endsWhenFlushed: false)
            } else {
                _ = await flush(timeout: Self.paceTimeout)
            }
        }
    }

    /// One front's changes to the owner are shown to the others.
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

    /// Cancellation ends the wait.
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
