import LatticeCore
import LatticeSession
import LatticeWire
import NIOCore
import NIOPosix

/// A link after its handshake: decrypts what arrives for the owner, encrypts what is queued and writes it, all on the
/// thread of its event loop. A change of threads would cost as much as a round trip over loopback.
///
/// A slow owner slows the sender down: nothing more is read while it works on frames.
final class LinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let link: Link
    private let owner: any LinkOwner
    private let queue: OutboundQueue
    private let turn: LoopTurn
    private let limits: LinkLimits
    /// Set if the connection loses datagrams on purpose.
    private let losesDatagram: (@Sendable (any Channel) -> Bool)?
    private var sealer: Sealer
    private var opener: Opener
    private var splitter: MessageSplitter
    private var context: ChannelHandlerContext?
    /// Unprocessed reads: at most what one turn of the event loop reads.
    private var chunks: [ByteBuffer] = []
    /// The owner is still working on frames.
    private var isOwnerBusy = false
    private var hasInputEnded = false
    /// Why nothing more is accepted from the other side.
    private var closure: LinkClosure?
    /// A goodbye after frames that the owner is still working on.
    private var closureAfterFrames: LinkClosure?
    /// The last write is under way.
    private var isOutputEnding = false
    private var hasOutputEnded = false
    private var rekeyedAt = ContinuousClock.now
    /// A piece waits for its turn or for the connection.
    private var isBulkUnderWay = false
    private var bulkPace: BulkPace
    private var unsentLimit: UnsentLimit
    /// A datagram waits until the kernel has taken earlier writes.
    private var awaitsWritten = false
    private var isReading = true
    /// An error after valid frames.
    private var faultAfterFrames: SessionError?

    /// - Parameter splitter: contains what arrived after the handshake.
    init(
        link: Link, owner: any LinkOwner, queue: OutboundQueue, turn: LoopTurn, limits: LinkLimits,
        losesDatagram: (@Sendable (any Channel) -> Bool)?, splitter: MessageSplitter, sealer: consuming Sealer,
        opener: consuming Opener
    ) {
        self.link = link
        self.owner = owner
        self.queue = queue
        self.turn = turn
        self.limits = limits
        self.losesDatagram = losesDatagram
        self.splitter = splitter
        self.sealer = sealer
        self.opener = opener
        bulkPace = BulkPace(unsentBytes: limits.unsentBytesMax)
        unsentLimit = UnsentLimit(wanted: limits.unsentBytesMax, withDatagrams: limits.unsentBytesWithDatagrams)
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

    // MARK: - Received

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
        let dropped = queue.takeEndedDatagrams()
        if dropped > 0 { owner.linkTookDatagrams(link, DatagramTally(ended: dropped)) }
        // Breaks two reference cycles: both hold this handler.
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

    /// Whether everything received is processed. The end of input is reported after the last frame.
    private var isReadDown: Bool { chunks.isEmpty && faultAfterFrames == nil && !hasInputEnded }

    /// - Returns: all frames in the chunks, up to an error; `nil` if there are none.
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

    /// Accepts nothing more. What is queued is still sent, but not longer than the time limit.
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

    // MARK: - Queued

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writeWhatWaits()
        context.fireChannelWritabilityChanged()
    }

    /// Encrypts as much as the connection accepts now, in as few messages as possible.
    private func writeWhatWaits() {
        guard let context, context.channel.isActive, !isOutputEnding else { return }
        var hasWritten = false
        while context.channel.isWritable {
            let isInTurns = queue.hasDatagrams
            if isInTurns {
                context.flush()
                guard hasWrittenAll(context) else { writeOnceWritten(context); break }
                writeDatagrams(context)
                hasWritten = true
            }
            guard let batch = queue.take() else {
                if isInTurns { continue }
                break
            }
            switch batch {
            case .speech(let frames): context.write(sealed(frames, context), promise: nil)
            case .piece(let piece):
                context.write(sealed([piece.frame], context), promise: nil)
                handedOver(piece, context)
            }
            hasWritten = true
        }
        if hasWritten { context.flush() }
        switch queue.rest {
        case .onlyPieces: startBulk()
        case .over: endOutput(context)
        case nil: break
        }
    }

    private func sealed(_ frames: [[UInt8]], _ context: ChannelHandlerContext) -> NIOAny {
        var bytes = sealer.seal(frames)
        if rekeyedAt.duration(to: .now) >= limits.rekeyInterval {
            rekeyedAt = .now
            bytes += sealer.rekeyed()
        }
        return wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes))
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
        // The peer got everything; if it does not close its side, the timer does.
        let channel = context.channel
        channel.eventLoop.scheduleTask(in: .nanoseconds(limits.closingTimeout.nanoseconds)) {
            channel.close(promise: nil)
        }
    }
}

// MARK: - Datagrams

extension LinkHandler {
    private func writeDatagrams(_ context: ChannelHandlerContext) {
        if unsentLimit.carriesDatagrams(at: .now) {
            setUnsentBytes(context)
            lookAgain(after: UnsentLimit.quiet, context)
        }
        var (frames, tally) = queue.takeDatagrams(at: .now)
        if let losesDatagram { frames.removeAll { _ in losesDatagram(context.channel) } }
        if !frames.isEmpty { context.write(sealed(frames, context), promise: nil) }
        owner.linkTookDatagrams(link, tally)
    }

    private func lookAgain(after time: Duration, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .nanoseconds(time.nanoseconds)) { bound.value.lookForDatagrams() }
    }

    private func lookForDatagrams() {
        guard let context, context.channel.isActive else { return }
        if let left = unsentLimit.look(at: .now) { lookAgain(after: left, context) } else { setUnsentBytes(context) }
    }

    /// A datagram is handed over only when nothing waits in front of it: what the connection has cannot be dropped any more.
    private func writeOnceWritten(_ context: ChannelHandlerContext) {
        guard !awaitsWritten else { return }
        awaitsWritten = true
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in bound.value.writeAgain() }
        // An empty write ends after those before it.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    }

    private func writeAgain() {
        awaitsWritten = false
        writeWhatWaits()
    }
}

// MARK: - Bulk

extension LinkHandler {
    private func startBulk() {
        guard !isBulkUnderWay else { return }
        isBulkUnderWay = true
        takeBulkTurn()
    }

    private func takeBulkTurn() {
        let bound = NIOLoopBound(self, eventLoop: turn.eventLoop)
        turn.bulk.add { bound.value.writePiece() }
    }

    /// Writes one piece once the kernel has taken all earlier writes, so that a line waits for one piece at most.
    private func writePiece() {
        writeWhatWaits()
        guard let context, context.channel.isActive, !isOutputEnding else { return }
        guard hasWrittenAll(context) else {
            // An empty write ends after those before it.
            return writeThenTakeTurn(wrapOutboundOut(ByteBuffer()), context)
        }
        guard let piece = queue.takePiece() else {
            isBulkUnderWay = false
            return
        }
        writeThenTakeTurn(sealed([piece.frame], context), context)
        handedOver(piece, context)
    }

    private func writeThenTakeTurn(_ bytes: NIOAny, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(self, eventLoop: turn.eventLoop)
        let written = turn.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in bound.value.takeBulkTurn() }
        context.writeAndFlush(bytes, promise: written)
    }

    private func hasWrittenAll(_ context: ChannelHandlerContext) -> Bool {
        do {
            return try context.channel.syncOptions?.getOption(.bufferedWritableBytes) == 0
        } catch {
            // It is closed, so a write fails and ends this.
            return false
        }
    }

    private func handedOver(_ piece: OutboundQueue.Piece, _ context: ChannelHandlerContext) {
        if let bytes = bulkPace.sent(piece.frame.count, at: .now) {
            unsentLimit.want(bytes)
            setUnsentBytes(context)
        }
        if piece.leftCount < limits.bulkPiecesLow { owner.linkHasBulkRoom(link) }
    }

    /// NIO waits for the kernel to report the socket as writable, which it does below half of these bytes.
    private func setUnsentBytes(_ context: ChannelHandlerContext) {
        do {
            try context.channel.syncOptions?.setOption(
                .tcpOption(Connection.unsentLowWater), value: .init(unsentLimit.bytes))
        } catch {
            context.close(promise: nil)
        }
    }
}

extension Frame {
    fileprivate var isGoodbye: Bool {
        if case .goodbye = self { true } else { false }
    }
}
