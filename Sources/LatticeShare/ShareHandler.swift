import LatticeCore
import LatticeSocket
import NIOCore
import NIOHTTP1

/// One connection: reads one request, sends the answer, and watches how the connection ends.
///
/// A client that has read everything closes; one that was stopped before resets the connection (RFC 9293, section
/// 3.10.4: what is not read is lost). So a file counts as taken only if its end was read.
final class ShareHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        /// Next: `sending`, `closing`.
        case waiting
        /// Next: `closing`.
        case sending(Download)
        /// Everything was sent; the client closes. Next: none.
        case closing(Download?)
        case ended
    }

    private struct Download {
        let file: SharedFile
        let range: Range<Int>
        /// What was sent ends here.
        var end: Int
        /// The end of the piece that is on its way: of it, the client may have read any part.
        var reach: Int
        let began: NIODeadline
    }

    private let desk: ShareDesk
    private var state = State.waiting
    private var timer: Scheduled<Void>?
    /// The client has closed its half; it may still read.
    private var isInputOver = false
    private var isRefused = false

    init(_ desk: ShareDesk) {
        self.desk = desk
    }

    func channelActive(context: ChannelHandlerContext) {
        switch desk.admit(context.channel) {
        case .admitted: wait(desk.limits.requestTimeout, context)
        case .refused:
            isRefused = true
            answer(.text(503, "Too many are here. Try again in a moment.\n", [("retry-after", "5")]), context)
        case .closed: context.close(promise: nil)
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), case .waiting = state else { return }
        let request = ShareRequest(head)
        guard desk.mayAsk(context.channel) else {
            return answer(.text(429, "Too many requests. Try again in a moment.\n", [("retry-after", "5")]), context)
        }
        answer(desk.offer.answer(to: request, here: here(context)), isHead: request.isHead, context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is RequestBytesHandler.TooMany:
            if case .waiting = state {
                answer(.text(431, "The request is too long.\n"), context)
            } else {
                context.close(promise: nil)
            }
        case ChannelEvent.inputClosed:
            isInputOver = true
            // Half a request gets no answer.
            if case .waiting = state { context.close(promise: nil) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError, case .waiting = state {
            return answer(.text(400, "This is not a request of HTTP.\n"), context)
        }
        breakOff(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        switch state {
        case .closing(let download?): finish(download, context)
        case .sending: breakOff(context)
        case .waiting, .closing(nil), .ended: break
        }
        end()
        context.fireChannelInactive()
    }

    /// The address of this machine that the client has reached.
    private func here(_ context: ChannelHandlerContext) -> String {
        let port = context.localAddress?.port.flatMap(UInt16.init(exactly:)) ?? 0
        return "\(PeerAddress(host: context.channel.localHost ?? "localhost", port: port))"
    }

    // MARK: - Sending

    private func answer(_ answer: ShareAnswer, isHead: Bool = false, _ context: ChannelHandlerContext) {
        desk.note(context.channel)
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status),
            headers: HTTPHeaders(answer.headers))
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        switch answer.body {
        case .file(let file, let range) where !isHead:
            send(
                Download(file: file, range: range, end: range.lowerBound, reach: range.lowerBound, began: .now()),
                context)
        case .text(let text) where !isHead:
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            close(after: nil, context)
        case .file, .text: close(after: nil, context)
        }
    }

    private func send(_ download: Download, _ context: ChannelHandlerContext) {
        guard download.end < download.range.upperBound else { return close(after: download, context) }
        let end = min(download.end + desk.limits.pieceBytes, download.range.upperBound)
        var begun = download
        begun.reach = end
        state = .sending(begun)
        wait(desk.limits.pieceTimeout, context)
        let region = FileRegion(fileHandle: download.file.handle, readerIndex: download.end, endIndex: end)
        let sent = context.eventLoop.makePromise(of: Void.self)
        let (this, loopContext) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
        sent.futureResult.whenComplete { result in
            switch result {
            case .success:
                guard case .sending(var download) = this.value.state else { return }
                download.end = end
                this.value.send(download, loopContext.value)
            case .failure: this.value.breakOff(loopContext.value)
            }
        }
        context.writeAndFlush(wrapOutboundOut(.body(.fileRegion(region))), promise: sent)
    }

    private func close(after download: Download?, _ context: ChannelHandlerContext) {
        state = .closing(download)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        // It has closed its half before, so no other sign will come.
        guard !isInputOver else {
            if let download { finish(download, context) }
            context.close(promise: nil)
            return
        }
        context.close(mode: .output, promise: nil)
        wait(download == nil ? .seconds(2) : desk.limits.closeTimeout, context)
    }

    // MARK: - Ending

    private func finish(_ download: Download, _ context: ChannelHandlerContext) {
        state = .ended
        desk.took(
            download.file, download.range, by: context.channel,
            milliseconds: Int((.now() - download.began).nanoseconds / 1_000_000))
    }

    private func breakOff(_ context: ChannelHandlerContext) {
        switch state {
        case .sending(let download), .closing(let download?):
            state = .ended
            desk.brokeOff(
                download.file, from: download.range.lowerBound, to: download.end, reach: download.reach,
                by: context.channel)
        case .waiting, .closing(nil), .ended: break
        }
        context.close(promise: nil)
    }

    private func end() {
        timer?.cancel()
        timer = nil
        if isRefused {
            isRefused = false
            desk.leaveRefused()
        }
    }

    /// Closes the connection if nothing happens for this long.
    private func wait(_ duration: Duration, _ context: ChannelHandlerContext) {
        timer?.cancel()
        let (seconds, attoseconds) = duration.components
        let time = TimeAmount.nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        let (this, loopContext) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
        timer = context.eventLoop.scheduleTask(in: time) { this.value.breakOff(loopContext.value) }
    }
}

/// Sits before the decoder, and counts what a client sends.
final class RequestBytesHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    struct TooMany {}

    private var left: Int

    init(bytesMax: Int) {
        left = bytesMax
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        left -= unwrapInboundIn(data).readableBytes
        // What comes after is dropped.
        guard left >= 0 else { return context.fireUserInboundEventTriggered(TooMany()) }
        context.fireChannelRead(data)
    }
}
