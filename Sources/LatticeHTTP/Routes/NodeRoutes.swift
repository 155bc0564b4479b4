import LatticeAPI
import LatticeCore

/// This node and other peers.
enum NodeRoutes {
    static let all: [Route] = [
        Route(.get, "/v1/me", .anybody, RouteFacts("me", "This node, and what you may do here.", schema), me),
        Route(
            .get, "/v1/peers", .anybody,
            RouteFacts(
                "peers", "All known peers of the mesh.", JSONSchema.object(("items", JSONSchema.list(PeerInfo.schema)))),
            peers),
        Route(
            .get, "/v1/graph", .anybody,
            RouteFacts(
                "graph",
                "Machines and the links between them, as far as they are known here. `people` are visitors of a machine.",
                MeshGraph.schema)
        ) { desk, call throws(HTTPProblem) in
            let (me, peers) = (try await desk.me(), try await desk.peers())
            return .json(MeshGraph(me, isVisitor: call.seat != nil, peers).json)
        },
        Route(
            .get, "/v1/sync", .anybody,
            RouteFacts("sync", "The state of synchronization with other nodes.", SyncStatus.schema), sync),
        Route(
            .post, "/v1/sync", .owner,
            RouteFacts(
                name: "syncNow", summary: "Synchronizes with every neighbour now. The stream reports progress.",
                answers: [.init(status: 202, about: "Synchronization has started.", schemas: [])]),
            syncNow),
    ]

    private static let schema = JSONSchema.object(
        ("id", JSONSchema.id), ("short", JSONSchema.text), ("name", JSONSchema.text), ("mesh", JSONSchema.text),
        ("rooms", JSONSchema.list(JSONSchema.text)), ("private_rooms?", JSONSchema.list(JSONSchema.text)),
        ("discovery", JSONSchema.text), ("away?", JSONSchema.text), ("writable", JSONSchema.flag),
        (
            "limits",
            JSONSchema.object(
                ("text_clusters", JSONSchema.integer), ("radius_choices", JSONSchema.list(JSONSchema.number)),
                ("search_max", JSONSchema.number))
        ),
        (
            "basemap?",
            JSONSchema.object(
                ("minzoom", JSONSchema.integer), ("maxzoom", JSONSchema.integer), ("attribution?", JSONSchema.text))
        ))

    private static let me: Route.Handler = { desk, call throws(HTTPProblem) in
        let me = try await desk.me()
        let rooms = call.isPerson ? me.rooms : me.rooms.filter { !me.privateRooms.contains($0) }
        let (map, defaults) = (desk.settings.baseMap?.facts, await defaults(desk))
        return .json([
            "id": .text(me.id.hex), "short": .text(me.id.short), "name": .text(me.name.text),
            "mesh": .text(me.mesh.text), "rooms": .list(rooms.map { .text($0.text) }),
            "private_rooms": call.isPerson ? .list(me.privateRooms.map { .text($0.text) }) : nil,
            "discovery": .text(me.discovery), "away": .text(me.away), "writable": .flag(call.isPerson),
            "limits": [
                "text_clusters": .integer(defaults.textClusters),
                "radius_choices": .list(defaults.radiusChoices.map { .number($0) }),
                "search_max": .number(PostLimit.searchMax),
            ],
            "basemap": map.map { facts in
                [
                    "minzoom": .integer(facts.zooms.lowerBound), "maxzoom": .integer(facts.zooms.upperBound),
                    "attribution": .text(facts.attribution),
                ]
            },
        ])
    }

    /// A node without a store has no card of the mesh.
    private static func defaults(_ desk: HTTPDesk) async -> MeshDefaults {
        do {
            return try await desk.perform(ShowMeshCard()).defaults
        } catch {
            return MeshDefaults(textClusters: desk.settings.textClusters)
        }
    }

    private static let peers: Route.Handler = { desk, _ throws(HTTPProblem) in
        let peers = try await desk.peers()
        // Where machines are is for the owner, where others come to the page.
        return .json(["items": .list(peers.map { desk.mayShowMachine ? $0.json : $0.jsonWithoutAddress })])
    }

    private static let sync: Route.Handler = { desk, _ throws(HTTPProblem) in
        .json(try await desk.perform(ShowSyncStatus()).json)
    }

    private static let syncNow: Route.Handler = { desk, _ throws(HTTPProblem) in
        _ = try await desk.perform(SyncNow())
        return HTTPReply(202)
    }
}
