import LatticeAPI
import LatticeCore
import LatticeGeo

enum PostRoutes {
    private static let geoJSON = ["application/geo+json": JSONSchema.named("FeatureCollection")]

    private static let newest: [RouteFacts.Parameter] = [
        .init(
            name: "newest", schema: JSONSchema.flag,
            about: "`true` lists the newest first, of those within the radius.")
    ]

    static let all: [Route] = [
        Route(
            .get, "/v1/posts/near", .anybody,
            RouteFacts(
                "postsNear", "Posts near a place, nearest first.", parameters: .seen + newest + .paged,
                JSONSchema.named("ItemPage"), besides: geoJSON)
        ) { desk, call throws(HTTPProblem) in try await near(.posts, desk, call) },
        Route(
            .get, "/v1/events/near", .anybody,
            RouteFacts(
                "eventsNear", "Events near a place, nearest first.", parameters: .seen + newest + .paged,
                JSONSchema.named("ItemPage"), besides: geoJSON)
        ) { desk, call throws(HTTPProblem) in try await near(.events, desk, call) },
        Route(
            .get, "/v1/search", .anybody,
            RouteFacts(
                "search", "Posts, events and places that contain all the words.",
                parameters: [
                    .init(name: "words", schema: JSONSchema.text, about: "The words to search for.", isRequired: true)
                ] + .around + .paged, JSONSchema.named("ItemPage"), besides: geoJSON), search),
        Route(
            .get, "/v1/timeline", .anybody,
            RouteFacts(
                "timeline",
                "Posts and events by you and people you follow, which needs the token, or by one person, as they are read "
                    + "from a place; newest first.",
                parameters: [
                    .init(name: "person", schema: JSONSchema.text, about: "Only posts and events of this person."),
                    .init(
                        name: "photos", schema: JSONSchema.flag,
                        about: "With `person`: only what has a photo that can be seen from there."),
                ] + PhotoRoutes.place + .paged, JSONSchema.named("ItemPage"))
        ) { desk, call throws(HTTPProblem) in
            let author = call.query("person").map { PeerReference($0) }
            guard author != nil || call.isPerson else {
                throw .tokenNeeded("Send the token, or ask for one person's posts, such as person=bob.")
            }
            let request = ListTimeline(
                try call.page(), by: author, onlyPhotos: try call.flag("photos") ?? false, from: try call.centre())
            guard request.author != nil || !request.onlyPhotos else {
                throw .invalid(HTTPProblem.Fault("person", "photos needs a person, such as person=bob"))
            }
            return .json(try await desk.perform(request).json)
        },
        Route(
            .get, "/v1/events", .anybody,
            RouteFacts(
                "events",
                "Events that you announced or go to, which needs the token, or one person: those that are not over by their "
                    + "start, the next one first, and then those that are, the newest first.",
                parameters: [
                    .init(name: "person", schema: JSONSchema.text, about: "Events of this person."),
                    .init(
                        name: "attending", schema: JSONSchema.flag, about: "Those they go to, not those they announced."
                    ),
                ] + .paged, JSONSchema.named("ItemPage"))
        ) { desk, call throws(HTTPProblem) in
            let person = call.query("person").map { PeerReference($0) }
            guard person != nil || call.isPerson else {
                throw .tokenNeeded("Send the token, or ask for one person's events, such as person=bob.")
            }
            let request = ListEvents(
                by: person, isAttending: try call.flag("attending") ?? false, try call.page())
            return .json(try await desk.perform(request).json)
        },
        Route(
            .post, "/v1/posts", .person,
            RouteFacts(
                "post",
                "Posts a message at a place. With `urgent` it goes before everything else: of each person three lines and "
                    + "posts in 24 hours.",
                body: newPost, status: 201, JSONSchema.named("Item")), post),
    ]

    private static func near(
        _ what: NearQuery.What, _ desk: HTTPDesk, _ call: RouteCall
    ) async throws(HTTPProblem) -> HTTPReply {
        let query = NearQuery(
            what, centre: try call.centre(), reader: try call.reader(), radius: try call.radius(),
            within: try call.metres("within"), order: try call.flag("newest") == true ? .newest : nil,
            page: try call.page())
        return list(try await desk.perform(query), call)
    }

    private static let search: Route.Handler = { desk, call throws(HTTPProblem) in
        guard let words = call.query("words"), !words.isEmpty else {
            throw .invalid(HTTPProblem.Fault("words", "give the words to search for, such as words=coffee"))
        }
        let query = SearchQuery(
            words: words, near: try call.centre(), radius: try call.radius(), page: try call.page())
        return list(try await desk.perform(query), call)
    }

    static func list(_ page: ItemPage, _ call: RouteCall) -> HTTPReply {
        guard call.wants("application/geo+json") else { return vary(.json(page.json)) }
        return vary(.json(GeoJSON.collection(page), type: "application/geo+json"))
    }

    private static func vary(_ reply: HTTPReply) -> HTTPReply {
        var reply = reply
        reply.headers["vary"] = "Accept"
        return reply
    }

    static let newPost = JSONSchema.object(
        ("text", JSONSchema.text), ("lat?", JSONSchema.number(-90...90)), ("lon?", JSONSchema.number(-180...180)),
        ("place_name?", JSONSchema.text), ("lifetime_seconds?", JSONSchema.number(60...31_536_000)),
        ("blur?", JSONSchema.integer(1...12)), ("urgent?", JSONSchema.flag), ("at_place?", JSONSchema.id),
        ("unlock_metres?", JSONSchema.integer(5...100_000)), ("photo?", PhotoBody.schema))

    private struct Body: Decodable {
        let text: String
        let lat: Double?
        let lon: Double?
        let placeName: String?
        let lifetimeSeconds: Double?
        let blur: WholeNumber?
        let urgent: Bool?
        let photo: PhotoBody?
        let atPlace: RecordID?
        let unlockMetres: WholeNumber?
    }

    private static let post: Route.Handler = { desk, call throws(HTTPProblem) in
        let item = try await desk.perform(try newPost(call))
        return .made(item.json, at: "/v1/items/\(item.id.hex)")
    }

    static func newPost(_ call: RouteCall) throws(HTTPProblem) -> NewPost {
        let body = try call.body(Body.self)
        var lifetime: Duration?
        if let seconds = body.lifetimeSeconds {
            guard (60...31_536_000).contains(seconds) else {
                throw .invalid(
                    HTTPProblem.Fault("lifetime_seconds", "lifetime_seconds must be from 60 to 31536000"))
            }
            lifetime = .seconds(seconds)
        }
        return NewPost(
            text: body.text, at: try RouteCall.place(body.lat, body.lon), placeName: body.placeName,
            lifetime: lifetime, blur: body.blur?.value, isUrgent: body.urgent == true,
            photo: try body.photo?.source(), alt: body.photo?.alt, atPlace: body.atPlace,
            unlockMetres: body.unlockMetres?.value)
    }
}

extension [RouteFacts.Parameter] {
    static var around: Self { RouteFacts.Parameter.around }
    static var seen: Self { RouteFacts.Parameter.seen }
    static var paged: Self { RouteFacts.Parameter.paged }
}
