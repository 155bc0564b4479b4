import LatticeAPI
import LatticeCore

/// Who this is, and who else is there.
enum StandingRoutes {
    static let all: [Route] = [
        Route(.get, "/v1/me", .anybody, RouteFacts("me", "Who this is, and what may be done here.", schema), me),
        Route(
            .get, "/v1/peers", .anybody,
            RouteFacts("peers", "Everybody known in the mesh.", Schema.object(("items", Schema.list(PeerInfo.schema)))),
            peers),
        Route(.get, "/v1/graph", .anybody, RouteFacts("graph", "Who is linked with whom.", graphSchema), graph),
        Route(
            .get, "/v1/sync", .anybody,
            RouteFacts("sync", "What is missing here, and what was compared with whom.", SyncStatus.schema), sync),
        Route(
            .post, "/v1/sync", .owner,
            RouteFacts(
                name: "syncNow", summary: "Compares with every neighbour now; the stream tells what comes of it.",
                answers: [.init(status: 202, about: "It has begun.", schemas: [])]),
            syncNow),
    ]

    private static let schema = Schema.object(
        ("id", Schema.id), ("short", Schema.text), ("name", Schema.text), ("mesh", Schema.text),
        ("rooms", Schema.list(Schema.text)), ("private_rooms?", Schema.list(Schema.text)),
        ("discovery", Schema.text), ("writable", Schema.flag),
        (
            "limits",
            Schema.object(
                ("text_clusters", Schema.integer), ("radius_choices", Schema.list(Schema.number)),
                ("search_max", Schema.number))
        ),
        (
            "basemap?",
            Schema.object(("minzoom", Schema.integer), ("maxzoom", Schema.integer), ("attribution?", Schema.text))
        ))

    private static let me: Route.Handler = { desk, call throws(HTTPProblem) in
        let me = try await desk.me()
        let rooms = call.isOwner ? me.rooms : me.rooms.filter { !me.privateRooms.contains($0) }
        let map = desk.settings.baseMap?.facts
        return .json([
            "id": .text(me.id.hex), "short": .text(me.id.short), "name": .text(me.name.text),
            "mesh": .text(me.mesh.text), "rooms": .list(rooms.map { .text($0.text) }),
            "private_rooms": call.isOwner ? .list(me.privateRooms.map { .text($0.text) }) : nil,
            "discovery": .text(me.discovery), "writable": .flag(call.isOwner),
            "limits": [
                "text_clusters": .integer(desk.settings.textClusters),
                "radius_choices": .list(WallLimit.radiusChoices.map { .number($0) }),
                "search_max": .number(WallLimit.searchMax),
            ],
            "basemap": map.map { facts in
                [
                    "minzoom": .integer(facts.zooms.lowerBound), "maxzoom": .integer(facts.zooms.upperBound),
                    "attribution": .text(facts.attribution),
                ]
            },
        ])
    }

    private static let peers: Route.Handler = { desk, _ throws(HTTPProblem) in
        .json(["items": .list(try await desk.peers().map(\.json))])
    }

    private static let sync: Route.Handler = { desk, _ throws(HTTPProblem) in
        let status: SyncStatus = try await desk.ask(.syncStatus) { answer in
            if case .syncStatus(let status) = answer { status } else { nil }
        }
        return .json(status.json)
    }

    private static let syncNow: Route.Handler = { desk, _ throws(HTTPProblem) in
        try await desk.done(.sync)
        return HTTPReply(202)
    }

    // MARK: - The graph

    private static let graphSchema = Schema.object(
        (
            "nodes",
            Schema.list(
                Schema.object(
                    ("id", Schema.id), ("short", Schema.text), ("name", Schema.text), ("me", Schema.flag),
                    ("here", Schema.flag), ("hops?", Schema.integer)))
        ),
        (
            "links",
            Schema.list(Schema.object(("a", Schema.id), ("b", Schema.id), ("round_trip_ms?", Schema.number)))
        ))

    /// Links of others are known where one leads to somebody two links away, and where somebody speaks through another's node.
    private static let graph: Route.Handler = { desk, _ throws(HTTPProblem) in
        let (me, peers) = (try await desk.me(), try await desk.peers())
        var nodes: [JSON] = [
            [
                "id": .text(me.id.hex), "short": .text(me.id.short), "name": .text(me.name.text), "me": true,
                "here": true, "hops": 0,
            ]
        ]
        var links: [JSON] = []
        for peer in peers {
            guard let id = peer.id, peer.isHere || peer.state != .notConnected else { continue }
            nodes.append([
                "id": .text(id.hex), "short": .text(id.short), "name": .text(peer.name), "me": false,
                "here": .flag(peer.isHere), "hops": .integer(peer.hops),
            ])
            if let other = neighbour(of: peer, me: me.id) {
                links.append([
                    "a": .text(other.hex), "b": .text(id.hex),
                    "round_trip_ms": other == me.id ? .number(peer.roundTrip?.milliseconds) : nil,
                ])
            }
        }
        return .json(["nodes": .list(nodes), "links": .list(links)])
    }

    private static func neighbour(of peer: PeerInfo, me: PeerID) -> PeerID? {
        if let host = peer.host { return host }
        if peer.state == .connected || peer.hops == 0 { return me }
        return peer.hops == 2 ? peer.via : nil
    }
}
