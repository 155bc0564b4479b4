import LatticeAPI
import LatticeCore
import LatticeGeo

/// The API as an OpenAPI 3.1 document, generated from the routes.
enum OpenAPIDocument {
    static let routes: [Route] = [
        Route(
            .get, "/v1/openapi.json", .anybody,
            RouteFacts("openapi", "This document.", ["type": "object"])
        ) { desk, _ throws(HTTPProblem) in .json(document(version: desk.settings.version)) }
    ]

    static func document(version: String) -> JSON {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "lattice", "version": .text(version),
                "summary": "Posts at places, rooms and people in a mesh on the local network.",
            ],
            "servers": [["url": "/"]], "paths": paths,
            "components": [
                "schemas": .object(schemas),
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer"],
                    "visitor": ["type": "apiKey", "in": "cookie", "name": "lattice-visitor"],
                    "app": ["type": "apiKey", "in": "header", "name": "tb-auth-token"],
                    "secret": ["type": "apiKey", "in": "header", "name": "tb-app-secret"],
                ],
            ],
        ]
    }

    private static let schemas: [(String, JSON)] = [
        ("Item", ItemInfo.schema), ("ItemPage", ItemPage.schema), ("ItemDetail", ItemDetail.schema),
        ("Draft", DraftInfo.schema),
        ("Notification", NotificationInfo.schema), ("FoundLine", FoundLine.schema), ("Person", PersonInfo.schema),
        ("Place", Coordinate.schema),
        ("Message", Message.schema), ("PrivateMessage", PrivateMessage.schema), ("Room", RoomRoutes.schema),
        ("Unread", UnreadCount.schema),
        ("FeatureCollection", GeoJSON.schema),
        (
            "Problem",
            JSONSchema.object(
                ("type", JSONSchema.text), ("title", JSONSchema.text), ("status", JSONSchema.integer),
                ("detail", JSONSchema.text),
                ("code", JSONSchema.text),
                (
                    "errors?",
                    JSONSchema.list(JSONSchema.object(("field", JSONSchema.text), ("reason", JSONSchema.text)))
                ),
                ("similar?", JSONSchema.list(SimilarPlace.schema))
            )
        ),
    ]

    private static var paths: JSON {
        var paths: [(String, [(String, JSON)])] = []
        for route in Router.routes.sorted(by: { $0.pattern < $1.pattern }) where route.about.isTold {
            let operation = (route.method.rawValue.lowercased(), operation(route))
            if paths.last?.0 == route.pattern {
                paths[paths.count - 1].1.append(operation)
            } else {
                paths.append((route.pattern, [operation]))
            }
        }
        return .object(paths.map { ($0.0, .object($0.1)) })
    }

    private static func operation(_ route: Route) -> JSON {
        let names = route.pieces.compactMap { piece -> JSON? in
            guard case .value(let name) = piece else { return nil }
            return ["name": .text(name), "in": "path", "required": true, "schema": JSONSchema.text]
        }
        let parameters = route.about.parameters.map { parameter -> JSON in
            [
                "name": .text(parameter.name), "in": "query", "required": .flag(parameter.isRequired),
                "description": .text(parameter.about), "schema": parameter.schema,
            ]
        }
        return [
            "operationId": .text(route.about.name), "summary": .text(route.about.summary),
            "parameters": names.isEmpty && parameters.isEmpty ? nil : .list(names + parameters),
            "requestBody": body(of: route),
            "responses": .object(route.about.answers.map { answer($0, route) } + refusals(route)),
            "security": security(route),
        ]
    }

    private static func body(of route: Route) -> JSON? {
        if route.checkBeforeFile != nil {
            return ["required": true, "content": ["application/octet-stream": ["schema": [:]]]]
        }
        return route.about.body.map { ["required": true, "content": ["application/json": ["schema": $0]]] }
    }

    private static func answer(_ answer: RouteFacts.Answer, _ route: Route) -> (String, JSON) {
        var content = answer.schemas.map { type, schema -> (String, JSON) in (type, ["schema": schema]) }
        // The server rejects some requests before the route sees them.
        if route.access == .user, answer.status >= 400 { content.append(problem) }
        return (
            "\(answer.status)",
            ["description": .text(answer.about), "content": content.isEmpty ? nil : .object(content)]
        )
    }

    private static let problem: (String, JSON) = ("application/problem+json", ["schema": JSONSchema.named("Problem")])

    private static func refusals(_ route: Route) -> [(String, JSON)] {
        var content = [problem]
        if route.access == .user { content.append(("application/json", ["schema": EventFault.invalidSchema])) }
        let wait: JSON = [
            "description": "Seconds to wait before the next request.", "required": true,
            "schema": JSONSchema.integer(1...600),
        ]
        let tooMany: JSON = [
            "description": "Too many requests. Wait, then try again.", "headers": ["Retry-After": wait],
            "content": .object([problem]),
        ]
        return [
            ("429", tooMany),
            ("default", ["description": "The request was refused; `detail` says why.", "content": .object(content)]),
        ]
    }

    private static func security(_ route: Route) -> JSON {
        switch route.access {
        case .everybody: []
        // On this machine the token is optional.
        case .anybody: [[:], ["token": []]]
        case .owner: [["token": []]]
        case .person: [["token": []], ["visitor": []]]
        // For safe methods, as `anybody`.
        case .user where route.method.isSafe: [[:], ["token": []], ["app": []]]
        case .user: [["token": []], ["app": []], ["secret": []]]
        }
    }
}
