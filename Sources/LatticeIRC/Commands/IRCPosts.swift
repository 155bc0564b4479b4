import LatticeAPI
import LatticeCore
import LatticeGeo

/// The service's commands for posts and for the people who leave them.
enum IRCPosts {
    enum Step: Sendable {
        case list
        case listedPlaces
        case liked(Bool)
        case attended(Bool)
        case commented
        case followed(Bool)
        case notifications
        case found
        case placed
        case dismissed
    }

    static let help = [
        "posts              posts near you, each with its id",
        "feed               posts by the people you follow",
        "like ID            like a post; unlike ID takes it back",
        "comment ID TEXT    comment on a post or event",
        "attend ID          say that you come to an event; unattend ID takes it back",
        "follow NICK        have somebody's posts in your feed; unfollow NICK ends that",
        "search WORDS       lines that contain all of the words, newest first",
        "notifications      what others did that concerns you",
        "notify [KIND…] on|off  choose what you are notified of",
        "dismiss            dismiss urgent messages, in all your programs",
        "places             places that people have named, nearest first",
        "place LAT,LON|NAME set where you are; place off clears it",
    ]

    // MARK: - Commands

    /// - Returns: whether it is one of these commands.
    static func serve(
        _ text: String, to channel: String?, of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) -> Bool {
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard let command = words.first?.lowercased() else { return false }
        let page = PageRequest(limit: clients.limits.replayLines)
        var asked: (IRCRequest.Archive, Step)?
        switch command {
        case "posts": asked = (.near(NearQuery(.posts, centre: nil, page: page)), .list)
        case "feed": asked = (.timeline(page), .list)
        case "dismiss": asked = (.dismissUrgent, .dismissed)
        case "notifications": asked = (.notifications(page), .notifications)
        case "search":
            if words.count > 1 {
                asked = (.search(words.dropFirst().joined(separator: " "), page), .found)
            }
        case "notify":
            asked = IRCNotifications.request(text.split(separator: " ").dropFirst().map(String.init))
                .map { ($0, .notifications) }
        case "like", "unlike": asked = item(words).map { (.like($0, command == "like"), .liked(command == "like")) }
        case "attend", "unattend":
            asked = item(words).map { (.attend($0, command == "attend"), .attended(command == "attend")) }
        case "comment": if words.count == 3 { asked = item(words).map { (.comment($0, words[2]), .commented) } }
        case "follow", "unfollow":
            if words.count > 1 {
                let text = people.person(words[1], clients)?.id.hex ?? words[1]
                asked = (.follow(PeerReference(text), command == "follow"), .followed(command == "follow"))
            }
        case "places": asked = (.places(page), .listedPlaces)
        case "place": asked = place(words.dropFirst().joined(separator: " ")).map { ($0, .placed) }
        default: return false
        }
        guard let (request, step) = asked else {
            let usage = help.first { $0.hasPrefix(command.hasPrefix("un") ? String(command.dropFirst(2)) : command) }
            clients.note(id, "Use: \(usage ?? command)", to: channel)
            return true
        }
        clients.ask(id, .posts(request), then: .service(.posts(step, channel: channel)))
        return true
    }

    private static func item(_ words: [String]) -> ItemReference? {
        words.count > 1 ? ItemReference(words[1]) : nil
    }

    /// - Parameter text: a coordinate, the name of a place, or "off".
    private static func place(_ text: String) -> IRCRequest.Archive? {
        if text.lowercased() == "off" { return .place(nil) }
        if zip(text, text.dropFirst()).contains(where: { $0.isLetter && $1.isLetter }) {
            return .placeNamed(PlaceReference(text))
        }
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        guard numbers.count == 2, let place = Coordinate(latitude: numbers[0], longitude: numbers[1]) else {
            return nil
        }
        return .place(place)
    }

    // MARK: - Replies

    static func answered(
        _ step: Step, to channel: String?, _ outcome: IRCOutcome, of id: ConnectionID, into clients: inout IRCClients
    ) {
        for line in lines(step, outcome, hears: { clients.hears($0, id) }) { clients.note(id, line, to: channel) }
    }

    private static func lines(_ step: Step, _ outcome: IRCOutcome, hears: (PeerID) -> Bool) -> [String] {
        switch (step, outcome) {
        case (_, .failure(let error)): return [error.words]
        case (.list, .success(.answer(.posts(.page(let page))))):
            let lines = page.items.filter { hears($0.author) }.map(line)
            return lines.isEmpty ? ["No posts here yet."] : lines
        case (.listedPlaces, .success(.answer(.posts(.page(let page))))):
            let lines = page.items.filter { hears($0.author) }.map(placeLine)
            return lines.isEmpty ? ["No places here yet."] : lines
        case (.liked(let holds), .success(.answer(.posts(.item(let item))))):
            let count = IRCText.counted(item.likes, "like")
            return [holds ? "You like it; it has \(count)." : "Your like is removed; it has \(count)."]
        case (.attended(let holds), .success(.answer(.posts(.item(let item))))):
            let title = DisplayText.isolated(item.title ?? item.short)
            return [holds ? "You attend \(title)." : "You no longer attend \(title)."]
        case (.commented, .success(.answer(.posts(.item(let item))))): return ["Your comment has the id \(item.short)."]
        case (.followed(let holds), .success(.answer(.posts(.person(let person))))):
            return ["You \(holds ? "follow" : "no longer follow") \(name(person))."]
        case (.found, .success(.answer(.posts(.found(let lines))))):
            let shown = lines.filter { hears($0.from) }.map(line)
            return shown.isEmpty ? ["No line has all of these words."] : shown
        case (.notifications, .success(.answer(.posts(.notifications(let page))))):
            let lines = page.notifications.filter { hears($0.by.id) }.map(IRCNotifications.line)
            return lines.isEmpty ? ["Nothing yet."] : lines
        case (.notifications, .success(.answer(.posts(.notify(let reply))))): return [IRCNotifications.line(reply)]
        case (.dismissed, .success(.answer(.posts(.dismissed(let count))))):
            return [count == 0 ? "Nothing is urgent." : "Dismissed: \(IRCText.counted(count, "urgent message"))."]
        case (.placed, .success(.answer(.posts(.here(let place?))))): return ["You are at \(place)."]
        case (.placed, .success): return ["Your place is not set."]
        default: return ["This is not known right now."]
        }
    }

    private static func line(_ found: FoundLine) -> String {
        let place =
            switch found.conversation {
            case .room(let room): DisplayText.isolated(room.text)
            case .peer(let peer): "private with #\(peer.id?.short ?? "")"
            }
        return
            "\(RFC3339.string(found.at)) \(place) \(DisplayText.isolated(found.name)): \(DisplayText.isolated(found.text))"
    }

    /// `24aadb  Kitchen, open 8 to 20, 286 m WSW`
    private static func placeLine(_ item: ItemInfo) -> String {
        let way = item.metres.flatMap { metres in
            item.bearing.map { "\(DistanceText.string(metres)) \(CompassPoint(bearing: $0).abbreviation)" }
        }
        let facts = [
            item.title.map { DisplayText.isolated($0) }, item.hours.map { "open \(DisplayText.isolated($0))" },
            item.partOf.map { "in \(DisplayText.isolated($0))" }, way,
        ]
        return "\(item.short)  \(facts.compactMap(\.self).joined(separator: ", "))"
    }

    private static func line(_ item: ItemInfo) -> String {
        var counts = [IRCText.counted(item.likes, "like"), IRCText.counted(item.comments, "comment")]
        if item.kind == .event { counts.append("\(item.attendees) coming") }
        let text = item.state == .shown ? item.title ?? item.text ?? "" : "too far away to read"
        return
            "\(item.short)  \(DisplayText.isolated(item.authorName)): \(DisplayText.isolated(text)) "
            + "(\(counts.joined(separator: ", ")))"
    }

    private static func name(_ person: PersonInfo) -> String {
        "\(person.name.map(DisplayText.isolated) ?? "")#\(person.id.short)"
    }
}
