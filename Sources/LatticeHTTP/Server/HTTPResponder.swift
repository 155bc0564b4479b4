import HTTPTypes
import HummingbirdCore
import LatticeAPI
import LatticeCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Reads requests and writes responses, between the connection and the router.
final class HTTPResponder: Sendable {
    let settings: HTTPSettings
    let hub: StreamHub
    let table: ConnectionTable
    let events: EventDesk
    private let router: Router
    private let answering = Atomic(0)

    init(node: any MeshNode, host: String, settings: HTTPSettings) {
        self.settings = settings
        table = ConnectionTable(settings.limits, now: settings.now)
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

    /// Whether a response is in progress, without streams.
    var isAnswering: Bool { answering.load(ordering: .relaxed) > 0 }

    func respond(_ request: HummingbirdCore.Request, _ writer: consuming ResponseWriter, _ channel: any Channel)
        async throws
    {
        answering.add(1, ordering: .relaxed)
        let reply = await reply(to: request, writer, channel)
        let head = reply.head
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

    private func reply(
        to request: HummingbirdCore.Request, _ writer: borrowing ResponseWriter, _ channel: any Channel
    ) async -> HTTPReply {
        do throws(HTTPProblem) {
            let method = HTTPCall.Method(rawValue: request.method == .head ? "GET" : request.method.rawValue)
            guard table.mayAsk(channel, isWrite: method?.isSafe == false) else { throw .tooMany }
            let target = request.head.path ?? ""
            guard let method else { throw router.wrongMethod(at: target) }
            var call = try HTTPCall(method, target: target, headers: try headers(of: request))
            guard request.headers[.transferEncoding].map({ $0.lowercased() == "chunked" }) ?? true else {
                throw HTTPProblem(
                    501, "unknownCoding", "Only chunked is supported as Transfer-Encoding.")
            }
            try checkLength(of: request)
            if let wish = call.headers["expect"] { try await answer(wish, call, writer) }
            call.body = try await body(of: request)
            return await router.reply(to: call)
        } catch {
            return error.reply
        }
    }

    /// Joins headers of the same name to one list (RFC 9110, section 5.3).
    private func headers(of request: HummingbirdCore.Request) throws(HTTPProblem) -> [String: String] {
        var headers: [String: String] = [:]
        for field in request.headers {
            let name = field.name.canonicalName
            headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
        }
        // The first Host header is already the authority (RFC 9112, section 3.2).
        guard headers["host"] == nil else {
            throw HTTPProblem(400, "badRequest", "The header Host was sent twice. Send it once.")
        }
        headers["host"] = request.head.authority
        return headers
    }

    /// Answers `Expect: 100-continue`, or refuses before the body comes (RFC 9110, section 10.1.1).
    private func answer(
        _ expectation: String, _ call: HTTPCall, _ writer: borrowing ResponseWriter
    ) async throws(HTTPProblem) {
        guard expectation.lowercased() == "100-continue" else {
            throw HTTPProblem(417, "unknownExpectation", "Only 100-continue is supported in the header Expect.")
        }
        do throws(HTTPProblem) {
            try router.check(call)
        } catch {
            var problem = error
            // The body may come all the same, so the start of the next request is unknown.
            problem.headers["connection"] = "close"
            throw problem
        }
        do {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        } catch {
            throw HTTPProblem(400, "badRequest", "The connection has ended.")
        }
    }

    private func checkLength(of request: HummingbirdCore.Request) throws(HTTPProblem) {
        guard let length = request.headers[.contentLength].flatMap({ Int($0) }), length > settings.limits.bodyBytesMax
        else { return }
        throw tooLong
    }

    private func body(of request: HummingbirdCore.Request) async throws(HTTPProblem) -> [UInt8] {
        do {
            return Array(buffer: try await request.body.collect(upTo: settings.limits.bodyBytesMax))
        } catch is NIOTooManyBytesError {
            throw tooLong
        } catch {
            throw HTTPProblem(
                400, "badRequest", "The request body is incomplete. Send as many bytes as you announced.")
        }
    }

    private var tooLong: HTTPProblem {
        HTTPProblem(
            413, "tooLong", "The request body is too large. The limit is \(settings.limits.bodyBytesMax / 1_024) KiB.")
    }

    private func stream(
        _ wish: StreamWish, _ head: HTTPResponse, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        guard let (signals, input, number) = await hub.join() else {
            let problem = HTTPProblem(503, "busy", "Too many streams are open. Close one, or try again later.").reply
            guard case .bytes(let bytes) = problem.body else { preconditionFailure("a problem is said in bytes") }
            return try await writer.write(
                response: problem.head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
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
}
