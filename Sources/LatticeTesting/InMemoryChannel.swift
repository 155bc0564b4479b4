import Glibc
import LatticeLink
import NIOCore
import Synchronization

/// One end of a connection inside the process: what is written here is read at the other end, later and in order.
///
/// It is as a TCP connection is to the handlers above it: it has a window, a level above which it is not writable, halves that
/// close one by one, and an end that the other side notices.
// Safety: all that changes belongs to the thread of the event loop, but for two atomics, and the pipeline, which is set before
// anybody else knows the channel.
final class InMemoryChannel: LossyChannel, @unchecked Sendable {
    /// Counts the connections of a network; both ends have the same.
    let id: UInt64
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
    private var other: InMemoryChannel?
    private var outgoing: OutgoingBytes
    private var incoming = IncomingBytes()
    private var options: InMemoryOptions
    private var isReadAsked = false
    private var isLeaving = false
    private var isOutputClosed = false
    private var isArrivalScheduled = false
    private var isLeavingScheduled = false

    /// - Returns: the end that dialled, which reads at once, and the other, which does not.
    static func pair(
        on network: InMemoryNetwork, id: UInt64, _ direction: InMemoryDirection, port: UInt16
    ) -> (near: InMemoryChannel, far: InMemoryChannel) {
        // A dialling end has a port of its own, which nobody asks for.
        let near = InMemoryChannel(network, id, direction, ports: (49_152, port), isReading: true)
        let far = InMemoryChannel(network, id, direction.reversed, ports: (port, 49_152), isReading: false)
        (near.other, far.other) = (far, near)
        return (near, far)
    }

    private init(
        _ network: InMemoryNetwork, _ id: UInt64, _ direction: InMemoryDirection, ports: (UInt16, UInt16),
        isReading: Bool
    ) {
        (self.network, self.id, self.direction, eventLoop) = (network, id, direction, network.eventLoop)
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
            switch outgoing.next(at: .now(), latency: latency) {
            case .leaves(let write, let arrival):
                carry(write.bytes, arriving: arrival)
                if outgoing.waitingBytes <= options.waterMark.low { setWritable(true) }
                write.written?.succeed()
            case .waits(let time): return scheduleLeaving(at: time)
            case .nothing: return
            }
        }
    }

    private func carry(_ bytes: ByteBuffer, arriving: NIODeadline) {
        guard bytes.readableBytes > 0 else { return }
        // What goes to a peer that is gone, or out of reach, is lost.
        guard let other, network.read({ $0.isOpen(direction) }) else { return outgoing.wereRead(bytes.readableBytes) }
        other.expect(.bytes(bytes), due: arriving)
    }

    private func latency() -> TimeAmount {
        let range = network.conditions.latency
        guard range.upperBound > .zero else { return .zero }
        let bounds = TimeAmount(range.lowerBound).nanoseconds...TimeAmount(range.upperBound).nanoseconds
        return .nanoseconds(network.read { $0.dice.latency(direction, in: bounds) })
    }

    private func scheduleLeaving(at time: NIODeadline) {
        guard !isLeavingScheduled else { return }
        isLeavingScheduled = true
        eventLoop.scheduleTask(deadline: time) {
            self.isLeavingScheduled = false
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
        guard !isArrivalScheduled, let due = incoming.due else { return }
        isArrivalScheduled = true
        let arrive: @Sendable () -> Void = {
            self.isArrivalScheduled = false
            self.handOn()
        }
        if due <= .now() { eventLoop.execute(arrive) } else { eventLoop.scheduleTask(deadline: due, arrive) }
    }

    private var mayRead: Bool { isActive && (options.autoRead || isReadAsked) }

    /// Hands on what is there.
    private func handOn() {
        var hasRead = false
        while mayRead, let item = incoming.take(at: .now()) {
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
        if options.allowsHalfClosure {
            pipeline.syncOperations.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else {
            close0(error: ChannelError.eof, mode: .all, promise: nil)
        }
    }

    private func wereRead(_ count: Int) {
        outgoing.wereRead(count)
        // Not within what the reader does.
        scheduleLeaving(at: .now())
    }

    // MARK: - End

    /// Ends both ends at once, as when a network goes away. What is under way is lost.
    func breakOff() {
        for end in [self, other].compactMap(\.self) {
            end.incoming.drop()
            end.fail(IOError(errnoCode: ECONNRESET, reason: "the way between the two is closed"))
        }
    }

    private func fail(_ error: any Error) {
        guard isActive else { return }
        pipeline.syncOperations.fireErrorCaught(error)
        close0(error: error, mode: .all, promise: nil)
    }

    private func closeOutput(_ error: any Error) {
        guard !isOutputClosed else { return }
        isOutputClosed = true
        for write in outgoing.drop() { write.written?.fail(error) }
        other?.expect(.end, due: outgoing.end(at: .now()))
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
        guard isActive, !isOutputClosed else {
            promise?.fail(isActive ? ChannelError.outputClosed : ChannelError.ioOnClosedChannel)
            return
        }
        outgoing.add(OutgoingBytes.Write(bytes: unwrapData(data), written: promise))
        if outgoing.waitingBytes > options.waterMark.high { setWritable(false) }
    }

    func flush0() {
        outgoing.flush()
        leave()
    }

    func read0() {
        isReadAsked = true
        scheduleArrival()
    }

    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isActive else {
            promise?.fail(ChannelError.alreadyClosed)
            return
        }
        switch mode {
        case .input: promise?.fail(ChannelError.operationUnsupported)
        case .output:
            closeOutput(error)
            promise?.succeed()
        case .all:
            isOpenNow.store(false, ordering: .relaxed)
            isWritableNow.store(false, ordering: .relaxed)
            closeOutput(error)
            incoming.drop()
            other?.other = nil
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
        try options.set(option, value)
        if options.autoRead { scheduleArrival() }
    }

    private func get<Option: ChannelOption>(_ option: Option) throws -> Option.Value {
        try options.get(option, waitingBytes: outgoing.waitingBytes)
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
