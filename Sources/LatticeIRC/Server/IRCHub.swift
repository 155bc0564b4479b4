import LatticeAPI
import LatticeCore
import NIOCore

/// Carries out a gateway's effects. Runs on the event loop of its clients, so a line goes from one client to all others
/// without a task, a lock or another thread.
actor IRCHub {
    struct Asked: Sendable {
        let id: ConnectionID
        /// `nil` means to leave.
        let question: (ticket: IRCTicket, IRCQuestion)?
        let visitor: (any Visitor)?
    }

    /// Time for a slow client to read its last lines.
    private static let closePatience = TimeAmount.milliseconds(800)
    /// Interval between two writes to one client. A person does not notice it, and at a thousand lines a second it
    /// joins ten lines in one write.
    private static let gatherInterval = TimeAmount.milliseconds(10)
    /// With fewer clients nothing is gathered, so that a client that sends one request after the other gets replies at
    /// once.
    private static let gatherClientsMin = 64

    nonisolated let loop: any EventLoop
    nonisolated let asked: AsyncStream<Asked>
    private let ask: AsyncStream<Asked>.Continuation
    private let date: @Sendable () -> WallTime
    private let keep: @Sendable (String) -> Void
    private var gateway: IRCGateway
    private var outlets: [ConnectionID: IRCOutlet] = [:]
    private var visitors: [ConnectionID: any Visitor] = [:]
    /// Connections to write to after the current events.
    private var dirty: [ConnectionID] = []
    /// Connections to write to when `gatherInterval` is over.
    private var gathered: [ConnectionID] = []
    private var unkept: IRCReadMarks?
    private var lastConnection = 0
    private var isStopping = false
    private let sendQueueBytesMax: Int

    /// - Parameters:
    ///   - loop: must run tasks as well, as the loops of `MultiThreadedEventLoopGroup` do.
    ///   - keep: stores the read markers.
    init(
        _ gateway: IRCGateway, on loop: any EventLoop, date: @escaping @Sendable () -> WallTime,
        keep: @escaping @Sendable (String) -> Void
    ) {
        self.gateway = gateway
        self.loop = loop
        self.date = date
        self.keep = keep
        sendQueueBytesMax = gateway.limits.sendQueueBytesMax
        // Bounded by the number of clients: each has one request at a time, and leaves once.
        (asked, ask) = AsyncStream.makeStream()
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    func connected(_ channel: any Channel, isSecure: Bool) -> ConnectionID {
        lastConnection += 1
        let id = ConnectionID(lastConnection)
        outlets[id] = IRCOutlet(channel)
        handle(.connected(id, host: channel.remoteAddress?.ipAddress ?? "local", isSecure: isSecure))
        if isStopping { close(id) }
        return id
    }

    func disconnected(_ id: ConnectionID, _ reason: String) {
        outlets[id] = nil
        handle(.ended(id, reason))
        visitors[id] = nil
    }

    func woke() {
        handle(.woke)
        keepMarks()
    }

    func admitted(_ id: ConnectionID, _ ticket: IRCTicket, _ visitor: any Visitor) {
        visitors[id] = visitor
        handle(.answered(id, ticket, .success(.admitted(visitor.id))))
    }

    func handle(_ event: IRCEvent) {
        // The client that asked is answered at once, however many clients there are.
        let asker: ConnectionID? =
            switch event {
            case .line(let id, _), .answered(let id, _, _): id
            default: nil
            }
        let now = Instant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds))
        for effect in gateway.handle(event, at: now, date: date()) {
            switch effect {
            case .write(let ids, let bytes): for id in ids { write(id, bytes, isAnswer: id == asker) }
            case .close(let id): close(id)
            case .ask(let id, let ticket, let question):
                ask.yield(Asked(id: id, question: (ticket, question), visitor: visitors[id]))
            case .leave(let id):
                guard let visitor = visitors.removeValue(forKey: id) else { continue }
                ask.yield(Asked(id: id, question: nil, visitor: visitor))
            case .keep(let marks): unkept = marks
            }
        }
    }

    private func write(_ id: ConnectionID, _ bytes: [UInt8], isAnswer: Bool) {
        guard let before = outlets[id]?.bytes else { return }
        outlets[id]?.append(bytes)
        if isAnswer { flushNext(id) } else if before == 0 { flushSoon(id) }
        guard before + bytes.count > sendQueueBytesMax, outlets[id]?.isClosing == false else { return }
        outlets[id]?.drop()
        loop.execute { [self] in assumeIsolated { $0.handle(.overflowed(id)) } }
    }

    /// Writes after the current events. With many clients, lines in quick succession are gathered: writing to each of
    /// hundreds takes longer than the next line takes to arrive.
    private func flushSoon(_ id: ConnectionID) {
        guard outlets.count >= Self.gatherClientsMin,
            outlets[id]?.wasWritten(after: .now() - Self.gatherInterval) == true
        else { return flushNext(id) }
        gathered.append(id)
        guard gathered.count == 1 else { return }
        loop.scheduleTask(in: Self.gatherInterval) { [self] in assumeIsolated { $0.flushGathered() } }
    }

    private func flushNext(_ id: ConnectionID) {
        guard dirty.last != id else { return }
        dirty.append(id)
        guard dirty.count == 1 else { return }
        loop.execute { [self] in assumeIsolated { $0.flushDirty() } }
    }

    private func flushDirty() {
        let ids = dirty
        dirty = []
        for id in ids { flush(id) }
    }

    private func flushGathered() {
        let ids = gathered
        gathered = []
        for id in ids { flush(id) }
    }

    private func flush(_ id: ConnectionID) {
        guard let channel = outlets[id]?.channel else { return }
        guard let piece = outlets[id]?.next(at: .now()) else {
            // The client closes its side when it has read this. Closing both sides while it still sends would lose the
            // last lines.
            if outlets[id]?.isDone == true { channel.close(mode: .output, promise: nil) }
            return
        }
        channel.writeAndFlush(piece).whenComplete { [self] _ in
            assumeIsolated { hub in
                hub.outlets[id]?.written()
                hub.flush(id)
            }
        }
    }

    private func close(_ id: ConnectionID) {
        guard let channel = outlets[id]?.channel else { return }
        outlets[id]?.close()
        flush(id)
        loop.scheduleTask(in: Self.closePatience) { channel.close(promise: nil) }
    }

    private func keepMarks() {
        guard let marks = unkept else { return }
        unkept = nil
        keep(marks.text)
    }

    /// Sends every client an ERROR.
    func stop() {
        isStopping = true
        handle(.stopping)
        keepMarks()
        ask.finish()
    }

    var isEmpty: Bool { outlets.isEmpty }
}
