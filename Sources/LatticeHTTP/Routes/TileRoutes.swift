enum TileRoutes {
    static let all: [Route] = [
        Route(
            .get, "/tiles/{zoom}/{column}/{row}", .anybody,
            RouteFacts(
                name: "tile", summary: "A tile of the base map.",
                answers: [
                    .init(
                        status: 200, about: "The tile, as it is in the file.",
                        schemas: [
                            (type: "image/png", schema: JSONSchema.text), (type: "image/jpeg", schema: JSONSchema.text),
                        ])
                ])
        ) { desk, call throws(HTTPProblem) in
            guard let map = desk.settings.baseMap, let facts = map.facts else {
                throw .notFound("This node has no base map. 'lattice map add FILE' adds one.")
            }
            guard let zoom = Int(call.value("zoom")), facts.zooms.contains(zoom), (0...30).contains(zoom),
                let column = Int(call.value("column")), let row = Int(call.value("row")),
                (0..<1 << zoom).contains(column), (0..<1 << zoom).contains(row)
            else { throw .notFound("The base map has no such tile.") }
            let tile: Tile?
            do {
                tile = try map.tile(zoom: zoom, column: column, row: row)
            } catch {
                throw HTTPProblem(500, "fileFailed", "The base map cannot be read: \(error).")
            }
            guard let tile else { throw .notFound("The base map has no such tile.") }
            return HTTPReply(
                200, type: tile.type, headers: ["cache-control": "private, max-age=86400"], body: .bytes(tile.bytes))
        }
    ]
}
