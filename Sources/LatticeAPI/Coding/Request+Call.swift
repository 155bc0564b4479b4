import LatticeCore

extension NodeRequest {
    package var call: Call {
        switch self {
        case .say(let text, let style, let room, let audience, let isNotice):
            Call(
                "say",
                [.text: text, .style: style, .room: room, .audience: audience, .isNotice: isNotice])
        case .rename(let name): Call("rename", [.name: name])
        case .join(let room): Call("join", [.room: room])
        case .part(let room): Call("part", [.room: room])
        case .me: Call("me")
        case .peers: Call("peers")
        case .probe(let peer): Call("probe", [.peer: peer])
        case .connect(let address): Call("connect", [.address: address])
        case .invite(let prefix): Call("invite", [.prefix: prefix])
        case .answer(let peer, let accept): Call("answer", [.peer: peer, .accept: accept])
        case .flush(let timeout, let lines):
            Call("flush", [.timeout: InSeconds(wrappedValue: timeout), .lines: lines])
        case .sync: Call("sync")
        case .syncStatus: Call("syncStatus")
        case .history(let query): Call("history", of: query)
        case .tell(let peer, let text, let style, let isNotice):
            Call("tell", [.peer: peer, .text: text, .style: style, .isNotice: isNotice])
        case .privateHistory(let peer, let limit): Call("privateHistory", [.peer: peer, .limit: limit])
        case .conversations: Call("conversations")
        case .stats: Call("stats")
        case .health: Call("health")
        }
    }

    /// - Throws: `UnknownCall`, or what is wrong with the parameters.
    package init(_ name: String, _ params: CallParams) throws {
        switch name {
        case "say":
            self = .say(
                try params[.text], style: try params.optional(.style) ?? .says, room: try params[.room],
                audience: try params.optional(.audience), isNotice: try params.optional(.isNotice) ?? false)
        case "rename": self = .rename(try params[.name])
        case "join": self = .join(try params[.room])
        case "part": self = .part(try params[.room])
        case "me": self = .me
        case "peers": self = .peers
        case "probe": self = .probe(try params[.peer])
        case "connect": self = .connect(try params[.address])
        case "invite": self = .invite(try params[.prefix])
        case "answer": self = .answer(try params[.peer], accept: try params[.accept])
        case "flush":
            let timeout: InSeconds = try params[.timeout]
            self = .flush(timeout: timeout.wrappedValue ?? .zero, lines: try params.optional(.lines))
        case "sync": self = .sync
        case "syncStatus": self = .syncStatus
        case "history": self = .history(try params.whole())
        case "tell":
            self = .tell(
                try params[.peer], try params[.text], style: try params.optional(.style) ?? .says,
                isNotice: try params.optional(.isNotice) ?? false)
        case "privateHistory":
            self = .privateHistory(try params[.peer], limit: try params.optional(.limit) ?? Self.historyLimit)
        case "conversations": self = .conversations
        case "stats": self = .stats
        case "health": self = .health
        default: throw UnknownCall(name: name)
        }
    }

    private static let historyLimit = 50
}

extension HistoryQuery: Codable {
    private enum Field: String, CodingKey {
        case room
        case limit
        case before
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let limit = try fields.count(
            in: 1...Self.limitMax, forKey: .limit, "between 1 and \(Self.limitMax) lines can be requested")
        self.init(
            room: try fields.decode(RoomName.self, forKey: .room), limit: limit ?? 50,
            before: try fields.decodeIfPresent(RecordID.self, forKey: .before))
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(room, forKey: .room)
        try fields.encode(limit, forKey: .limit)
        try fields.encodeIfPresent(before, forKey: .before)
    }
}
