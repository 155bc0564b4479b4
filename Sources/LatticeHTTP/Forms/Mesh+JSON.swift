import LatticeAPI
import LatticeCore

extension Message {
    var json: JSON {
        [
            "id": .text(record.hex), "room": .text(room.text),
            "from": ["id": .text(from.hex), "short": .text(from.short), "name": .text(name.text)],
            "text": .text(text), "style": .text(style.rawValue), "at": at.json, "hops": .integer(hops),
            "late": .flag(isLate), "private": .flag(isPrivate), "notice": .flag(isNotice),
        ]
    }

    static let schema = Schema.object(
        ("id", Schema.id), ("room", Schema.text),
        ("from", Schema.object(("id", Schema.id), ("short", Schema.text), ("name", Schema.text))),
        ("text", Schema.text), ("style", Schema.one(of: "says", "acts")), ("at", Schema.date),
        ("hops?", Schema.integer), ("late", Schema.flag), ("private", Schema.flag),
        ("notice", Schema.flag))
}

extension PrivateMessage {
    var json: JSON {
        [
            "number": .integer(Int(number)),
            "peer": ["id": .text(peer.hex), "short": .text(peer.short), "name": .text(peerName?.text)],
            "mine": .flag(isMine), "text": .text(text), "style": .text(style.rawValue), "at": at.json,
            "late": .flag(isLate), "notice": .flag(isNotice), "state": .text(state.rawValue),
        ]
    }
}

extension PrivateProgress {
    var json: JSON {
        ["number": .integer(Int(number)), "peer": .text(peer.hex), "state": .text(state.rawValue)]
    }
}

extension PeerState {
    var word: String {
        switch self {
        case .notConnected: "not_connected"
        case .connecting: "connecting"
        case .connected: "connected"
        }
    }
}

extension PeerChange {
    var json: JSON {
        [
            "id": .text(id.hex), "short": .text(id.short), "name": .text(name.text), "state": .text(state.word),
            "reason": .text(reason?.words), "rearranged": .flag(isRearranged),
        ]
    }
}

extension PresenceChange {
    var json: JSON {
        [
            "id": .text(id.hex), "short": .text(id.short), "name": .text(name.text), "here": .flag(isHere),
            "rooms": .list(rooms.map { .text($0.text) }), "hops": .integer(hops),
        ]
    }
}

extension PeerInfo {
    var json: JSON {
        [
            "id": .text(id?.hex), "short": .text(id?.short), "name": .text(name), "state": .text(state.word),
            "hops": .integer(hops), "round_trip_ms": .number(roundTrip?.milliseconds),
            "address": .text(address?.description), "source": .text(source?.rawValue), "via": .text(via?.hex),
            "here": .flag(isHere), "rooms": .list(rooms.map { .text($0.text) }), "reason": .text(reason?.words),
            "host": .text(host?.hex),
        ]
    }

    static let schema = Schema.object(
        ("id?", Schema.id), ("short?", Schema.text), ("name", Schema.text),
        ("state", Schema.one(of: "connected", "connecting", "not_connected")), ("hops?", Schema.integer),
        ("round_trip_ms?", Schema.number), ("address?", Schema.text), ("source?", Schema.text), ("via?", Schema.id),
        ("here", Schema.flag), ("rooms", Schema.list(Schema.text)), ("reason?", Schema.text), ("host?", Schema.id))
}

extension Notice {
    var json: JSON { ["code": .text(code), "text": .text(words), "level": .text(level.rawValue)] }
}

extension SyncProgress {
    var json: JSON {
        [
            "caught_up": .flag(isCaughtUp), "fetched": .integer(fetched), "total": .integer(total),
            "peers": .integer(peers),
        ]
    }

    static let schema = Schema.object(
        ("caught_up", Schema.flag), ("fetched", Schema.integer), ("total", Schema.integer), ("peers", Schema.integer))
}

extension SyncStatus {
    var json: JSON {
        [
            "progress": progress?.json, "caught_up_at": caughtUpAt?.json,
            "groups": .list(
                groups.map { group in
                    ["name": .text(group.name), "records": .integer(group.records), "since": group.since?.json]
                }),
            "peers": .list(
                peers.map { peer in
                    [
                        "id": .text(peer.id.hex), "short": .text(peer.id.short), "name": .text(peer.name),
                        "connected": .flag(peer.isConnected), "compared_at": peer.comparedAt?.json,
                        "gained": .integer(peer.gained), "given": .integer(peer.given),
                    ]
                }),
        ]
    }

    static let schema = Schema.object(
        ("progress?", SyncProgress.schema), ("caught_up_at?", Schema.date),
        (
            "groups",
            Schema.list(
                Schema.object(("name", Schema.text), ("records", Schema.integer), ("since?", Schema.date)))
        ),
        (
            "peers",
            Schema.list(
                Schema.object(
                    ("id", Schema.id), ("short", Schema.text), ("name", Schema.text), ("connected", Schema.flag),
                    ("compared_at?", Schema.date), ("gained", Schema.integer), ("given", Schema.integer)))
        ))
}

extension Me {
    var streamJSON: JSON {
        [
            "id": .text(id.hex), "short": .text(id.short), "name": .text(name.text), "mesh": .text(mesh.text),
            "rooms": .list(rooms.map { .text($0.text) }), "private_rooms": .list(privateRooms.map { .text($0.text) }),
            "discovery": .text(discovery),
        ]
    }
}
