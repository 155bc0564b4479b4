import LatticeAPI
import LatticeCore

/// Why a command was not carried out; the description says what to do.
struct CommandError: Error {
    let code: String
    var description: String
    /// Who may have been meant.
    var candidates: [KnownPerson] = []

    var item: ChatItem {
        guard !candidates.isEmpty else { return .error(code: code, description) }
        return .reply(.wall(WallOutput(failure: WallFailure(code: code, description, candidates: candidates))))
    }
}

// Everything with a slash.
extension ChatFront {
    func obey(_ command: ChatCommand) async throws {
        switch command {
        case .help(let topic): try await show(.reply(.help(try help(topic))))
        case .nick(let name): try await changing { try await rename(name) }
        case .join(let room): try await changing { try await join(room, key: nil) }
        case .joinPrivate(let room, let key): try await changing { try await join(room, key: key) }
        case .create(let room): try await changing { try await create(room) }
        case .key(let room): try await showKey(of: room)
        case .invite(let typed, let room): try await invite(typed, to: room)
        case .remove(let typed, let room): try await remove(typed, from: room)
        case .members(let room): try await showMembers(of: room)
        case .forget(let room): try await changing { try await forget(room) }
        case .part(let room): try await changing { try await part(room) }
        case .rooms: try await show(.reply(.rooms(conversation.roomSummaries)))
        case .names(let room):
            guard let room = room ?? conversation.current else { throw CommandError.noRoom }
            if conversation.privateRooms.contains(room) { return try await showMembers(of: room) }
            try await show(.reply(.names(room, conversation.names(in: room))))
        case .history(let room, let count): try await showHistory(of: room, count: count)
        case .sync: try await compare()
        case .syncStatus: try await showStatus()
        case .peers:
            let peers = try await peers()
            try await show(.reply(.peers(peers, shown: peers.map(conversation.shown))))
        case .whois(let typed):
            let peer = try await known(typed)
            try await show(.reply(.whois(peer, shown: conversation.shown(peer))))
        case .ping(let typed): try await probe(typed) { .ping($0, shown: $1, $2) }
        case .trace(let typed):
            try await probe(typed) { peer, shown, probe in
                .trace(peer, shown: shown, probe, path: probe.path.map(self.conversation.shown))
            }
        case .ignore(let typed): try await ignore(typed)
        case .unignore(let typed): try await unignore(typed)
        case .connect(let target): try await connect(target)
        case .accept(let typed): try await answer(typed, accept: true)
        case .refuse(let typed): try await answer(typed, accept: false)
        case .tell(let rest): try await tell(rest)
        case .query(let typed): try await query(typed)
        case .conversations: try await showConversations()
        case .stats:
            guard case .stats(let stats) = try await ask(.stats) else { return }
            try await show(.reply(.stats(stats)))
        case .clear: await screen.clear()
        case .me, .quit: break  // These are no requests to the node alone; see `typed`.
        }
    }

    private func help(_ topic: String?) throws -> [String] {
        guard let topic else {
            let own = CommandWord.allCases.map { word in
                (word.arguments.isEmpty ? "/\(word.rawValue)" : "/\(word.rawValue) \(word.arguments)", word.summary)
            }
            let calls = own + (slash?.usage ?? [])
            let width = own.map(\.0.count).max() ?? 0
            return calls.map { call, summary in
                call + String(repeating: " ", count: max(2, width + 2 - call.count)) + summary
            } + [
                "//x says /x. A name that two share is typed with its short id: bob#k7f3. A room with a star (#camp*) is private."
            ]
        }
        let name = (topic.hasPrefix("/") ? String(topic.dropFirst()) : topic).lowercased()
        if let slash, let word = name.split(separator: " ").first, slash.words.contains(String(word)) {
            return slash.help(name)
        }
        guard let word = CommandWord(rawValue: name) ?? CommandWord.aliases[name] else {
            let words = CommandWord.allCases.map(\.rawValue) + (slash?.words ?? [])
            let nearest = Spelling.nearest(to: name, among: words)
            let hint = nearest.map { "did you mean /\($0)?" } ?? "/help lists them"
            throw CommandError(code: "badCommand", description: "there is no such command; \(hint)")
        }
        return ["\(word.usage): \(word.summary)"]
    }

    func extra(_ word: String, _ rest: String) async throws(ScreenClosed) {
        guard let slash else { return }
        if word == Self.examination { isExamined = true }
        if let text = slash.foreword(word) {
            try await show(.notice(Notice(.information, code: "takesTime", text)))
        }
        let output = await slash.run(word, rest, on: node)
        if output.exitCode != 0 { hasRefused = true }
        try await show(.reply(.wall(output)))
    }

    private func rename(_ name: PeerName) async throws {
        try await ask(.rename(name))
        conversation.rename(name)
        let (own, me) = (DisplayText.isolated(name.text), conversation.me)
        let isShared = shown(me).hasSuffix("#\(me.short)")
        let told = isShared ? "; somebody else is called so, and you are told apart as \(shown(me))" : ""
        try await show(.reply(.text("you are \(own) now\(told)")))
        await updateContext()
    }

    private func part(_ room: RoomName?) async throws {
        if room == nil, conversation.partner != nil { return try await query(nil) }
        guard let room = room ?? conversation.current else { throw CommandError.noRoom }
        guard conversation.part(room) else {
            throw CommandError(code: "notInRoom", description: "you are not in \(room); /rooms lists where you are")
        }
        try await ask(.part(room))
        await updateContext()
        let now = conversation.current.map { "you talk in \($0) now" } ?? "you are in no room now; /join #room"
        try await show(.reply(.text("you left \(room); \(now)")))
    }

    private func answer(_ typed: String, accept: Bool) async throws {
        let peer = try resolve(typed)
        guard conversation.asking.contains(peer) else {
            throw CommandError(
                code: "notAsked",
                description: "\(shown(peer)) has not asked; /connect links with somebody who is in sight")
        }
        conversation.answered(peer)
        try await ask(.answer(peer, accept: accept))
        if !accept { try await show(.reply(.text("\(shown(peer)) is not let in"))) }
    }

    private func connect(_ typed: String) async throws {
        let target = Conversation.unquoted(typed)
        if let address = try parsedAddress(target) {
            try await ask(.connect(address))
            return try await show(.reply(.text("trying \(address), again and again until it is there or you leave")))
        }
        let named = try await peers().filter { $0.name == target }
        let candidates = named.filter { $0.state != .connected && $0.address != nil && $0.prefix != nil }
        guard let prefix = candidates.first?.prefix else {
            guard let known = named.first else { throw CommandError.unknown(target, nearest: nil) }
            guard known.state != .connected else {
                return try await show(.reply(.text("\(DisplayText.isolated(target)) is connected")))
            }
            throw CommandError(
                code: "notInSight",
                description: "no address of \(DisplayText.isolated(target)) is known; name one: /connect HOST:PORT")
        }
        guard candidates.count == 1 else {
            throw CommandError(
                code: "ambiguousName",
                description: "\(candidates.count) peers are called so; /peers shows their addresses")
        }
        try await ask(.invite(prefix))
        try await show(.reply(.text("inviting \(DisplayText.isolated(target))")))
    }

    /// - Returns: `nil` if it looks like a name.
    private func parsedAddress(_ target: String) throws -> PeerAddress? {
        // Nobody is called 192.168.1.7: its port is missing.
        let isHost = target.contains(".") && target.allSatisfy { $0 == "." || $0.isASCII && $0.isNumber }
        guard target.contains(":") || isHost else { return nil }
        do {
            return try PeerAddress(parsing: target)
        } catch {
            throw CommandError(code: "badAddress", description: error.description)
        }
    }

    private func probe(_ typed: String, _ reply: (PeerID, String, ProbeInfo) -> ChatItem.Reply) async throws {
        let peer = try resolve(typed)
        guard case .probe(let probe) = try await ask(.probe(peer)) else { return }
        try await show(.reply(reply(peer, shown(peer), probe)))
    }

    private func peers() async throws -> [PeerInfo] {
        guard case .peers(let peers) = try await ask(.peers) else { return [] }
        return peers
    }

    private func known(_ typed: String) async throws -> PeerInfo {
        let peer = try resolve(typed)
        if let info = try await peers().first(where: { $0.id == peer }) { return info }
        guard case .me(let me) = try await ask(.me), me.id == peer else {
            throw CommandError.unknown(typed, nearest: nil)
        }
        return PeerInfo(
            id: me.id, prefix: me.id.prefix, name: me.name.text, state: .notConnected, hops: 0, isHere: true,
            rooms: me.rooms)
    }

    func resolve(_ typed: String) throws -> PeerID {
        let name = Conversation.unquoted(typed)
        return try one(conversation.roster.meaning(of: name), name, isAnywhere: false)
    }

    /// - Parameter isAnywhere: whether people who are not here are meant, too.
    /// - Throws: `CommandError` where nobody, or more than one, is meant.
    func one(_ meaning: Roster.Meaning, _ typed: String, isAnywhere: Bool) throws -> PeerID {
        switch meaning {
        case .one(let peer): return peer
        case .nobody(let nearest): throw CommandError.unknown(typed, nearest: nearest)
        case .several(let names):
            let people = conversation.candidates(for: typed, isAnywhere: isAnywhere)
            let list = zip(names, people).map { name, person in
                let here = conversation.roster.name(of: person.id) == nil ? [] : ["here"]
                let facts = Naming.facts(of: person, at: settings.now()).filter {
                    here.isEmpty || !$0.hasPrefix("last seen")
                }
                let all = here + facts
                return DisplayText.isolated(name) + (all.isEmpty ? "" : " (\(all.joined(separator: ", ")))")
            }
            throw CommandError(
                code: "ambiguousName",
                description: "several peers are called so; say which: \(list.joined(separator: " or "))",
                candidates: people)
        }
    }

    func shown(_ peer: PeerID) -> String { conversation.shownPartner(peer) }

    @discardableResult
    func ask(_ request: Request) async throws -> Answer {
        do {
            return try await node.perform(request)
        } catch {
            throw CommandError(code: error.code.rawValue, description: error.description)
        }
    }
}

extension CommandError {
    static let noRoom = CommandError(code: "noRoom", description: "you are in no room; /join #room first")

    /// A name with a blank in it stands between quotes.
    private static func asTyped(_ name: String) -> String {
        let safe = DisplayText.isolated(name)
        return name.contains(where: \.isWhitespace) ? "\"\(safe)\"" : safe
    }

    static func unknown(_ typed: String, nearest: String?) -> CommandError {
        let safe = DisplayText.isolated(String(typed.prefix(64)))
        let hint = nearest.map { "did you mean \(asTyped($0))?" } ?? "/peers lists who is known"
        return CommandError(code: "unknownPeer", description: "nobody here is called \(safe); \(hint)")
    }
}
