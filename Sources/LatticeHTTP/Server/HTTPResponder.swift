import LatticeAPI
import LatticeCore
import LatticeSocket
import NIOCore
import NIOHTTP1
import Synchronization

/// Reads requests and writes responses, between the connection and the router.
final class HTTPResponder: Sendable {
    let settings: HTTPSettings
    let hub: StreamHub
    let table: ConnectionTable
    let events: EventDesk
    let visitors: VisitorDesk?
    let router: Router
    private let answering = Atomic(0)

    init(node: any MeshNode, host: String, settings: HTTPSettings) {
        self.settings = settings
        table = ConnectionTable(settings.limits.table, now: settings.now)
        var dice = SystemRandomNumberGenerator()
        let boot = String(UInt32.random(in: .min ... .max, using: &dice), radix: 16)
        hub = StreamHub(settings.limits, boot: boot)
        events = EventDesk(settings)
        visitors = settings.visitors.map { VisitorDesk($0, settings) }
        router = Router(
            desk: HTTPDesk(
                node: node, settings: settings,
                gate: Gatekeeper(
                    host: host, token: settings.token, machine: settings.machine, certified: settings.security?.names),
                hub: hub, users: events, visitors: visitors))
    }

    /// Whether a response is in progress, without streams.
    var isAnswering: Bool { answering.load(ordering: .relaxed) > 0 }

    func respond(to head: HTTPRequestHead, in conversation: inout HTTPConversation) async throws {
        answering.add(1, ordering: .relaxed)
        let reply = await reply(to: head, in: &conversation)
        if case .stream(let wish) = reply.body, head.method != .HEAD {
            answering.subtract(1, ordering: .relaxed)
            return try await stream(wish, reply, in: conversation)
        }
        defer { answering.subtract(1, ordering: .relaxed) }
        if case .pieces(let file) = reply.body, head.method != .HEAD {
            return try await send(file, reply, in: conversation)
        }
        try await conversation.write(reply, isHead: head.method == .HEAD)
    }

    private func reply(to head: HTTPRequestHead, in conversation: inout HTTPConversation) async -> HTTPReply {
        do throws(HTTPProblem) {
            let method = HTTPCall.Method(rawValue: head.method == .HEAD ? "GET" : head.method.rawValue)
            guard table.mayAsk(conversation.channel, isWrite: method?.isSafe == false) else { throw .tooMany }
            let target = RequestTarget(head.uri, scheme: settings.security == nil ? "http" : "https")
            guard let method else { throw router.wrongMethod(at: target.path) }
            var call = try HTTPCall(method, target: target.path, headers: try headers(of: head, target))
            call.address = ConnectionTable.network(of: conversation.channel)
            guard call.headers["transfer-encoding"].map({ $0.lowercased() == "chunked" }) ?? true else {
                throw HTTPProblem(
                    501, "unknownCoding", "Only chunked is supported as Transfer-Encoding.")
            }
            if let bytesMax = router.fileBytesMax(of: call) {
                return try await receive(call, bytesMax: bytesMax, in: &conversation)
            }
            try checkLength(of: call)
            if let wish = call.headers["expect"] { try await answer(wish, call, in: conversation) }
            call.body = try await body(in: &conversation)
            return await router.reply(to: call)
        } catch {
            return error.reply
        }
    }

    /// Joins headers of the same name to one list (RFC 9110, section 5.3).
    private func headers(
        of head: HTTPRequestHead, _ target: RequestTarget
    ) throws(HTTPProblem) -> [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in head.headers {
            let name = name.lowercased()
            guard name != "host" || headers[name] == nil else {
                throw HTTPProblem(400, "badRequest", "The header Host was sent twice. Send it once.")
            }
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
        }
        // A request without the header is refused whatever its target.
        if headers["host"] != nil, let host = target.host { headers["host"] = host }
        return headers
    }

    /// Answers `Expect: 100-continue`, or refuses before the body comes (RFC 9110, section 10.1.1).
    func answer(
        _ expectation: String, _ call: HTTPCall, in conversation: HTTPConversation
    ) async throws(HTTPProblem) {
        guard expectation.lowercased() == "100-continue" else {
            throw HTTPProblem(417, "unknownExpectation", "Only 100-continue is supported in the header Expect.")
        }
        do throws(HTTPProblem) {
            try await router.check(call)
        } catch {
            var problem = error
            // The body may come all the same, so the start of the next request is unknown.
            problem.headers["connection"] = "close"
            throw problem
        }
        do {
            try await conversation.writeContinue()
        } catch {
            throw HTTPProblem(400, "badRequest", "The connection has ended.")
        }
    }

    private func checkLength(of call: HTTPCall) throws(HTTPProblem) {
        guard let length = call.headers["content-length"].flatMap({ Int($0) }), length > settings.limits.bodyBytesMax
        else { return }
        throw tooLong
    }

    private func body(in conversation: inout HTTPConversation) async throws(HTTPProblem) -> [UInt8] {
        do {
            return Array(buffer: try await conversation.body(bytesMax: settings.limits.bodyBytesMax))
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

    /// An error on the way ends the connection: the client sees that bytes are missing.
    private func send(_ file: FilePieces, _ reply: HTTPReply, in conversation: HTTPConversation) async throws {
        try await conversation.begin(reply)
        var offset = file.range.lowerBound
        while let bytes = try await file.next(from: offset) {
            try await conversation.write(bytes)
            offset += Int64(bytes.count)
        }
        try await conversation.end()
    }

    private func stream(_ wish: StreamWish, _ reply: HTTPReply, in conversation: HTTPConversation) async throws {
        guard let (signals, input, number) = await wish.hub.join() else {
            let problem = HTTPProblem(503, "busy", "Too many streams are open. Close one, or try again later.")
            return try await conversation.write(problem.reply)
        }
        conversation.channel.closeFuture.whenComplete { _ in input.finish() }
        do {
            try await conversation.begin(reply)
            var (bytes, cursor) = await wish.hub.begin(wish)
            try await conversation.write(bytes)
            for await signal in signals {
                (bytes, cursor) = await wish.hub.read(from: cursor, wish)
                if bytes.isEmpty, signal == .beat { bytes = Array(": \n\n".utf8) }
                if !bytes.isEmpty { try await conversation.write(bytes) }
            }
            try await conversation.end()
        } catch {
            await wish.hub.leave(number)
            throw error
        }
        await wish.hub.leave(number)
    }
}
