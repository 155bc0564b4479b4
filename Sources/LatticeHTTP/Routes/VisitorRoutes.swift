import LatticeAPI
import LatticeCore

/// People who write through this node from their browsers: coming, coming back, signing out; and the owner's list of them.
enum VisitorRoutes {
    private static let personSchema = JSONSchema.object(
        ("id", JSONSchema.id), ("short", JSONSchema.text), ("name", JSONSchema.text))

    private static let welcomeSchema = JSONSchema.object(("you", personSchema), ("code?", JSONSchema.text))

    private struct Name: Decodable {
        let name: String
    }

    private struct Return: Decodable {
        let code: String?
        let name: String?
        let password: String?

        func proof() throws(HTTPProblem) -> VisitorProof {
            switch (code, name, password) {
            case (let code?, nil, nil): return .code(code)
            case (nil, let name?, let password?): return .password(TypedKey(password), name: name)
            default: throw .invalid(HTTPProblem.Fault("code", "give either code, or name and password"))
            }
        }
    }

    private struct KeyOfOwn: Decodable {
        let name: String?
        let key: String
        let passphrase: String
    }

    private struct Passphrase: Decodable {
        let passphrase: String
    }

    private struct Password: Decodable {
        let password: String
    }

    static let all: [Route] = [
        Route(
            .get, "/v1/visit", .everybody,
            RouteFacts(
                "visit", "Whether people can come to this node with a browser, and who you are here.",
                JSONSchema.object(
                    ("open", JSONSchema.flag), ("owner", JSONSchema.flag), ("mesh?", JSONSchema.text),
                    ("host?", JSONSchema.text), ("people?", JSONSchema.integer), ("you?", personSchema))), show),
        Route(
            .post, "/v1/visit", .everybody,
            RouteFacts(
                "come",
                "Comes to this node under a name, with keys of your own. The answer sets a cookie that signs the browser in, and has a "
                    + "recovery code for other browsers. If somebody has the name, `errors` proposes others.",
                body: JSONSchema.object(("name", JSONSchema.text)), status: 201, welcomeSchema), come),
        Route(
            .get, "/v1/visit/name", .everybody,
            RouteFacts(
                "nameIsFree", "Whether you could come under a name, and otherwise which are free.",
                parameters: [.init(name: "name", schema: JSONSchema.text, about: "The name.", isRequired: true)],
                JSONSchema.object(("free", JSONSchema.flag), ("proposals", JSONSchema.list(JSONSchema.text)))), check),
        Route(
            .post, "/v1/visit/return", .everybody,
            RouteFacts(
                "comeBack",
                "Signs another browser in with a recovery code, or with a name and a password. After five wrong tries, wait ten minutes.",
                body: JSONSchema.object(
                    ("code?", JSONSchema.text), ("name?", JSONSchema.text), ("password?", JSONSchema.text)),
                welcomeSchema), comeBack),
        Route(
            .post, "/v1/visit/import", .everybody,
            RouteFacts(
                "comeWithKey",
                "Comes to this node with the key of another one: the text of a key file, and its passphrase. Whose key is here "
                    + "already is signed in; `name` is for everybody else.",
                body: JSONSchema.object(
                    ("name?", JSONSchema.text), ("key", JSONSchema.text), ("passphrase", JSONSchema.text)),
                status: 201, welcomeSchema), comeWithKey),
        Route(
            .post, "/v1/visit/key", .person,
            RouteFacts(
                "takeKey",
                "Your key as a key file under a passphrase of 8 bytes or more, for 'lattice id import' or another node.",
                body: JSONSchema.object(("passphrase", JSONSchema.text)),
                JSONSchema.object(("name", JSONSchema.text), ("key", JSONSchema.text))), takeKey),
        Route(
            .put, "/v1/visit/password", .person,
            RouteFacts(
                name: "setPassword",
                summary: "Sets a password of 8 bytes or more, once. The recovery code stays valid.",
                body: JSONSchema.object(("password", JSONSchema.text)),
                answers: [.init(status: 204, about: "It is set.", schemas: [])]), setPassword),
        Route(
            .put, "/v1/visit/code", .person,
            RouteFacts(
                "newCode", "Makes a new recovery code. The old one opens nothing any more.",
                JSONSchema.object(("code", JSONSchema.text))), newCode),
        Route(
            .delete, "/v1/visit", .everybody,
            RouteFacts(
                name: "signOut", summary: "Signs this browser out.",
                answers: [.init(status: 204, about: "It is signed out.", schemas: [])]), signOut),
        Route(
            .get, "/v1/visitors", .owner,
            RouteFacts(
                "visitors", "Everybody who writes through this node from a browser.",
                JSONSchema.object(
                    ("max", JSONSchema.integer), ("link?", PageLink.schema),
                    (
                        "items",
                        JSONSchema.list(
                            JSONSchema.object(
                                ("id", JSONSchema.id), ("name", JSONSchema.text), ("since", JSONSchema.date),
                                ("seen", JSONSchema.date), ("here", JSONSchema.flag)))
                    ))), list),
        Route(
            .delete, "/v1/visitors/{id}", .owner,
            RouteFacts(
                name: "removeVisitor", summary: "Signs somebody out everywhere. What they said stays theirs.",
                answers: [.init(status: 204, about: "They are signed out.", schemas: [])]), remove),
    ]

    private static func visitors(_ desk: HTTPDesk) throws(HTTPProblem) -> VisitorDesk {
        guard let visitors = desk.visitors else {
            throw HTTPProblem(403, "noVisitors", "Only the owner writes here. 'lattice run --visitors' lets others in.")
        }
        return visitors
    }

    private static func name(_ text: String) throws(HTTPProblem) -> PeerName {
        do throws(NameError) {
            return try PeerName(text)
        } catch {
            throw .invalid(HTTPProblem.Fault("name", error.description))
        }
    }

    private static let show: Route.Handler = { desk, call throws(HTTPProblem) in
        let isOpen = desk.visitors != nil
        var fields: [(String, JSON)] = [("open", .flag(isOpen)), ("owner", .flag(call.isOwner))]
        // Without visitors, a caller without the token learns nothing about the node.
        guard isOpen || call.isPerson else { return .json(.object(fields)) }
        let me = try await desk.me()
        fields += [
            ("mesh", .text(me.mesh.text)), ("host", .text(desk.settings.machine ?? me.name.text)),
            ("people", .integer(try await desk.peers().count { $0.isHere } + 1)),
        ]
        if call.isPerson { fields.append(("you", me.person)) }
        return .json(.object(fields))
    }

    private static let come: Route.Handler = { desk, call throws(HTTPProblem) in
        let visitors = try visitors(desk)
        guard !call.isPerson else {
            throw HTTPProblem(409, "alreadyHere", "You are here already. Sign out first to come under another name.")
        }
        let name = try name(try call.body(Name.self).name)
        let welcome = try await visitors.come(as: name, from: call.call.address)
        return try await reply(welcome, 201, isSecure: desk.isSecure)
    }

    private static let comeBack: Route.Handler = { desk, call throws(HTTPProblem) in
        let visitors = try visitors(desk)
        let proof = try call.body(Return.self).proof()
        let welcome = try await visitors.comeBack(proof, from: call.call.address)
        return try await reply(welcome, 200, isSecure: desk.isSecure)
    }

    private static let comeWithKey: Route.Handler = { desk, call throws(HTTPProblem) in
        let visitors = try visitors(desk)
        try checkSecrecy(of: call, desk)
        let given = try call.body(KeyOfOwn.self)
        let key = VisitorKey(file: Array(given.key.utf8), passphrase: TypedKey(given.passphrase))
        let name: PeerName? = if let text = given.name { try VisitorRoutes.name(text) } else { nil }
        let welcome = try await visitors.come(with: key, as: name, from: call.call.address)
        return try await reply(welcome, 201, isSecure: desk.isSecure)
    }

    /// Anybody who reads a key on its way can act as that person for ever.
    private static func checkSecrecy(of call: RouteCall, _ desk: HTTPDesk) throws(HTTPProblem) {
        guard desk.isSecure || Gatekeeper.isLoopback(call.call.address) else {
            throw HTTPProblem(
                403, "notEncrypted",
                "A key is only sent encrypted. Ask the people of this camp for an address with https://.")
        }
    }

    private static let takeKey: Route.Handler = { desk, call throws(HTTPProblem) in
        guard let seat = call.seat else {
            throw HTTPProblem(403, "ownersOnly", "The owner's key is the file identity; 'lattice id export' copies it.")
        }
        try checkSecrecy(of: call, desk)
        let passphrase = TypedKey(try call.body(Passphrase.self).passphrase)
        let file = try await visitors(desk).keyFile(of: seat, under: passphrase)
        var reply = HTTPReply.json([
            "name": .text("lattice-\(seat.node.id.short).key"), "key": .text(String(decoding: file, as: UTF8.self)),
        ])
        reply.headers["cache-control"] = "no-store"
        return reply
    }

    private static let setPassword: Route.Handler = { desk, call throws(HTTPProblem) in
        guard let seat = call.seat else {
            throw HTTPProblem(403, "ownersOnly", "The owner has the token instead of a password.")
        }
        let password = TypedKey(try call.body(Password.self).password)
        try await visitors(desk).setPassword(password, for: seat)
        return HTTPReply(204)
    }

    private static func reply(
        _ welcome: VisitorDesk.Welcome, _ status: Int, isSecure: Bool
    ) async throws(HTTPProblem) -> HTTPReply {
        let me: Me
        do throws(RequestError) {
            me = try await welcome.seat.node.perform(ShowMe())
        } catch {
            throw HTTPProblem(withoutPaths: error)
        }
        var reply = HTTPReply.json(["you": me.person, "code": .text(welcome.code)], status)
        if status == 201 { reply.headers["location"] = "/v1/visit" }
        reply.headers["set-cookie"] = VisitorCookie.setting(welcome.token, isSecure: isSecure)
        reply.headers["cache-control"] = "no-store"
        return reply
    }

    private static let check: Route.Handler = { desk, call throws(HTTPProblem) in
        let visitors = try visitors(desk)
        guard let text = call.query("name") else {
            throw .invalid(HTTPProblem.Fault("name", "give the name, such as name=Jonna"))
        }
        let proposals = try await visitors.proposals(for: try name(text))
        return .json(["free": .flag(proposals == nil), "proposals": .list((proposals ?? []).map { .text($0) })])
    }

    private static let newCode: Route.Handler = { desk, call throws(HTTPProblem) in
        guard let seat = call.seat else {
            throw HTTPProblem(403, "ownersOnly", "The owner has the token instead of a recovery code.")
        }
        var reply = HTTPReply.json(["code": .text(try await visitors(desk).newCode(for: seat))])
        reply.headers["cache-control"] = "no-store"
        return reply
    }

    private static let signOut: Route.Handler = { desk, call throws(HTTPProblem) in
        if let token = VisitorCookie.token(in: call.call), let visitors = desk.visitors {
            await visitors.signOut(token: token)
        }
        return HTTPReply(204, headers: ["set-cookie": VisitorCookie.removing(isSecure: desk.isSecure)])
    }

    private static let list: Route.Handler = { desk, _ throws(HTTPProblem) in
        let visitors = try visitors(desk)
        let items = await visitors.list().map { one -> JSON in
            [
                "id": .text(one.entry.id), "name": .text(one.entry.name),
                "since": WallTime(milliseconds: one.entry.since).json,
                "seen": WallTime(milliseconds: one.entry.seen).json, "here": .flag(one.isHere),
            ]
        }
        return .json([
            "max": .integer(await visitors.countMax), "link": desk.settings.link()?.json, "items": .list(items),
        ])
    }

    private static let remove: Route.Handler = { desk, call throws(HTTPProblem) in
        try await visitors(desk).remove(id: call.value("id"))
        return HTTPReply(204)
    }
}

extension Me {
    fileprivate var person: JSON { ["id": .text(id.hex), "short": .text(id.short), "name": .text(name.text)] }
}
