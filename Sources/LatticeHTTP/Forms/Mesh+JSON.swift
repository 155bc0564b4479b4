import LatticeAPI
import LatticeCore

extension Message {
    /// Fields that few lines have are left out of the others.
    var json: JSON {
        let author: JSON = ["id": .text(from.hex), "short": .text(from.short), "name": .text(name.text)]
        var fields: [(String, JSON)] = [
            ("id", .text(record.hex)), ("room", .text(room.text)), ("from", author), ("text", .text(text)),
            ("style", .text(style.rawValue)), ("at", at.json), ("late", .flag(isLate)),
            ("private", .flag(isPrivate)), ("notice", .flag(isNotice)),
        ]
        if let hops { fields.append(("hops", .integer(hops))) }
        if let reply { fields.append(("reply", reply.json)) }
        if isUrgent { fields.append(("urgent", .flag(true))) }
        if let via { fields.append(("via", .text(via.rawValue))) }
        if let file { fields.append(("file", .text(file.hex))) }
        if isEdited { fields.append(("edited", .flag(true))) }
        if isDeleted { fields.append(("deleted", .flag(true))) }
        if !reactions.isEmpty { fields.append(("reactions", .list(reactions.map(\.json)))) }
        return .object(fields)
    }

    static let schema = JSONSchema.object(
        ("id", JSONSchema.id), ("room", JSONSchema.text),
        ("from", JSONSchema.object(("id", JSONSchema.id), ("short", JSONSchema.text), ("name", JSONSchema.text))),
        ("text", JSONSchema.text), ("style", JSONSchema.one(of: "says", "acts")), ("at", JSONSchema.date),
        ("hops?", JSONSchema.integer), ("late", JSONSchema.flag), ("private", JSONSchema.flag),
        ("notice", JSONSchema.flag),
        ("reply?", LineReference.schema), ("urgent?", JSONSchema.flag), ("via?", RecordVia.schema),
        ("file?", JSONSchema.id),
        ("edited?", JSONSchema.flag),
        ("deleted?", JSONSchema.flag),
        ("reactions?", LineReaction.schema))
}

extension RecordVia {
    static let schema = JSONSchema.one(of: allCases.map(\.rawValue))
}

extension LineReference {
    fileprivate var json: JSON {
        ["id": .text(record.hex), "from": .text(from?.hex), "name": .text(name?.text), "text": .text(text)]
    }

    fileprivate static let schema = JSONSchema.object(
        ("id", JSONSchema.id), ("from?", JSONSchema.id), ("name?", JSONSchema.text), ("text?", JSONSchema.text))
}

extension LineReaction {
    fileprivate var json: JSON { ["emoji": .text(emoji), "by": .list(by.map { .text($0.hex) })] }

    /// A list of reactions.
    fileprivate static let schema = JSONSchema.list(
        JSONSchema.object(("emoji", JSONSchema.text), ("by", JSONSchema.list(JSONSchema.id))))
}

extension LineChange {
    var json: JSON {
        ["change": .text(kind.rawValue), "by": .text(by.hex), "emoji": .text(emoji), "line": line.json]
    }
}

extension PrivateMessage {
    /// Fields that few messages have are left out of the others.
    var json: JSON {
        let other: JSON = ["id": .text(peer.hex), "short": .text(peer.short), "name": .text(peerName?.text)]
        var fields: [(String, JSON)] = [
            ("number", .integer(Int(number))), ("peer", other), ("mine", .flag(isMine)), ("text", .text(text)),
            ("style", .text(style.rawValue)), ("at", at.json), ("late", .flag(isLate)), ("notice", .flag(isNotice)),
            ("state", .text(state.rawValue)),
        ]
        if let record { fields.append(("id", .text(record.hex))) }
        if let reply { fields.append(("reply", reply.json)) }
        if let file { fields.append(("file", .text(file.hex))) }
        if isFileDelivered { fields.append(("file_delivered", .flag(true))) }
        if isEdited { fields.append(("edited", .flag(true))) }
        if isDeleted { fields.append(("deleted", .flag(true))) }
        if !reactions.isEmpty { fields.append(("reactions", .list(reactions.map(\.json)))) }
        return .object(fields)
    }
}

extension PrivateMessage {
    static let schema = JSONSchema.object(
        ("number", JSONSchema.integer),
        ("peer", JSONSchema.object(("id", JSONSchema.id), ("short", JSONSchema.text), ("name?", JSONSchema.text))),
        ("mine", JSONSchema.flag), ("text", JSONSchema.text), ("style", JSONSchema.one(of: "says", "acts")),
        ("at", JSONSchema.date), ("late", JSONSchema.flag), ("notice", JSONSchema.flag), ("state", JSONSchema.text),
        ("id?", JSONSchema.id), ("reply?", LineReference.schema), ("file?", JSONSchema.id),
        ("file_delivered?", JSONSchema.flag), ("edited?", JSONSchema.flag), ("deleted?", JSONSchema.flag),
        ("reactions?", LineReaction.schema))
}

extension PrivateMessageChange {
    var json: JSON {
        ["change": .text(kind.rawValue), "by": .text(by.hex), "emoji": .text(emoji), "message": message.json]
    }
}

extension SaidLine {
    var json: JSON {
        switch self {
        case .room(let line): line.json
        case .message(let message): message.json
        }
    }

    static let schema: JSON = ["oneOf": [JSONSchema.named("Message"), JSONSchema.named("PrivateMessage")]]
}

extension PrivateProgress {
    var json: JSON {
        var fields: [(String, JSON)] = [
            ("number", .integer(Int(number))), ("peer", .text(peer.hex)), ("state", .text(state.rawValue)),
        ]
        if let file { fields.append(("file", .text(file))) }
        return .object(fields)
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
            "rooms": .list(rooms.map { .text($0.text) }), "hops": .integer(hops), "away": .text(away),
        ]
    }
}

extension PeerInfo {
    var json: JSON { json(address: address) }
    var jsonWithoutAddress: JSON { json(address: nil) }

    private func json(address: PeerAddress?) -> JSON {
        [
            "id": .text(id?.hex), "short": .text(id?.short), "name": .text(name), "state": .text(state.word),
            "hops": .integer(hops), "round_trip_ms": .number(roundTrip?.milliseconds),
            "address": .text(address?.description), "source": .text(source?.rawValue), "via": .text(via?.hex),
            "here": .flag(isHere), "rooms": .list(rooms.map { .text($0.text) }), "reason": .text(reason?.words),
            "host": .text(host?.hex), "away": .text(away),
            "info": info.isEmpty ? nil : .list(info.map { .text($0) }),
            "idle_s": .integer(idle.map { Int($0.components.seconds) }),
        ]
    }

    static let schema = JSONSchema.object(
        ("id?", JSONSchema.id), ("short?", JSONSchema.text), ("name", JSONSchema.text),
        ("state", JSONSchema.one(of: "connected", "connecting", "not_connected")), ("hops?", JSONSchema.integer),
        ("round_trip_ms?", JSONSchema.number), ("address?", JSONSchema.text), ("source?", JSONSchema.text),
        ("via?", JSONSchema.id),
        ("here", JSONSchema.flag), ("rooms", JSONSchema.list(JSONSchema.text)), ("reason?", JSONSchema.text),
        ("host?", JSONSchema.id), ("away?", JSONSchema.text), ("idle_s?", JSONSchema.integer),
        ("info?", JSONSchema.list(JSONSchema.text)))
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

    static let schema = JSONSchema.object(
        ("caught_up", JSONSchema.flag), ("fetched", JSONSchema.integer), ("total", JSONSchema.integer),
        ("peers", JSONSchema.integer))
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

    static let schema = JSONSchema.object(
        ("progress?", SyncProgress.schema), ("caught_up_at?", JSONSchema.date),
        (
            "groups",
            JSONSchema.list(
                JSONSchema.object(
                    ("name", JSONSchema.text), ("records", JSONSchema.integer), ("since?", JSONSchema.date)))
        ),
        (
            "peers",
            JSONSchema.list(
                JSONSchema.object(
                    ("id", JSONSchema.id), ("short", JSONSchema.text), ("name", JSONSchema.text),
                    ("connected", JSONSchema.flag),
                    ("compared_at?", JSONSchema.date), ("gained", JSONSchema.integer), ("given", JSONSchema.integer)))
        ))
}

extension Me {
    var streamJSON: JSON {
        [
            "id": .text(id.hex), "short": .text(id.short), "name": .text(name.text), "mesh": .text(mesh.text),
            "rooms": .list(rooms.map { .text($0.text) }), "private_rooms": .list(privateRooms.map { .text($0.text) }),
            "discovery": .text(discovery), "away": .text(away),
        ]
    }
}
