import LatticeAPI
import LatticeCore
import LatticeGeo

/// Base maps that are kept on this node's machine, and those that people share.
enum MapRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/maps", .person,
            RouteFacts(
                "maps", "The base maps of this node. `shared` has those of others that are not kept here.",
                JSONSchema.object(("items", JSONSchema.list(schema)), ("shared", JSONSchema.list(FileInfo.schema))))
        ) { desk, _ throws(HTTPProblem) in
            let maps = try await desk.perform(ListMaps())
            return .json([
                "items": .list(maps.kept.map(\.json)), "shared": .list(maps.shared.map(\.json)),
            ])
        },
        Route(
            .post, "/v1/maps", .owner,
            RouteFacts(
                "getMap",
                "Fetches a map that somebody shared, as `fetch` of a file does, and keeps it. When it is here, it stands in the list.",
                body: JSONSchema.object(("file", JSONSchema.id)), status: 202, FileInfo.schema)
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(GetMap(try call.body(Wanted.self).file)).json, 202)
        },
        Route(
            .delete, "/v1/maps/{map}", .owner,
            RouteFacts("removeMap", "Removes a base map from this machine.", schema)
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(RemoveMap(call.value("map"))).json)
        },
    ]

    private struct Wanted: Decodable {
        let file: String
    }

    private static let schema = JSONSchema.object(
        ("name", JSONSchema.text), ("size", JSONSchema.integer), ("title?", JSONSchema.text),
        ("bounds?", JSONSchema.list(JSONSchema.number)), ("minzoom?", JSONSchema.integer),
        ("maxzoom?", JSONSchema.integer), ("attribution?", JSONSchema.text), ("problem?", JSONSchema.text))
}

extension BaseMapInfo {
    fileprivate var json: JSON {
        var fields: [(String, JSON)] = [("name", .text(name)), ("size", .integer(Int(size)))]
        if let title { fields.append(("title", .text(title))) }
        if let bounds { fields.append(("bounds", .list(bounds.degrees.map { .number($0) }))) }
        if let minZoom { fields.append(("minzoom", .integer(minZoom))) }
        if let maxZoom { fields.append(("maxzoom", .integer(maxZoom))) }
        if let attribution { fields.append(("attribution", .text(attribution))) }
        if let problem { fields.append(("problem", .text(problem))) }
        return .object(fields)
    }
}
