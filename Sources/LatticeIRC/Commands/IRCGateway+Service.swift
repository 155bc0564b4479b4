import LatticeAPI
import LatticeCore
import LatticeGeo

enum IRCService {
    static let nick = "mesh"

    static let help = [
        "peers              who is here, how far away, in which rooms",
        "stats              links, people and waiting data",
        "sync               sync with every neighbour now",
        "whoami             your own key",
        "create #room       make a private room with a new key",
        "safety NICK        a number to compare by voice with somebody",
        "key #room          the key of a private room you are in",
        "forget #room       leave a private room for good, or decline an invitation",
        "here               where this node is; #wall shows posts near it",
    ]
}

// Commands for what IRC has no command for.
extension IRCGateway {
    /// - Parameter channel: the channel of the command; `nil` if it was sent to the service.
    mutating func serve(_ text: String, to channel: String?, of id: ConnectionID) {
        let words = text.split(separator: " ", maxSplits: 3).map(String.init)
        switch words.first?.lowercased() {
        case "help": for line in IRCService.help { note(id, line, to: channel) }
        case "peers": servePeers(channel, id)
        case "stats": serveStats(channel, id)
        case "whoami":
            let key = connections[id]?.person?.hex ?? ""
            note(id, "You are \(mask(id)). Your key is \(key).", to: channel)
        case "sync":
            ask(id, .perform(.sync)) { gateway, id, outcome in
                gateway.note(id, gateway.sentence(outcome) ?? "Syncing with every neighbour.", to: channel)
            }
        case "create", "key", "forget": serveRoom(words, channel, id)
        case "here": serveHere(channel, id)
        case "safety": serveSafety(words, channel, id)
        default:
            if channel == nil { note(id, "Unknown command. Type help for a list.", to: channel) }
        }
    }

    private func sentence(_ outcome: IRCOutcome) -> String? {
        if case .failure(let error) = outcome { error.description } else { nil }
    }

    /// Answers CTCP to the service.
    mutating func answer(_ ctcp: String, _ wish: IRCSaying, _ id: ConnectionID) {
        guard !wish.isNotice, let nick = connections[id]?.nick else { return }
        let text: String
        switch ctcp {
        case "VERSION": text = "VERSION lattice \(settings.version)"
        case "PING": text = "PING \(IRCText.ctcp(wish.raw)?.rest ?? "")"
        case "TIME": text = "TIME \(RFC3339.string(date))"
        default: return
        }
        reply(id, IRCLine(source: serviceMask, "NOTICE", [nick], trailing: "\u{1}\(text)\u{1}"))
    }

    private mutating func servePeers(_ channel: String?, _ id: ConnectionID) {
        let shown = 40
        let all = people.values.sorted { ($0.hops, $0.nick) < ($1.hops, $1.nick) }
        if all.count <= 1 { note(id, "Nobody else is here yet.", to: channel) }
        for person in all.prefix(shown) where person.connection != id {
            let rooms = person.rooms.sorted().map(\.text).joined(separator: " ")
            let way = person.hops == 0 ? "here" : person.hops == 1 ? "1 hop" : "\(person.hops) hops"
            note(id, "\(person.nick)  \(way)  \(rooms.isEmpty ? "no room" : rooms)", to: channel)
        }
        if all.count > shown { note(id, "… and \(all.count - shown) more. WHO shows all.", to: channel) }
    }

    private mutating func serveStats(_ channel: String?, _ id: ConnectionID) {
        ask(id, .perform(.stats)) { gateway, id, outcome in
            guard case .success(.answer(.stats(let stats))) = outcome else {
                return gateway.note(id, gateway.sentence(outcome) ?? Self.unknown, to: channel)
            }
            let clients = gateway.connections.values.count(where: \.isRegistered)
            let (people, records) = (gateway.people.count, stats.waitingRecords)
            let counts = [
                Self.counted(stats.links, "link"), people == 1 ? "1 person" : "\(people) people",
                "\(Self.counted(clients, "IRC client")) here",
                "\(Self.counted(stats.waitingBytes, "byte")) and \(Self.counted(records, "record")) waiting to be sent",
            ]
            gateway.note(id, counts.joined(separator: ", "), to: channel)
        }
    }

    private mutating func serveRoom(_ words: [String], _ channel: String?, _ id: ConnectionID) {
        guard words.count > 1, let named = self.channel(words[1], of: id), case .room(let room) = named else {
            return note(id, "Which room? For example: \(words[0]) #camp", to: channel)
        }
        switch words[0].lowercased() {
        case "key":
            ask(id, .perform(.room(.key(room)))) { gateway, id, outcome in
                if case .success(.answer(.room(.key(let key)))) = outcome {
                    return gateway.note(id, "Everybody with this key can read \(room.text): \(key)", to: channel)
                }
                gateway.note(id, gateway.sentence(outcome) ?? "\(room.text) is not private.", to: channel)
            }
        case "create":
            guard connections[id]?.rooms[room] == nil else {
                return note(id, "You are in \(room.text); PART it first.", to: channel)
            }
            ask(id, .perform(.room(.create(room)))) { gateway, id, outcome in
                if let sentence = gateway.sentence(outcome) { return gateway.note(id, sentence, to: channel) }
                gateway.note(
                    id, "\(room.text) is a private room now. JOIN \(room.text) to enter it; INVITE lets others in.",
                    to: channel)
            }
        default:
            ask(id, .perform(.room(.list))) { gateway, id, outcome in
                guard case .success(.answer(.room(.rooms(let rooms)))) = outcome else {
                    return gateway.note(id, gateway.sentence(outcome) ?? Self.unknown, to: channel)
                }
                gateway.forget(room, isHeld: rooms.contains(room), channel, id)
            }
        }
    }

    /// - Parameter isHeld: whether its key is here; otherwise only its invitations are forgotten.
    private mutating func forget(_ room: RoomName, isHeld: Bool, _ channel: String?, _ id: ConnectionID) {
        ask(id, .perform(.room(.forget(room)))) { gateway, id, outcome in
            if let sentence = gateway.sentence(outcome) { return gateway.note(id, sentence, to: channel) }
            if gateway.connections[id]?.rooms[room]?.members != nil {
                gateway.parted(.room(room), room.text, "Forgotten", id)
            }
            gateway.forgot(room, by: id)
            guard isHeld else {
                return gateway.note(id, "You have no key of \(room.text). Invitations to it are declined.", to: channel)
            }
            gateway.note(
                id,
                "\(room.text) and its key are deleted here. From now on JOIN \(room.text) enters the public room with this name.",
                to: channel)
        }
    }

    private mutating func serveSafety(_ words: [String], _ channel: String?, _ id: ConnectionID) {
        guard words.count > 1 else { return note(id, "Who? For example: safety bob", to: channel) }
        let nick = words[1]
        if let person = person(nick) { return tellSafety(person.id, person.nick, channel, id) }
        // A safety number can also be compared by phone, so the person need not be present.
        findAbsent(nick, of: id) { gateway, id, peer in gateway.tellSafety(peer, Self.named(nick), channel, id) }
    }

    private mutating func tellSafety(_ peer: PeerID, _ nick: String, _ channel: String?, _ id: ConnectionID) {
        ask(id, .perform(.known(.safetyNumber(PeerReference(peer.hex))))) { gateway, id, outcome in
            guard case .success(.answer(.known(.safetyNumber(let number)))) = outcome else {
                return gateway.note(id, gateway.sentence(outcome) ?? Self.unknown, to: channel)
            }
            gateway.note(
                id, "You and \(nick) must see the same number: \(number.groups.joined(separator: " "))", to: channel)
            gateway.note(id, "In words: \(number.words.joined(separator: " "))", to: channel)
        }
    }

    private mutating func serveHere(_ channel: String?, _ id: ConnectionID) {
        ask(id, .perform(.wall(.here))) { gateway, id, outcome in
            guard case .success(.answer(.wall(.here(let place?)))) = outcome else {
                return gateway.note(id, gateway.sentence(outcome) ?? Self.placeUnknown, to: channel)
            }
            gateway.note(id, "This node is at \(place).", to: channel)
        }
    }

    private static let placeUnknown =
        "This node does not know where it is. Its owner can say so: lattice here PLACE"

    private static let unknown = "This is not known right now."

    // MARK: Posts

    mutating func showWall(_ id: ConnectionID, then next: @escaping @Sendable (inout IRCGateway) -> Void) {
        let query = NearQuery(.posts, centre: nil, page: PageRequest(limit: limits.replayLines))
        ask(id, .perform(.wall(.near(query)))) { gateway, id, outcome in
            switch outcome {
            case .success(.answer(.wall(.page(let page)))):
                for item in page.items.sorted(by: { $0.at < $1.at }) { gateway.posted(item, to: [id], isPast: true) }
            case .failure(let error) where error.code == .placeNeeded:
                gateway.note(id, Self.placeUnknown, to: IRCChannel.wallName)
            case .failure(let error): gateway.note(id, error.description, to: IRCChannel.wallName)
            case .success: break
            }
            next(&gateway)
        }
    }

    mutating func post(_ text: String, of id: ConnectionID) {
        ask(id, .perform(.wall(.post(NewPost(text: text))))) { gateway, id, outcome in
            switch outcome {
            case .success(.answer(.wall(.item(let item)))):
                let wish = IRCSaying(text, isNotice: false)
                gateway.echo(wish, to: IRCChannel.wallName, msgid: item.id.hex, at: item.at, id)
                // The node notifies of posts by others; posts from this gateway are announced here.
                gateway.posted(item, to: gateway.audience(of: .wall).filter { $0 != id })
            case .success: break
            case .failure(let error):
                let isLost = error.code == .placeNeeded || error.faults.contains { $0.field == "place" }
                gateway.numeric(
                    id, .cannotSend, [IRCChannel.wallName], trailing: isLost ? Self.placeUnknown : error.description)
            }
        }
    }

    mutating func posted(_ item: ItemInfo, to ids: [ConnectionID], isPast: Bool = false) {
        guard !ids.isEmpty, item.state == .shown, let text = item.text ?? item.title else { return }
        var name: PeerName?
        do { name = try PeerName(item.authorName) } catch { name = nil }
        var line = line(from: speaker(item.author, name), "PRIVMSG", [IRCChannel.wallName])
        (line.time, line.msgid) = (item.at, item.id.hex)
        if let place = item.place {
            line.others = [
                .init("+lattice/lat", "\(place.latitude)"), .init("+lattice/lon", "\(place.longitude)"),
            ]
        }
        var whole = item.kind == .event ? "\(item.title ?? ""): \(text)" : text
        if let place = item.placeName { whole += " (\(place))" }
        if let metres = item.metres { whole += " – \(Int(metres.rounded())) m from here" }
        for piece in pieces(whole, .says, line) {
            if isPast { spread(past: piece, to: ids) } else { spread(piece, to: ids) }
        }
    }
}
