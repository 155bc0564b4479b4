import NIOCore
import NIOHTTP1

/// The requests and responses of one connection, in order.
struct HTTPConversation {
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    typealias Responder = @Sendable (HTTPRequestHead, inout HTTPConversation) async throws -> Void

    let channel: any Channel
    private var parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private let writer: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    /// Adds the handlers to a connection. The encoder refuses a header that would split a response.
    ///
    /// - Parameter watcher: sees all requests and responses.
    static func prepare(
        _ channel: any Channel, _ limits: HTTPLimits, watcher: some ChannelHandler
    ) throws -> Connection {
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldSize = limits.headerBytesMax
        decoding.maxHeaderListSize = limits.headerBytesMax
        decoding.maxHeaderFieldCount = limits.headersMax
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: decoding)
        try pipeline.addHandler(watcher)
        return try Connection(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    /// Answers requests one after the other until the connection ends.
    static func hold(_ connection: Connection, _ limits: HTTPLimits, respond: Responder) async throws {
        try await withTaskCancellationHandler {
            try await connection.executeThenClose { parts, writer in
                var conversation = HTTPConversation(
                    channel: connection.channel, parts: parts.makeAsyncIterator(), writer: writer)
                do {
                    while let head = try await conversation.nextRequest() {
                        try await respond(head, &conversation)
                        guard head.isKeepAlive else { break }
                    }
                } catch let fault as HTTPParserError {
                    try await conversation.write(HTTPProblem(fault, limits).reply)
                }
                writer.finish()
                try await connection.channel.closeFuture.get()
            }
        } onCancel: {
            connection.channel.close(mode: .input, promise: nil)
        }
    }

    /// Skips what is left of the request before.
    private mutating func nextRequest() async throws -> HTTPRequestHead? {
        while let part = try await parts.next() {
            if case .head(let head) = part { return head }
        }
        return nil
    }

    /// Reads the body of the current request.
    ///
    /// - Throws: `NIOTooManyBytesError`, or the fault of the connection.
    mutating func body(bytesMax: Int) async throws -> ByteBuffer {
        var body = ByteBuffer()
        while case .body(let piece) = try await parts.next() {
            guard body.readableBytes + piece.readableBytes <= bytesMax else {
                throw NIOTooManyBytesError(maxBytes: bytesMax)
            }
            body.writeImmutableBuffer(piece)
        }
        return body
    }

    /// - Returns: the next bytes of the body of the current request; `nil` at its end.
    /// - Throws: if the connection ends before the body does.
    mutating func bodyPart() async throws -> ByteBuffer? {
        switch try await parts.next() {
        case .body(let piece): return piece
        case .end: return nil
        case .head, nil: throw ChannelError.eof
        }
    }

    /// Writes a whole response.
    ///
    /// - Parameter isHead: whether the body stays away (RFC 9110, section 9.3.2).
    func write(_ reply: HTTPReply, isHead: Bool = false) async throws {
        let body = isHead ? nil : reply.payload
        let parts: [HTTPServerResponsePart?] = [.head(reply.head), body.map { .body(.byteBuffer($0)) }, .end(nil)]
        try await writer.write(contentsOf: parts.compactMap(\.self))
    }

    /// Asks the client to send the body of its request.
    func writeContinue() async throws {
        try await writer.write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
    }

    func begin(_ reply: HTTPReply) async throws {
        try await writer.write(.head(reply.head))
    }

    func write(_ bytes: [UInt8]) async throws {
        try await writer.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
    }

    func end() async throws {
        try await writer.write(.end(nil))
    }
}

extension HTTPProblem {
    fileprivate init(_ fault: HTTPParserError, _ limits: HTTPLimits) {
        switch fault {
        case .headerOverflow:
            let most = "\(limits.headerBytesMax / 1_024) KiB in \(limits.headersMax) lines"
            self.init(431, "tooLong", "The address and headers are too long. The limit is \(most).")
        case .invalidEOFState:
            self.init(400, "badRequest", "The request is incomplete. Send it again.")
        default: self.init(400, "badRequest", "This is not a valid HTTP/1.1 request.")
        }
    }
}
