import LatticeAPI

/// Finds the handler for a request and checks access.
struct Router: Sendable {
    let desk: HTTPDesk
    private let answered = AnsweredCalls()

    init(desk: HTTPDesk) { self.desk = desk }

    /// Routes with fewer names come first: `/v1/posts/near` before `/v1/posts/{id}`.
    static let routes: [Route] = all.sorted { $0.namesCount < $1.namesCount }

    private static let all: [Route] =
        PageRoutes.all + NodeRoutes.all + PostRoutes.all + DraftRoutes.all + PlaceRoutes.all + MeshCardRoutes.all
        + ItemRoutes.all + PeopleRoutes.all + RoomRoutes.all + PinRoutes.all + MarkRoutes.all + FileRoutes.all
        + MapRoutes.all + AwayRoutes.all + CrossingRoutes.all + LineRoutes.all
        + ReadRoutes.all + NotificationRoutes.all
        + UrgentRoutes.all + PhotoRoutes.all + VisitorRoutes.all + PrivateRoutes.all
        + LineSearchRoutes.all
        + HereRoutes.all + StreamRoutes.all + EventRoutes.all + FeedRoutes.all + TileRoutes.all + OpenAPIDocument.routes

    func reply(to call: HTTPCall) async -> HTTPReply {
        do throws(HTTPProblem) {
            if call.method == .options {
                _ = try desk.gate.admit(call)
                return try Self.options(at: call.path)
            }
            let (route, routed) = try await find(call)
            // A file was charged before it came.
            if call.upload == nil { try charge(routed, route) }
            let reply =
                if let key = try key(of: routed, route) {
                    try await answerOnce(key, routed, route)
                } else {
                    try await answer(routed, route)
                }
            return Self.conditional(reply, call)
        } catch {
            return error.reply
        }
    }

    private func answer(_ call: RouteCall, _ route: Route) async throws(HTTPProblem) -> HTTPReply {
        try await route.handler(desk(for: call), call)
    }

    /// The key of a call that may be repeated: one that makes something, by a person.
    private func key(of call: RouteCall, _ route: Route) throws(HTTPProblem) -> AnsweredCalls.Key? {
        guard let text = call.call.headers["idempotency-key"], route.method == .post, route.access == .person,
            call.call.upload == nil
        else { return nil }
        let characters = 1...AnsweredCalls.Key.charactersMax
        guard characters.contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw HTTPProblem(
                400, "badRequest", "An Idempotency-Key has 1 to \(characters.upperBound) visible ASCII characters.")
        }
        return AnsweredCalls.Key(caller: call.seat?.account ?? "", text: text)
    }

    private func answerOnce(
        _ key: AnsweredCalls.Key, _ call: RouteCall, _ route: Route
    ) async throws(HTTPProblem) -> HTTPReply {
        let tag = EntityTag.text(Array(call.call.path.joined(separator: "/").utf8) + [0] + call.call.body)
        if let reply = try await answered.begin(key, tag) { return reply }
        do throws(HTTPProblem) {
            let reply = try await answer(call, route)
            await answered.end(key, reply)
            return reply
        } catch {
            await answered.end(key, nil)
            throw error
        }
    }

    /// - Throws: the refusal, if the request is refused whatever its body is.
    func check(_ call: HTTPCall) async throws(HTTPProblem) {
        guard call.method != .options else { return }
        let (route, routed) = try await find(call)
        _ = try route.checkBeforeFile?(routed)
    }

    /// How the file begins that is the body of this request.
    ///
    /// - Throws: as `check`.
    func upload(for call: HTTPCall) async throws(HTTPProblem) -> (HTTPDesk, BeginUpload) {
        let (route, routed) = try await find(call)
        guard let begin = route.checkBeforeFile else { preconditionFailure("only a route that takes a file is asked") }
        try charge(routed, route)
        return (desk(for: routed), try begin(routed))
    }

    /// - Returns: the longest file that the body may be; `nil` if the body is no file.
    func fileBytesMax(of call: HTTPCall) -> Int64? {
        Self.routes(at: call.path).first { $0.method == call.method && $0.checkBeforeFile != nil }?.fileBytesMax
    }

    /// - Returns: the refusal of a method that no route has.
    func wrongMethod(at target: String) -> HTTPProblem {
        do throws(HTTPProblem) {
            let methods = Self.methods(at: try HTTPCall(.get, target: target).path)
            return .wrongMethod(allowed: methods.isEmpty ? Self.methods(at: []) : methods)
        } catch {
            return .wrongMethod(allowed: Self.methods(at: []))
        }
    }

    private func find(_ call: HTTPCall) async throws(HTTPProblem) -> (Route, RouteCall) {
        let isOwner = try desk.gate.admit(call)
        let (route, values) = try Self.route(for: call)
        let caller: RouteCall.Caller
        do throws(HTTPProblem) {
            caller = isOwner ? .owner : try await visitor(of: call).map { .visitor($0) } ?? .guest
        } catch {
            // Somebody who cannot come still sees what everybody sees, and may sign out.
            guard route.access == .everybody || route.access == .anybody else { throw error }
            caller = .guest
        }
        let routed = RouteCall(call: call, values: values, caller: caller, fields: route.fields)
        try check(route.access, routed)
        return (route, routed)
    }

    private func visitor(of call: HTTPCall) async throws(HTTPProblem) -> VisitorSeat? {
        guard let visitors = desk.visitors, let token = VisitorCookie.token(in: call) else { return nil }
        return try await visitors.seat(token: token)
    }

    /// A visitor changes something.
    private func charge(_ call: RouteCall, _ route: Route) throws(HTTPProblem) {
        guard let seat = call.seat, route.access == .person, !call.call.method.isSafe else { return }
        guard seat.mayWrite(at: desk.settings.now()) else { throw .tooManyOfVisitor }
    }

    private func desk(for call: RouteCall) -> HTTPDesk {
        if let seat = call.seat { return desk.of(seat) }
        var desk = desk
        desk.mayShowMachine = call.isOwner || desk.visitors == nil
        return desk
    }

    private func check(_ access: Route.Access, _ call: RouteCall) throws(HTTPProblem) {
        switch access {
        case .everybody: return
        case .anybody: if desk.gate.isLoopback || desk.visitors != nil || call.isPerson { return }
        case .owner:
            if call.isOwner { return }
            if call.seat != nil { throw .ownersOnly }
        case .person: if call.isPerson { return }
        // The route checks the user, so that the reply follows its own contract.
        case .user: return
        }
        throw desk.visitors == nil || access == .owner ? .tokenNeeded : .nameNeeded
    }

    private static func route(for call: HTTPCall) throws(HTTPProblem) -> (Route, [String: String]) {
        for route in routes(at: call.path) where route.method == call.method {
            if let values = route.values(of: call.path) { return (route, values) }
        }
        let methods = methods(at: call.path)
        throw methods.isEmpty ? nothingThere : .wrongMethod(allowed: methods)
    }

    /// The routes of the matching pattern with the fewest names: `/v1/events/nearests` is no event.
    private static func routes(at path: [String]) -> [Route] {
        guard let first = routes.first(where: { $0.values(of: path) != nil }) else { return [] }
        return routes.filter { $0.pieces == first.pieces }
    }

    private static func options(at path: [String]) throws(HTTPProblem) -> HTTPReply {
        let methods = methods(at: path)
        guard !methods.isEmpty else { throw nothingThere }
        return HTTPReply(204, headers: ["allow": methods.joined(separator: ", ")])
    }

    /// - Parameter path: empty for the whole server.
    private static func methods(at path: [String]) -> [String] {
        let fitting = path.isEmpty ? routes : routes(at: path)
        guard !fitting.isEmpty else { return [] }
        let own = Set(fitting.map(\.method.rawValue))
        return own.union(own.contains("GET") ? ["HEAD", "OPTIONS"] : ["OPTIONS"]).sorted()
    }

    private static let nothingThere = HTTPProblem.notFound(
        "Nothing is here. /v1/openapi.json lists all addresses.")

    /// Replies 304 if the client has the current version already (RFC 9110, section 13).
    private static func conditional(_ reply: HTTPReply, _ call: HTTPCall) -> HTTPReply {
        guard call.method.isSafe, reply.status == 200 else { return reply }
        var reply = reply
        switch reply.body {
        case .bytes(let bytes): reply.headers["etag"] = EntityTag.text(bytes)
        case .file(let file): reply.headers["etag"] = file.tag
        case .pieces: break
        case .stream: return reply
        }
        if reply.headers["cache-control"] == nil { reply.headers["cache-control"] = "no-cache" }
        guard let tag = reply.headers["etag"], EntityTag.matches(tag, call.headers["if-none-match"]) else {
            return reply
        }
        reply.status = 304
        reply.body = .bytes([])
        reply.type = nil
        return reply
    }
}

extension Route {
    fileprivate var namesCount: Int {
        pieces.count { if case .value = $0 { true } else { false } }
    }
}
