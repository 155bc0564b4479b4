import HTTPTypes
import HummingbirdCore
import LatticeAPI
import LatticeCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Reads requests and writes answers: what stands between the bytes and the router.
final class HTTPResponder: Sendable {
    let settings: HTTPSettings
    let hub: StreamHub
    let table: ConnectionTable
    let events: EventDesk
    private let router: Router
    private let answering = Atomic(0)

    init(node: any MeshNode, host: String, settings: HTTPSettings) {
        self.settings = settings
        table = ConnectionTable(settings.limits)
        var dice = SystemRandomNumberGenerator()
        let boot = String(UInt32.random(in: .min ... .max, using: &dice), radix: 16)
        hub = StreamHub(settings.limits, boot: boot)
        events = EventDesk(settings)
        router = Router(
            desk: HTTPDesk(
                node: node, settings: settings,
                gate: Gatekeeper(host: host, token: settings.token, machine: settings.machine), hub: hub,
                users: events))
    }

    /// Whether somebody waits for an answer, streams aside.
    var isAnswering: Bool { answering.load(ordering: .relaxed) > 0 }

    var channelConfiguration: HTTP1Channel.Configuration {
        let limits = settings.limits
        return HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionHandler(limits)],
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytesMax, maxHeaderListSize: limits.headerBytesMax,
                maxHeaderFieldCount: limits.headersMax))
    }

    /// - Returns: whether there is room for one more; it is counted until it ends.
    func admit(_ channel: any Channel) -> Bool {
        guard table.admit(channel, at: Self.now) else { return false }
        channel.closeFuture.whenComplete { [table] _ in table.leave(channel) }
        return true
    }

    func respond(_ request: HummingbirdCore.Request, _ writer: consuming ResponseWriter, _ channel: any Channel)
        async throws
    {
        answering.add(1, ordering: .relaxed)
        let reply = await reply(to: request, channel)
        let head = head(of: reply)
        if case .stream(let wish) = reply.body, request.method != .head {
            answering.subtract(1, ordering: .relaxed)
            return try await stream(wish, head, writer, channel)
        }
        defer { answering.subtract(1, ordering: .relaxed) }
        let body: ResponseBody
        switch reply.body {
        case .bytes(let bytes): body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        case .file(let file): body = ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes))
        case .stream: body = ResponseBody()
        }
        try await writer.write(response: head, body: request.method == .head ? ResponseBody() : body)
    }

    private func reply(to request: HummingbirdCore.Request, _ channel: any Channel) async -> HTTPReply {
        do throws(HTTPProblem) {
            guard let method = HTTPCall.Method(rawValue: request.method == .head ? "GET" : request.method.rawValue)
            else {
                throw HTTPProblem(405, "wrongMethod", "Only GET, HEAD, POST, PUT, PATCH and DELETE are understood.")
            }
            guard table.mayAsk(channel, isWrite: !method.isSafe, at: Self.now) else {
                var problem = HTTPProblem(429, "tooMany", "That was too much at once; wait a second and try again.")
                problem.headers["retry-after"] = "1"
                throw problem
            }
            var headers: [String: String] = [:]
            for field in request.headers where headers[field.name.canonicalName] == nil {
                headers[field.name.canonicalName] = field.value
            }
            headers["host"] = request.head.authority
            let call = try HTTPCall(
                method, target: request.head.path ?? "", headers: headers, body: try await body(of: request))
            return await router.reply(to: call)
        } catch {
            return error.reply
        }
    }

    private func body(of request: HummingbirdCore.Request) async throws(HTTPProblem) -> [UInt8] {
        let tooLong = HTTPProblem(
            413, "tooLong", "The body of a request has at most \(settings.limits.bodyBytesMax / 1_024) KiB; send less.")
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > settings.limits.bodyBytesMax {
            throw tooLong
        }
        do {
            let bytes = try await request.body.collect(upTo: settings.limits.bodyBytesMax)
            return Array(buffer: bytes)
        } catch is NIOTooManyBytesError {
            throw tooLong
        } catch {
            throw HTTPProblem(400, "badRequest", "The body of the request cannot be read.")
        }
    }

    private func head(of reply: HTTPReply) -> HTTPResponse {
        var fields = HTTPFields()
        for (name, value) in Self.headers { fields[name] = value }
        fields[.contentType] = reply.type
        for (name, value) in reply.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields[name] = value
        }
        switch reply.body {
        case .bytes(let bytes):
            if reply.status != 304, reply.status != 204 { fields[.contentLength] = "\(bytes.count)" }
        case .file(let file): fields[.contentLength] = "\(file.bytes.count)"
        case .stream: break
        }
        if reply.status == 413 || reply.status == 400 { fields[.connection] = "close" }
        return HTTPResponse(status: .init(code: reply.status), headerFields: fields)
    }

    /// On every answer: nothing of it is run, framed, sniffed or read elsewhere.
    private static let headers: [(HTTPField.Name, String)] = {
        let fields = [
            ("content-security-policy", PageRoutes.policy), ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"), ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("permissions-policy", "geolocation=(self), camera=(), microphone=()"), ("cache-control", "no-store"),
        ]
        return fields.compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
    }()

    private func stream(
        _ wish: StreamWish, _ head: HTTPResponse, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        guard let (signals, input, number) = await hub.join() else {
            let problem = HTTPProblem(503, "busy", "So many streams are open that there is no room for one more.").reply
            guard case .bytes(let bytes) = problem.body else { preconditionFailure("a problem is said in bytes") }
            return try await writer.write(
                response: self.head(of: problem), body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
        channel.closeFuture.whenComplete { _ in input.finish() }
        do {
            var body = try await writer.writeHead(head)
            var (bytes, cursor) = await hub.begin(wish)
            try await body.write(ByteBuffer(bytes: bytes))
            for await signal in signals {
                (bytes, cursor) = await hub.read(from: cursor, wish)
                if bytes.isEmpty, signal == .beat { bytes = Array(": \n\n".utf8) }
                if !bytes.isEmpty { try await body.write(ByteBuffer(bytes: bytes)) }
            }
            try await body.finish(nil)
        } catch {
            await hub.leave(number)
            throw error
        }
        await hub.leave(number)
    }

    private static var now: Instant { Instant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds)) }
}
