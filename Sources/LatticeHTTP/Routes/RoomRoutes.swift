import LatticeAPI
import LatticeCore

enum RoomRoutes {
    private static let linesUsual = 50
    /// The page shows all rooms at once, and few nodes know more.
    private static let roomsUsual = PostLimit.pageSizeRange.upperBound

    static let all: [Route] = [
        Route(
            .get, "/v1/rooms", .anybody,
            RouteFacts(
                "rooms",
                "Rooms with people in them; yours first, then by name. Yours have what is unread in them and the "
                    + "beginning of their last line.",
                parameters: [
                    .init(
                        name: "limit", schema: JSONSchema.integer(PostLimit.pageSizeRange),
                        about: "Rooms per page; \(roomsUsual) if absent."), .after,
                ], JSONSchema.object(("items", JSONSchema.list(JSONSchema.named("Room"))), ("next?", JSONSchema.text))),
            list),
        Route(
            .put, "/v1/rooms/{name}", .person,
            RouteFacts("join", "Joins a room. Give its name without the #.", JSONSchema.named("Room")), join),
        Route(
            .delete, "/v1/rooms/{name}", .person, RouteFacts("part", "Leaves a room.", JSONSchema.named("Room")), part),
        Route(
            .get, "/v1/rooms/{name}/messages", .anybody,
            RouteFacts(
                "messages", "The latest lines of a room, oldest first.",
                parameters: [
                    .init(name: "before", schema: JSONSchema.id, about: "Only lines before the one with this id."),
                    .init(
                        name: "limit", schema: JSONSchema.integer(PostLimit.pageSizeRange),
                        about: "Lines per page; \(linesUsual) if absent."),
                ],
                JSONSchema.object(("items", JSONSchema.list(JSONSchema.named("Message"))), ("more", JSONSchema.flag))),
            messages),
        Route(
            .post, "/v1/rooms/{name}/messages", .person,
            RouteFacts(
                "say",
                "Sends a line to a room. `reply_to` is the id of the line that it answers. With `urgent` it goes before "
                    + "all other lines: at most three per person in 24 hours.",
                body: JSONSchema.object(
                    ("text", JSONSchema.text), ("style?", JSONSchema.one(of: "says", "acts")),
                    ("notice?", JSONSchema.flag), ("reply_to?", JSONSchema.id), ("urgent?", JSONSchema.flag)),
                status: 201,
                JSONSchema.object(
                    ("id", JSONSchema.id), ("waiting", JSONSchema.flag), ("urgent?", JSONSchema.flag),
                    ("unkept?", JSONSchema.text))),
            say),
    ]

    static let schema = JSONSchema.object(
        ("name", JSONSchema.text), ("private", JSONSchema.flag), ("joined", JSONSchema.flag),
        (
            "people",
            JSONSchema.list(
                JSONSchema.object(
                    ("id", JSONSchema.id), ("short", JSONSchema.text), ("name", JSONSchema.text),
                    ("away?", JSONSchema.text)))
        ), ("unread?", JSONSchema.integer(0...UnreadCount.linesMax)),
        ("mentions?", JSONSchema.integer(0...UnreadCount.linesMax)), ("muted?", JSONSchema.flag),
        (
            "last?",
            JSONSchema.object(
                ("id", JSONSchema.id),
                (
                    "from",
                    JSONSchema.object(("id", JSONSchema.id), ("short", JSONSchema.text), ("name", JSONSchema.text))
                ), ("text", JSONSchema.text), ("style", JSONSchema.one(of: "says", "acts")), ("at", JSONSchema.date),
                ("deleted?", JSONSchema.flag))
        ))

    private static let list: Route.Handler = { desk, call throws(HTTPProblem) in
        let (me, peers) = (try await desk.me(), try await desk.peers())
        var names = me.rooms + me.privateRooms.filter { !me.rooms.contains($0) }
        for room in peers.filter(\.isHere).flatMap(\.rooms) where !names.contains(room) { names.append(room) }
        if !call.isPerson { names.removeAll { me.privateRooms.contains($0) } }
        let own = Set(me.rooms)
        names.sort { (own.contains($0) ? 0 : 1, $0.text) < (own.contains($1) ? 0 : 1, $1.text) }
        let part = try call.part(of: names, usual: roomsUsual) { $0.text }
        let known = call.isPerson ? try await desk.perform(ListRooms()).conversations : []
        let infos = Dictionary(known.map { ($0.conversation, $0) }) { first, _ in first }
        return .json([
            "items": .list(part.items.map { room($0, me, peers, infos[.room($0)]) }), "next": part.next,
        ])
    }

    static func room(_ name: RoomName, _ desk: HTTPDesk) async throws(HTTPProblem) -> JSON {
        room(name, try await desk.me(), try await desk.peers())
    }

    private static func room(
        _ name: RoomName, _ me: Me, _ peers: [PeerInfo], _ info: ConversationInfo? = nil
    ) -> JSON {
        let isJoined = me.rooms.contains(name)
        var people: [JSON] = peers.filter { $0.isHere && $0.rooms.contains(name) }.compactMap { peer in
            peer.id.map {
                ["id": .text($0.hex), "short": .text($0.short), "name": .text(peer.name), "away": .text(peer.away)]
            }
        }
        if isJoined {
            people.insert(
                [
                    "id": .text(me.id.hex), "short": .text(me.id.short), "name": .text(me.name.text),
                    "away": .text(me.away),
                ], at: 0)
        }
        let talk = info.map { info -> [(String, JSON)] in
            [
                ("unread", .integer(info.unread.lines)), ("mentions", .integer(info.unread.mentions)),
                ("muted", .flag(info.isMuted)),
            ] + (info.last?.json.map { [("last", $0)] } ?? [])
        }
        return .object(
            [
                ("name", .text(name.text)), ("private", .flag(me.privateRooms.contains(name))),
                ("joined", .flag(isJoined)), ("people", .list(people)),
            ] + (talk ?? []))
    }

    private static let join: Route.Handler = { desk, call throws(HTTPProblem) in
        let name = try call.room()
        if try await desk.me().privateRooms.contains(name) {
            _ = try await desk.perform(EnterPrivateRoom(name, key: nil))
        } else {
            _ = try await desk.perform(JoinRoom(name))
        }
        if let seat = call.seat { await desk.visitors?.changed(seat, name, isIn: true) }
        return .json(try await room(name, desk))
    }

    private static let part: Route.Handler = { desk, call throws(HTTPProblem) in
        let name = try call.room()
        _ = try await desk.perform(LeaveRoom(name))
        if let seat = call.seat { await desk.visitors?.changed(seat, name, isIn: false) }
        return .json(try await room(name, desk))
    }

    private static let messages: Route.Handler = { desk, call throws(HTTPProblem) in
        let name = try call.room()
        // The same reply as for a room without messages: the existence of a private room is private, too.
        if !call.isPerson, try await desk.me().privateRooms.contains(name) {
            return .json(["items": .list([]), "more": .flag(false)])
        }
        let before = try call.query("before").map { (text) throws(HTTPProblem) in try RouteCall.line(text, "before") }
        let query = HistoryQuery(room: name, limit: try call.limit(or: linesUsual), before: before)
        let page = try await desk.perform(query)
        let lines = call.isPerson ? page.lines : page.lines.filter { !$0.isPrivate }
        return .json(["items": .list(lines.map(\.json)), "more": .flag(page.hasMore)])
    }

    private struct Line: Decodable {
        let text: String
        let style: String?
        let notice: Bool?
        let replyTo: String?
        let urgent: Bool?
    }

    private static let say: Route.Handler = { desk, call throws(HTTPProblem) in
        let (name, line) = (try call.room(), try call.body(Line.self))
        guard let style = SpeechStyle(rawValue: line.style ?? SpeechStyle.says.rawValue) else {
            throw .invalid(HTTPProblem.Fault("style", "style must be says or acts"))
        }
        let replyTo = try line.replyTo.map { (text) throws(HTTPProblem) in try RouteCall.line(text, "reply_to") }
        // The audience is fixed first: if the room changes meanwhile, nothing goes to others.
        let audience: Audience = try await desk.me().privateRooms.contains(name) ? .members : .everybody
        let said = try await desk.perform(
            Say(
                line.text, style: style, room: name, audience: audience, isNotice: line.notice == true,
                replyTo: replyTo, isUrgent: line.urgent == true))
        let unkept =
            said.unkept.map { fault in
                [("unkept", JSON.text(desk.mayShowMachine ? fault.words : "the node cannot store it now"))]
            } ?? []
        let urgent = said.isUrgent ? [("urgent", JSON.flag(true))] : []
        return .made(
            .object(
                [("id", .text(said.record.hex)), ("waiting", .flag(said.isWaiting))]
                    + urgent + unkept),
            at: "/v1/rooms/\(PercentText.encoded(name.text.dropFirst()))/messages")
    }
}

extension LastLine {
    /// - Returns: `nil` for a private message that is not sealed yet.
    fileprivate var json: JSON? {
        guard let record else { return nil }
        let author: JSON = [
            "id": .text(from.hex), "short": .text(from.short), "name": .text(name?.text ?? from.short),
        ]
        return .object(
            [
                ("id", .text(record.hex)), ("from", author), ("text", .text(text)), ("style", .text(style.rawValue)),
                ("at", at.json),
            ] + (isDeleted ? [("deleted", .flag(true))] : []))
    }
}

extension RouteCall {
    func room() throws(HTTPProblem) -> RoomName { try Self.room(value("name")) }

    /// - Parameter text: with or without the `#`.
    static func room(_ text: String, _ field: String = "name") throws(HTTPProblem) -> RoomName {
        do throws(NameError) {
            return try RoomName(text.hasPrefix("#") ? text : "#\(text)")
        } catch {
            throw .invalid(HTTPProblem.Fault(field, error.description))
        }
    }
}
