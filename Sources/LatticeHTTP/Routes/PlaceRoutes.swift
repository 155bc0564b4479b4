import LatticeAPI
import LatticeCore
import LatticeGeo

/// Places that people have named.
enum PlaceRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/places", .anybody,
            RouteFacts(
                "places", "Places that have a name: around a place, nearest first, or the parts of one, newest first.",
                parameters: [
                    .init(name: "part_of", schema: JSONSchema.text, about: "Only parts of this place, by name or id."),
                    .init(name: "kind", schema: JSONSchema.text, about: "Only places of this kind, such as water."),
                    .latitude, .longitude,
                    .init(
                        name: "within", schema: JSONSchema.number(1...PostLimit.searchMax),
                        about: "Nothing farther away, in metres; 100 km if absent."),
                ] + .paged, JSONSchema.named("ItemPage"),
                besides: ["application/geo+json": JSONSchema.named("FeatureCollection")]), list),
        Route(
            .get, "/v1/places/named", .person,
            RouteFacts(
                "placeNamed", "The place that a name means; the nearest, if there are several.",
                parameters: [
                    .init(
                        name: "name", schema: JSONSchema.text, about: "Such as Kitchen or Camp/Kitchen.",
                        isRequired: true)
                ], JSONSchema.named("Item"))
        ) { desk, call throws(HTTPProblem) in
            guard let name = call.query("name"), !name.isEmpty else {
                throw .invalid(HTTPProblem.Fault("name", "give the name of a place, such as name=Kitchen"))
            }
            return .json(try await desk.perform(FindPlace(PlaceReference(name))).json)
        },
        Route(
            .post, "/v1/places", .person,
            RouteFacts(
                "addPlace",
                "Names a place. If there is one within 30 m, or one with such a name within 250 m, the answer is 409 unless "
                    + "`anyway` is true.",
                body: body(isNew: true), status: 201, JSONSchema.named("Item"))
        ) { desk, call throws(HTTPProblem) in
            let body = try call.body(Body.self)
            var draft = try body.draft()
            (draft.partOf, draft.editors) = (
                body.partOf.map { PlaceReference($0) }, body.editors?.map { PeerReference($0) }
            )
            let item = try await desk.perform(CreatePlace(draft, anyway: body.anyway ?? false))
            return .made(item.json, at: "/v1/items/\(item.id.hex)")
        },
        Route(
            .patch, "/v1/places/{id}", .person,
            RouteFacts(
                "editPlace", "Changes a place that you made or may edit; what is left out stays as it is.",
                body: body(isNew: false), JSONSchema.named("Item"))
        ) { desk, call throws(HTTPProblem) in
            let body = try call.body(Body.self)
            guard body.partOf == nil, body.editors == nil else {
                throw .invalid(HTTPProblem.Fault("part_of", "part_of and editors are given when a place is made"))
            }
            return .json(try await desk.perform(EditPlace(ItemReference(call.value("id")), try body.draft())).json)
        },
    ]

    private static func body(isNew: Bool) -> JSON {
        let shared: [(String, JSON)] = [
            (isNew ? "name" : "name?", JSONSchema.text), ("lat?", JSONSchema.number(-90...90)),
            ("lon?", JSONSchema.number(-180...180)), ("kind?", JSONSchema.text), ("hours?", JSONSchema.text),
            ("text?", JSONSchema.text), ("photo?", PhotoBody.schema),
        ]
        let new: [(String, JSON)] = [
            ("part_of?", JSONSchema.text), ("editors?", JSONSchema.list(JSONSchema.text)), ("anyway?", JSONSchema.flag),
        ]
        return JSONSchema.object(isNew ? shared + new : shared)
    }

    private struct Body: Decodable {
        let name: String?
        let lat: Double?
        let lon: Double?
        let kind: String?
        let hours: String?
        let text: String?
        let partOf: String?
        let editors: [String]?
        let photo: PhotoBody?
        let anyway: Bool?

        func draft() throws(HTTPProblem) -> PlaceDraft {
            PlaceDraft(
                name: name, at: try RouteCall.place(lat, lon), category: kind, hours: hours, text: text,
                photo: try photo?.source(), alt: photo?.alt)
        }
    }

    private static let list: Route.Handler = { desk, call throws(HTTPProblem) in
        let query = ListPlaces(
            partOf: call.query("part_of").map { PlaceReference($0) }, category: call.query("kind"),
            centre: try call.centre(), within: try call.metres("within"), page: try call.page())
        return PostRoutes.list(try await desk.perform(query), call)
    }
}
