import LatticeCore
import LatticeSession
import LatticeWire
import NIOCore
import NIOPosix

/// A link after its handshake: opens what arrives and hands it to the owner, seals what waits and writes it, all on the thread of
/// its event loop. Nothing changes threads, which costs as much as a round trip over loopback.
///
/// A slow owner slows the sender down: while it is at work on some frames nothing more is read.
final class LinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let link: Link
    private let owner: any LinkOwner
    private let queue: OutboundQueue
    private let turn: LoopTurn
    private let limits: LinkLimits
    private var sealer: Sealer
    private var opener: Opener
    private var splitter: MessageSplitter
    private var context: ChannelHandlerContext?
    /// What was read and not looked at yet: as much as one turn of the event loop reads.
    private var chunks: [ByteBuffer] = []
    /// The owner has frames at which it is still at work.
    private var isOwnerBusy = false
    /// The other side has closed its half.
    private var hasInputEnded = false
    /// Why nothing more is taken from the other side.
    private var closure: LinkClosure?
    /// A goodbye that stood behind frames at which the owner is at work.
    private var closureAfterFrames: LinkClosure?
    /// The last of what was to be written is on its way.
    private var isOutputEnding = false
    private var hasOutputEnded = false
    private var rekeyedAt = ContinuousClock.now
    private var isReading = true
    /// Found behind frames that are good.
    private var faultAfterFrames: SessionError?

    /// - Parameter splitter: with what came behind the handshake.
    init(
        link: Link, owner: any LinkOwner, queue: OutboundQueue, turn: LoopTurn, limits: LinkLimits,
        splitter: MessageSplitter, sealer: consuming Sealer, opener: consuming Opener
    ) {
        self.link = link
        self.owner = owner
        self.queue = queue
        self.turn = turn
        self.limits = limits
        self.splitter = splitter
        self.sealer = sealer
        self.opener = opener
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let write: @Sendable () -> Void = { bound.value.writeWhatWaits() }
        queue.onFirst { [turn] in turn.write(write) }
        link.onGoOn { fault in eventLoop.execute { bound.value.ownerIsDone(fault) } }
        owner.linkOpened(link)
        read()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    // MARK: - What arrives

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        chunks.append(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        hasInputEnded = true
        read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError {
            end(.broken(String(cString: strerror(error.errnoCode))))
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        queue.finish()
        // Both would hold this handler, and it holds them.
        queue.forget()
        link.forget()
        owner.linkClosed(link, closure ?? closureAfterFrames ?? .broken("the connection was closed"))
        context.fireChannelInactive()
    }

    private func read() {
        while closure == nil, !isOwnerBusy {
            do {
                let frames = try nextFrames()
                if let frames {
                    handOver(frames)
                    if isReadDown { break }
                } else {
                    if hasInputEnded { end(.broken("the other side closed the connection")) }
                    break
                }
            } catch {
                fault("\(error)")
            }
        }
        if closure != nil { chunks = [] }
        setReading(!isOwnerBusy || closure != nil)
    }

    /// Whether nothing that has come is left to look at, nor its end: that is told where there are no more frames.
    private var isReadDown: Bool { chunks.isEmpty && faultAfterFrames == nil && !hasInputEnded }

    /// - Returns: all that the chunks hold, or what there is before something faulty; `nil` when that is nothing.
    private func nextFrames() throws(SessionError) -> [Frame]? {
        if let faultAfterFrames { throw faultAfterFrames }
        var frames: [Frame] = []
        do throws(SessionError) {
            while true {
                while let message = try splitter.next() {
                    let opened = try opener.open(message)
                    if frames.isEmpty { frames = opened } else { frames += opened }
                }
                guard !chunks.isEmpty else { break }
                let chunk = chunks.removeFirst()
                splitter.append(chunk.readableBytesUInt8Span)
            }
        } catch {
            guard !frames.isEmpty else { throw error }
            faultAfterFrames = error
        }
        return frames.isEmpty ? nil : frames
    }

    private func handOver(_ all: [Frame]) {
        var frames = all
        if let index = all.firstIndex(where: \.isGoodbye), case .goodbye(let goodbye) = all[index] {
            closureAfterFrames = .goodbye(goodbye)
            frames = Array(all[..<index])
        }
        if !frames.isEmpty {
            switch owner.linkReceived(link, frames) {
            case .taken: break
            case .faulty(let fault): return self.fault(fault.reason)
            case .later:
                isOwnerBusy = true
                return
            }
        }
        if let closureAfterFrames { end(closureAfterFrames) }
    }

    private func ownerIsDone(_ fault: LinkFault?) {
        isOwnerBusy = false
        if let fault {
            self.fault(fault.reason)
        } else if let closureAfterFrames {
            end(closureAfterFrames)
        }
        read()
    }

    private func setReading(_ isReading: Bool) {
        guard isReading != self.isReading, let context, context.channel.isActive else { return }
        self.isReading = isReading
        do {
            try context.channel.syncOptions?.setOption(.autoRead, value: isReading)
        } catch {
            context.close(promise: nil)
        }
    }

    private func fault(_ reason: String) {
        link.close(Goodbye(.protocolFault, reason))
        end(.fault(reason))
    }

    /// Takes nothing more; what still waits goes out, and a peer that takes nothing in does not hold us up.
    private func end(_ closure: LinkClosure) {
        guard self.closure == nil else { return }
        self.closure = closure
        queue.finish()
        guard let context else { return }
        let channel = context.channel
        channel.eventLoop.scheduleTask(in: .nanoseconds(limits.farewellTimeout.nanoseconds)) {
            channel.close(promise: nil)
        }
        if hasOutputEnded { context.close(promise: nil) } else { writeWhatWaits() }
    }

    // MARK: - What waits

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writeWhatWaits()
        context.fireChannelWritabilityChanged()
    }

    /// Seals as much as the connection takes just now, in as few messages as possible.
    private func writeWhatWaits() {
        guard let context, context.channel.isActive, !isOutputEnding else { return }
        var hasWritten = false
        while context.channel.isWritable, let frames = queue.take() {
            var bytes = sealer.seal(frames)
            if rekeyedAt.duration(to: .now) >= limits.rekeyInterval {
                rekeyedAt = .now
                bytes += sealer.rekeyed()
            }
            context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
            hasWritten = true
        }
        if hasWritten { context.flush() }
        if queue.isOver { endOutput(context) }
    }

    private func endOutput(_ context: ChannelHandlerContext) {
        isOutputEnding = true
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in bound.value.outputEnded() }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    }

    private func outputEnded() {
        hasOutputEnded = true
        guard let context else { return }
        guard closure == nil else { return context.close(promise: nil) }
        context.close(mode: .output, promise: nil)
        // It was given everything, and one that leaves its side open holds nobody up.
        let channel = context.channel
        channel.eventLoop.scheduleTask(in: .nanoseconds(limits.closingTimeout.nanoseconds)) {
            channel.close(promise: nil)
        }
    }
}

extension Frame {
    fileprivate var isGoodbye: Bool {
        if case .goodbye = self { true } else { false }
    }
}
