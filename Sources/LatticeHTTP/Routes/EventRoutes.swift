import LatticeAPI
import LatticeCore
import LatticeGeo

/// Events under the contract of Humon (thoughtbot, "iOS on Rails"), so that its clients work. A client with an app
/// token creates events that this node signs, and can change only those.
enum EventRoutes {
    private enum User: Equatable {
        /// A client with the node's token.
        case owner
        case app(Int)
    }

    static let all: [Route] = [
        route(
            .post, "/v1/users", "addUser",
            "Creates a token for an app. The secret is the token of this node; any other one is 404.", status: 201,
            JSONSchema.object(
                ("id", JSONSchema.text), ("auth_token", JSONSchema.text), ("device_token", JSONSchema.text)),
            refusals: [404, 500, 503, 507]
        ) { desk, call throws(EventFault) in
            guard call.isOwner || desk.gate.isToken(call.call.headers["tb-app-secret"]) else { throw .notFound }
            let user = try await told { () async throws(HTTPProblem) in
                try await kept { () async throws(RequestError) in try await desk.users.newUser() }
            }
            guard let user else {
                throw .other(HTTPProblem(503, "tooManyPeople", "This node has given out all its tokens."))
            }
            // Some clients keep `device_token`, others `auth_token`; both send it back in a header.
            return .json(
                ["id": .text("\(user.number)"), "auth_token": .text(user.token), "device_token": .text(user.token)], 201
            )
        },
        route(
            .post, "/v1/events", "addEvent", "Creates an event.", body: bodySchema, status: 201, eventSchema,
            refusals: changeRefusals, add),
        route(
            .get, "/v1/events/nearests", "nearests", "Events within a number of kilometres, nearest first.",
            parameters: [
                .init(name: "lat", schema: JSONSchema.number(-90...90), about: "Degrees.", isRequired: true),
                .init(name: "lon", schema: JSONSchema.number(-180...180), about: "Degrees.", isRequired: true),
                .init(name: "radius", schema: JSONSchema.number(0...), about: radiusFacts),
            ],
            ["oneOf": [JSONSchema.list(eventSchema), JSONSchema.object(("message", JSONSchema.text))]],
            refusals: [401, 422],
            nearests),
        route(.get, "/v1/events/{id}", "event", "One event.", eventSchema, refusals: [401, 404]) {
            desk, call throws(EventFault) in
            try await mayRead(desk, call)
            return .json(await json(try await event(desk, call), desk))
        },
        route(
            .patch, "/v1/events/{id}", "editEvent", "Changes an event that was created with the same token.",
            body: bodySchema, eventSchema, refusals: [404] + changeRefusals, edit),
        route(
            .post, "/v1/attendances", "addAttendance", "Says that you are going to an event.",
            body: JSONSchema.object(("event", JSONSchema.object(("id", JSONSchema.id)))), status: 201,
            JSONSchema.object(("event", eventSchema), ("user", JSONSchema.object(("id", JSONSchema.text)))),
            refusals: [404] + changeRefusals, attend),
    ]

    /// Refusals of routes that store a body.
    private static let changeRefusals = [400, 401, 413, 415, 422, 500, 503, 507]

    private static let eventSchema = JSONSchema.object(
        ("id", JSONSchema.id), ("address?", JSONSchema.text), ("ended_at?", JSONSchema.date),
        ("lat", JSONSchema.number(-90...90)),
        ("lon", JSONSchema.number(-180...180)), ("name", JSONSchema.text), ("started_at", JSONSchema.date),
        ("attendees", JSONSchema.integer), ("owner", JSONSchema.object(("id", JSONSchema.text))))

    private static let bodySchema = JSONSchema.object(
        (
            "event",
            JSONSchema.object(
                ("address?", JSONSchema.text), ("ended_at?", JSONSchema.date), ("lat?", JSONSchema.number(-90...90)),
                ("lon?", JSONSchema.number(-180...180)), ("name?", JSONSchema.text), ("started_at?", JSONSchema.date),
                ("photo?", PhotoBody.schema))
        ))

    private typealias Act = @Sendable (HTTPDesk, RouteCall) async throws(EventFault) -> HTTPReply

    private static func route(
        _ method: HTTPCall.Method, _ pattern: String, _ name: String, _ summary: String,
        parameters: [RouteFacts.Parameter] = [], body: JSON? = nil, status: Int = 200, _ schema: JSON,
        refusals: [Int], _ act: @escaping Act
    ) -> Route {
        let answers =
            [RouteFacts.Answer(status: status, about: summary, schemas: [(type: "application/json", schema: schema)])]
            + refusals.map { status in
                RouteFacts.Answer(
                    status: status, about: HTTPStatusText.text(status),
                    schemas: [(type: "application/json", schema: EventFault.invalidSchema)])
            }
        let facts = RouteFacts(
            name: name, summary: summary, parameters: parameters, body: body, answers: answers)
        return Route(method, pattern, .user, facts) { desk, call throws(HTTPProblem) in
            do throws(EventFault) {
                return try await act(desk, call)
            } catch {
                return error.reply
            }
        }
    }

    // MARK: - Users

    private static func user(_ desk: HTTPDesk, _ call: RouteCall) async throws(EventFault) -> User {
        if call.isOwner { return .owner }
        let headers = call.call.headers
        guard let token = headers["tb-auth-token"] ?? headers["tb-device-token"],
            let number = await desk.users.user(token)
        else { throw .unauthorized }
        return .app(number)
    }

    private static func mayRead(_ desk: HTTPDesk, _ call: RouteCall) async throws(EventFault) {
        if !desk.gate.isLoopback { _ = try await user(desk, call) }
    }

    // MARK: - Events

    private static let add: Act = { desk, call throws(EventFault) in
        let user = try await user(desk, call)
        let draft = try told { () throws(HTTPProblem) in try call.body(EventDraftBody.self) }.draft()
        let item = try await told { () async throws(HTTPProblem) in try await desk.perform(CreateEvent(draft)) }
        if case .app(let number) = user { try await own(item, by: number, desk) }
        var reply = HTTPReply.json(await json(item, desk), 201)
        reply.headers["location"] = "/v1/events/\(item.id.hex)"
        return reply
    }

    /// If the owner of a new event cannot be saved, they could not change it, so it is deleted.
    private static func own(_ item: ItemInfo, by number: Int, _ desk: HTTPDesk) async throws(EventFault) {
        do throws(RequestError) {
            try await desk.users.own(item.id, by: number)
        } catch {
            do {
                _ = try await desk.perform(DeleteItem(ItemReference(item.id.hex)))
            } catch {
                // The store fails as well; what remains is the node's own event.
            }
            throw .other(HTTPProblem(error))
        }
    }

    private static let edit: Act = { desk, call throws(EventFault) in
        let user = try await user(desk, call)
        let item = try await event(desk, call)
        // Other users must not learn that the event exists.
        guard item.isMine else { throw .notFound }
        if case .app(let number) = user, await desk.users.owner(of: item.id) != number { throw .notFound }
        let draft = try told { () throws(HTTPProblem) in
            try call.body(EventDraftBody.self, removable: EventDraftBody.fields)
        }.draft(changing: item)
        let edited = try await told { () async throws(HTTPProblem) in
            try await desk.perform(EditEvent(ItemReference(item.id.hex), draft))
        }
        return .json(await json(edited, desk))
    }

    private static let nearests: Act = { desk, call throws(EventFault) in
        try await mayRead(desk, call)
        let blank = [("lat", "Lat can't be blank"), ("lon", "Lon can't be blank")].filter {
            call.query($0.0)?.isEmpty ?? true
        }
        guard blank.isEmpty else { throw .invalid(blank.map(\.1)) }
        let place = try told { () throws(HTTPProblem) in try call.place() }
        let kilometres = try told { () throws(HTTPProblem) in try call.number("radius") } ?? 5
        guard kilometres >= 0 else { throw .invalid(["Radius must not be negative"]) }
        let radius = min(max(kilometres * 1_000, 1), PostLimit.searchMax)
        var events: [JSON] = []
        var page = PageRequest(limit: PostLimit.pageSizeRange.upperBound)
        repeat {
            let query = NearQuery(.events, centre: place, radius: radius, page: page)
            let found = try await told { () async throws(HTTPProblem) in try await desk.perform(query) }
            for item in found.items { events.append(await json(item, desk)) }
            page.after = found.next
        } while page.after != nil && events.count < nearestsMax
        var reply = HTTPReply.json(events.isEmpty ? ["message": "No Events Found"] : .list(events))
        reply.headers[radiusHeader] = "\(radius / 1_000)"
        return reply
    }

    /// These clients do not know pages.
    private static let nearestsMax = 500
    private static let radiusHeader = "searched-kilometres"
    private static let radiusFacts = {
        let most = Int(PostLimit.searchMax / 1_000)
        return
            "Kilometres; 5 if absent. At most \(most) kilometres are searched; the header \(radiusHeader) says how many were. "
            + "The answer holds the nearest \(nearestsMax) events."
    }()

    private struct Attendance: Decodable {
        struct Event: Decodable {
            let id: String
        }

        let event: Event?
        let eventId: String?
        let id: String?
    }

    private static let attend: Act = { desk, call throws(EventFault) in
        let user = try await user(desk, call)
        let body = try told { () throws(HTTPProblem) in try call.body(Attendance.self) }
        guard let id = body.event?.id ?? body.eventId ?? body.id else { throw .invalid(["Event can't be blank"]) }
        let item = try await told { () async throws(HTTPProblem) in
            try await desk.perform(AttendEvent(try reference(id), true))
        }
        let name =
            switch user {
            case .owner: "owner"
            case .app(let number): "\(number)"
            }
        return .json(["event": await json(item, desk), "user": ["id": .text(name)]], 201)
    }

    private static func event(_ desk: HTTPDesk, _ call: RouteCall) async throws(EventFault) -> ItemInfo {
        let item = try await told { () async throws(HTTPProblem) in
            try await desk.detail(try reference(call.value("id")).text).item
        }
        guard item.kind == .event, item.state == .shown else { throw .notFound }
        return item
    }

    /// Humon uses full ids: invalid ones and prefixes name no event.
    private static func reference(_ id: String) throws(HTTPProblem) -> ItemReference {
        guard Bytes32(hex: id) != nil else { throw .notFound("There is no such event.") }
        return ItemReference(id)
    }

    private static func json(_ item: ItemInfo, _ desk: HTTPDesk) async -> JSON {
        let owner = item.isMine ? await desk.users.owner(of: item.id).map { "\($0)" } : nil
        return [
            "id": .text(item.id.hex), "address": .text(item.placeName), "ended_at": item.ends?.json,
            "lat": .number(item.place?.latitude), "lon": .number(item.place?.longitude),
            "name": .text(item.title), "started_at": item.starts?.json, "attendees": .integer(item.attendees),
            "owner": ["id": .text(owner ?? item.author.hex)],
        ]
    }

    private static func kept<Value>(
        _ act: () async throws(RequestError) -> Value
    ) async throws(HTTPProblem) -> Value {
        do {
            return try await act()
        } catch {
            throw HTTPProblem(error)
        }
    }

    private static func told<Value>(_ act: () throws(HTTPProblem) -> Value) throws(EventFault) -> Value {
        do {
            return try act()
        } catch {
            throw .other(error)
        }
    }

    private static func told<Value>(
        _ act: () async throws(HTTPProblem) -> Value
    ) async throws(EventFault) -> Value {
        do {
            return try await act()
        } catch {
            throw .other(error)
        }
    }
}
