import LatticeAPI
import LatticeCore

/// The service's commands for how a client marks people.
enum IRCContacts {
    enum Step: Sendable {
        case listed
        case marked(Mark, Bool)
    }

    enum Mark: String, Sendable {
        case verify
        case ignore
        case block
    }

    static let help = [
        "verify NICK        note that the safety number is right; unverify NICK takes it back",
        "ignore NICK        do not show somebody's lines, messages and posts; unignore NICK ends that",
        "block NICK         like ignore, and their messages to you are thrown away; unblock NICK ends that",
        "contacts           whom you marked",
    ]

    // MARK: - Commands

    /// - Returns: whether it is one of these commands.
    static func serve(
        _ text: String, to channel: String?, of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) -> Bool {
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard let command = words.first?.lowercased() else { return false }
        if command == "contacts" {
            clients.ask(id, .known(.list), then: .service(.contacts(.listed, channel: channel)))
            return true
        }
        let isUndone = command.hasPrefix("un")
        guard let mark = Mark(rawValue: isUndone ? String(command.dropFirst(2)) : command) else { return false }
        guard words.count > 1 else {
            let usage = help.first { $0.hasPrefix(mark.rawValue) }
            clients.note(id, "Use: \(usage ?? command)", to: channel)
            return true
        }
        let text = people.person(words[1], clients)?.id.hex ?? IRCNick.reference(words[1])
        clients.ask(
            id, .known(mark.request(PeerReference(text), !isUndone)),
            then: .service(.contacts(.marked(mark, !isUndone), channel: channel)))
        return true
    }

    // MARK: - Replies

    static func answered(
        _ step: Step, to channel: String?, _ outcome: IRCOutcome, of id: ConnectionID, into clients: inout IRCClients
    ) {
        for line in lines(step, outcome, max: clients.limits.rowsMax) { clients.note(id, line, to: channel) }
    }

    private static func lines(_ step: Step, _ outcome: IRCOutcome, max: Int) -> [String] {
        switch (step, outcome) {
        case (_, .failure(let error)): return [error.words]
        case (.listed, .success(.answer(.known(.people(let people))))):
            let marked = people.filter(\.isMarked).prefix(max).map { "\(name($0))  \(marks($0))" }
            return marked.isEmpty ? ["You have marked nobody yet."] : marked
        case (.marked(let mark, let holds), .success(.answer(.known(.person(let person))))):
            return ["\(name(person)) \(mark.words(holds))."]
        default: return ["This is not known right now."]
        }
    }

    private static func name(_ person: KnownPerson) -> String {
        "\(person.name.map { DisplayText.isolated($0.text) } ?? "")#\(person.id.short)"
    }

    private static func marks(_ person: KnownPerson) -> String {
        let marks = [
            (person.verified, "verified"), (person.ignored, "ignored"), (person.blocked, "blocked"),
        ]
        return marks.filter { $0.0 != nil }.map(\.1).joined(separator: ", ")
    }
}

extension IRCContacts.Mark {
    fileprivate func request(_ peer: PeerReference, _ holds: Bool) -> IRCRequest.Known {
        switch self {
        case .verify: .verify(peer, holds)
        case .ignore: .ignore(peer, holds)
        case .block: .block(peer, holds)
        }
    }

    fileprivate func words(_ holds: Bool) -> String {
        switch self {
        case .verify: holds ? "is verified" : "is no longer verified"
        case .ignore: holds ? "is ignored" : "is no longer ignored"
        case .block: holds ? "is blocked" : "is no longer blocked"
        }
    }
}
