import Glibc
import LatticeLink
import NIOCore
import Synchronization

/// One end of a connection inside the process: what is written here is read at the other end, later and in order.
///
/// It is as a TCP connection is to the handlers above it: it has a window, a level above which it is not writable, halves that
/// close one by one, and an end that the other side notices. It differs from one of NIO in two points: while it reads by
/// itself it does not ask the pipeline to `read` before each read, and its input is closed by the other side only.
// Safety: all that changes belongs to the thread of the event loop, but for two atomics, and the pipeline, which is set before
// anybody else knows the channel.
final class InMemoryChannel: Channel, @unchecked Sendable {
    /// The half that leads to the other end.
    private enum Output {
        /// Next: `closing`, `closed`.
        case open
        /// Takes no more writes; earlier ones still leave. Next: `closed`.
        case closing(EventLoopPromise<Void>?)
        /// The other end learns that nothing follows.
        case closed
    }

    private let wire: InMemoryWire
    let direction: InMemoryDirection
    let network: InMemoryNetwork
    let eventLoop: any EventLoop
    private let here: SocketAddress
    private let there: SocketAddress
    private let closing: EventLoopPromise<Void>
    private let isOpenNow = Atomic(true)
    private let isWritableNow = Atomic(true)
    private var made: ChannelPipeline?

    /// `nil` once it is closed.
    private(set) var other: InMemoryChannel?
    private var outgoing: OutgoingBytes
    private var incoming = IncomingBytes()
    private var options: InMemoryOptions
    private var isReadAsked = false
    private var isLeaving = false
    private var isInputClosed = false
    private var output = Output.open
    private var arrivalTimer: Scheduled<Void>?
    private var leavingTimer: Scheduled<Void>?

    /// - Returns: the end that dialled, which reads at once, and the other, which does not.
    static func pair(
        on network: InMemoryNetwork, wire: InMemoryWire, _ direction: InMemoryDirection, port: UInt16
    ) -> (near: InMemoryChannel, far: InMemoryChannel) {
        // A dialling end has a port of its own, which nobody asks for.
        let near = InMemoryChannel(network, wire, direction, ports: (49_152, port), isReading: true)
        let far = InMemoryChannel(network, wire, direction.reversed, ports: (port, 49_152), isReading: false)
        (near.other, far.other) = (far, near)
        return (near, far)
    }

    private init(
        _ network: InMemoryNetwork, _ wire: InMemoryWire, _ direction: InMemoryDirection, ports: (UInt16, UInt16),
        isReading: Bool
    ) {
        (self.network, self.wire, self.direction, eventLoop) = (network, wire, direction, network.eventLoop)
        here = Self.address(direction.from, ports.0)
        there = Self.address(direction.to, ports.1)
        closing = eventLoop.makePromise()
        outgoing = OutgoingBytes(bytesPerSecond: network.conditions.bytesPerSecond)
        options = InMemoryOptions(autoRead: isReading)
        made = ChannelPipeline(channel: self)
    }

    private static func address(_ host: Int, _ port: UInt16) -> SocketAddress {
        do {
            return try SocketAddress(ipAddress: InMemoryState.host(host), port: Int(port))
        } catch {
            preconditionFailure("four numbers are an address: \(error)")
        }
    }

    // MARK: - Written here

    func losesDatagram() -> Bool {
        network.read { $0.dice.losesDatagram(direction, perMille: network.conditions.datagramLossPerMille) }
    }

    private func leave() {
        guard !isLeaving else { return }
        isLeaving = true
        defer { isLeaving = false }
        while isActive {
            switch outgoing.next(at: eventLoop.now, latency: latency) {
            case .leaves(let write, let arrival):
                carry(write.bytes, arriving: arrival)
                if outgoing.waitingBytes <= options.waterMark.low { setWritable(true) }
                write.written?.succeed()
            case .waits(let time): return scheduleLeaving(at: time)
            case .nothing: return endOutput()
            }
        }
    }

    private func carry(_ bytes: ByteBuffer, arriving: NIODeadline) {
        guard bytes.readableBytes > 0 else { return }
        // What goes to a peer that is gone, or out of reach, is lost.
        guard let other, !wire.isBroken else { return outgoing.wereRead(bytes.readableBytes) }
        other.expect(.bytes(bytes), due: arriving)
    }

    private func latency() -> TimeAmount {
        let range = network.latency
        guard range.upperBound > 0 else { return .zero }
        return .nanoseconds(network.read { $0.dice.latency(direction, in: range) })
    }

    private func scheduleLeaving(at time: NIODeadline) {
        guard isActive, leavingTimer == nil else { return }
        leavingTimer = eventLoop.scheduleTask(deadline: time) {
            self.leavingTimer = nil
            self.leave()
        }
    }

    private func setWritable(_ isWritable: Bool) {
        guard isWritableNow.exchange(isWritable, ordering: .relaxed) != isWritable else { return }
        pipeline.fireChannelWritabilityChanged()
    }

    // MARK: - Read here

    private func expect(_ item: IncomingBytes.Item, due: NIODeadline) {
        guard isActive else { return }
        incoming.add(item, due: due)
        scheduleArrival()
    }

    private func scheduleArrival() {
        guard isActive, arrivalTimer == nil, let due = incoming.due else { return }
        arrivalTimer = eventLoop.scheduleTask(deadline: max(due, eventLoop.now)) {
            self.arrivalTimer = nil
            self.handOn()
        }
    }

    private var mayRead: Bool { isActive && !wire.isBroken && (options.autoRead || isReadAsked) }

    /// Hands on what is there.
    private func handOn() {
        var hasRead = false
        while mayRead, let item = incoming.take(at: eventLoop.now) {
            isReadAsked = false
            switch item {
            case .bytes(let bytes):
                hasRead = true
                other?.wereRead(bytes.readableBytes)
                pipeline.syncOperations.fireChannelRead(NIOAny(bytes))
            case .end:
                if hasRead { pipeline.syncOperations.fireChannelReadComplete() }
                hasRead = false
                inputEnded()
            }
        }
        if hasRead { pipeline.syncOperations.fireChannelReadComplete() }
        if mayRead { scheduleArrival() }
    }

    private func inputEnded() {
        isInputClosed = true
        if options.allowsHalfClosure, !isOutputClosed {
            pipeline.syncOperations.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else {
            close0(error: ChannelError.eof, mode: .all, promise: nil)
        }
    }

    private func wereRead(_ count: Int) {
        outgoing.wereRead(count)
        // Not within what the reader does.
        scheduleLeaving(at: eventLoop.now)
    }

    // MARK: - End

    /// Ends this end at once, as when a network goes away. What is under way is lost.
    func breakOff() {
        guard isActive else { return }
        incoming.drop()
        let error = IOError(errnoCode: ECONNRESET, reason: "the way between the two is closed")
        pipeline.syncOperations.fireErrorCaught(error)
        close0(error: error, mode: .all, promise: nil)
    }

    private var isOutputClosed: Bool { if case .closed = output { true } else { false } }

    private func closeOutput(_ promise: EventLoopPromise<Void>?) {
        switch output {
        case .open:
            output = .closing(promise)
            leave()
        case .closing(nil): output = .closing(promise)
        case .closing(let first?): first.futureResult.cascade(to: promise)
        case .closed: promise?.fail(ChannelError.outputClosed)
        }
    }

    /// Ends the half once all writes have left.
    private func endOutput() {
        guard case .closing(let promise) = output, outgoing.isEmpty else { return }
        sendEnd()
        promise?.succeed()
        guard isActive else { return }
        if isInputClosed {
            close0(error: ChannelError.eof, mode: .all, promise: nil)
        } else {
            pipeline.syncOperations.fireUserInboundEventTriggered(ChannelEvent.outputClosed)
        }
    }

    private func dropOutput(_ error: any Error) {
        let last = output
        if !isOutputClosed { sendEnd() }
        for write in outgoing.drop() { write.written?.fail(error) }
        if case .closing(let promise) = last { promise?.fail(error) }
    }

    private func sendEnd() {
        output = .closed
        other?.expect(.end, due: outgoing.end(at: eventLoop.now, latency: latency))
    }

    private func stopTimers() {
        for timer in [arrivalTimer, leavingTimer] { timer?.cancel() }
        (arrivalTimer, leavingTimer) = (nil, nil)
    }

    /// What this end writes is lost from now on, so it waits for no reader.
    private func peerIsGone() {
        other = nil
        outgoing.allIsRead()
        scheduleLeaving(at: eventLoop.now)
    }
}

// MARK: - What a pipeline does to it

extension InMemoryChannel: ChannelCore {
    func localAddress0() -> SocketAddress { here }
    func remoteAddress0() -> SocketAddress { there }

    // It is connected from the beginning.
    func register0(promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }
    func bind0(to: SocketAddress, promise: EventLoopPromise<Void>?) { register0(promise: promise) }
    func connect0(to: SocketAddress, promise: EventLoopPromise<Void>?) { register0(promise: promise) }

    func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }

    func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) {
        eventLoop.assertInEventLoop()
        guard isActive else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        guard case .open = output else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        outgoing.add(OutgoingBytes.Write(bytes: unwrapData(data), written: promise))
        if outgoing.waitingBytes > options.waterMark.high { setWritable(false) }
    }

    func flush0() {
        eventLoop.assertInEventLoop()
        outgoing.flush()
        leave()
    }

    func read0() {
        isReadAsked = true
        scheduleArrival()
    }

    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        eventLoop.assertInEventLoop()
        guard isActive else {
            promise?.fail(ChannelError.alreadyClosed)
            return
        }
        switch mode {
        case .input: promise?.fail(ChannelError.operationUnsupported)
        case .output: closeOutput(promise)
        case .all:
            isOpenNow.store(false, ordering: .relaxed)
            isWritableNow.store(false, ordering: .relaxed)
            stopTimers()
            dropOutput(error)
            incoming.drop()
            other?.peerIsGone()
            other = nil
            promise?.succeed()
            pipeline.fireChannelInactive()
            pipeline.fireChannelUnregistered()
            // The handlers may be at work just now.
            eventLoop.execute {
                self.removeHandlers(pipeline: self.pipeline)
                self.closing.succeed()
            }
        }
    }

    // No handler is left to take it.
    func channelRead0(_ data: NIOAny) {}
    func errorCaught0(error: any Error) {}
}

extension InMemoryChannel {
    var allocator: ByteBufferAllocator { ByteBufferAllocator() }
    var closeFuture: EventLoopFuture<Void> { closing.futureResult }
    var localAddress: SocketAddress? { here }
    var remoteAddress: SocketAddress? { there }
    var parent: (any Channel)? { nil }
    var isWritable: Bool { isWritableNow.load(ordering: .relaxed) }
    var isActive: Bool { isOpenNow.load(ordering: .relaxed) }
    var _channelCore: any ChannelCore { self }

    var pipeline: ChannelPipeline {
        guard let made else { preconditionFailure("a channel has a pipeline") }
        return made
    }

    // MARK: - Options

    var syncOptions: (any NIOSynchronousChannelOptions)? { SyncOptions(channel: self) }

    func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
        eventLoop.submit { try self.set(option, value) }
    }

    func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
        eventLoop.submit { try self.get(option) }
    }

    private func set<Option: ChannelOption>(_ option: Option, _ value: Option.Value) throws {
        eventLoop.assertInEventLoop()
        guard isActive else { throw ChannelError.ioOnClosedChannel }
        try options.set(option, value)
        if options.autoRead { scheduleArrival() }
    }

    private func get<Option: ChannelOption>(_ option: Option) throws -> Option.Value {
        eventLoop.assertInEventLoop()
        guard isActive else { throw ChannelError.ioOnClosedChannel }
        return try options.get(option, waitingBytes: outgoing.waitingBytes)
    }

    private struct SyncOptions: NIOSynchronousChannelOptions {
        let channel: InMemoryChannel

        func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) throws {
            try channel.set(option, value)
        }

        func getOption<Option: ChannelOption>(_ option: Option) throws -> Option.Value {
            try channel.get(option)
        }
    }
}
