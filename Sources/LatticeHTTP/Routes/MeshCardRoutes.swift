import LatticeAPI
import LatticeCore
import LatticeGeo

/// The card of the mesh.
enum MeshCardRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/mesh", .anybody,
            RouteFacts(
                "mesh",
                "The card of the mesh: its name, what its owner says about it, and defaults. Without a card there is no name.",
                MeshCardStatus.schema)
        ) { desk, _ throws(HTTPProblem) in
            .json(try await desk.perform(ShowMeshCard()).json)
        },
        Route(
            .put, "/v1/mesh", .owner,
            RouteFacts(
                "setMesh", "Writes the owner's card of the mesh; parts that are left out are removed.",
                body: JSONSchema.object([("name", JSONSchema.text)] + parts(pin: JSONSchema.text)),
                MeshCardStatus.schema)
        ) { desk, call throws(HTTPProblem) in
            let (draft, remove) = try call.body(Body.self).draft()
            return .json(try await desk.perform(SetMeshCard(draft, remove: remove)).json)
        },
    ]

    fileprivate static func parts(pin: JSON) -> [(String, JSON)] {
        [
            ("description?", JSONSchema.text),
            (
                "area?",
                JSONSchema.object(
                    ("lat", JSONSchema.number(-90...90)), ("lon", JSONSchema.number(-180...180)),
                    ("metres", JSONSchema.integer(MapArea.metresRange)))
            ),
            ("text_length?", JSONSchema.integer(PostLimit.textClustersRange)),
            ("radius_choices?", JSONSchema.list(JSONSchema.integer)), ("pins?", JSONSchema.list(pin)),
            ("welcome?", JSONSchema.text), ("rules?", JSONSchema.text),
        ]
    }

    private struct Body: Decodable {
        struct Area: Decodable {
            let lat: Double
            let lon: Double
            let metres: Int
        }

        let name: String
        let description: String?
        let area: Area?
        let textLength: Int?
        let radiusChoices: [Int]?
        let pins: [String]?
        let welcome: String?
        let rules: String?

        func draft() throws(HTTPProblem) -> (MeshCardDraft, remove: [MeshCardDraft.Part]) {
            var draft = MeshCardDraft()
            (draft.name, draft.about, draft.welcome, draft.rules) = (name, description, welcome, rules)
            (draft.textLength, draft.radiusChoices) = (textLength, radiusChoices)
            draft.pins = pins?.map { PlaceReference($0) }
            if let area, let centre = try RouteCall.place(area.lat, area.lon) {
                draft.area = MapArea(centre, metres: area.metres)
            }
            return (draft, MeshCardDraft.Part.allCases)
        }
    }
}

extension MeshCardStatus {
    static let schema = JSONSchema.object(
        [
            ("signer?", JSONSchema.id), ("signer_name?", JSONSchema.text), ("mine", JSONSchema.flag),
            ("name?", JSONSchema.text), ("at?", JSONSchema.date),
        ]
            + MeshCardRoutes.parts(pin: JSONSchema.object(("id", JSONSchema.id), ("name?", JSONSchema.text))))

    var json: JSON {
        let pins = card?.pins.map { pin -> JSON in ["id": .text(pin.id.hex), "name": .text(pin.name)] }
        return [
            "signer": .text(signer?.hex), "signer_name": .text(card?.authorName), "mine": .flag(isMine),
            "name": .text(card?.name), "at": card?.at.json, "description": .text(card?.about),
            "area": card?.area.map { area in
                [
                    "lat": .number(area.centre.latitude), "lon": .number(area.centre.longitude),
                    "metres": .integer(area.metres),
                ]
            },
            "text_length": .integer(card?.textLength),
            "radius_choices": card?.radiusChoices.map { .list($0.map { .integer($0) }) },
            "pins": pins.map { .list($0) }, "welcome": .text(card?.welcome), "rules": .text(card?.rules),
        ]
    }
}
