import LatticeAPI
import LatticeCore

extension ChatFront {
    func obey(_ command: ChatCommand) async throws {
        switch command {
        case .help(let topic):
            let help = ChatHelp(slash: slash)
            try await show(.reply(.help(try topic.map(help.topic) ?? help.overview)))
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
            let stats = try await ask(ShowStats())
            try await show(.reply(.stats(stats)))
        case .clear: await screen.clear()
        case .me, .quit: break  // `typed` handles these.
        }
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
        try await ask(Rename(name))
        conversation.rename(name)
        let (own, me) = (DisplayText.isolated(name.text), conversation.me)
        let isShared = shown(me).hasSuffix("#\(me.short)")
        let told = isShared ? " Somebody else has that name, so others see you as \(shown(me))." : ""
        try await show(.reply(.text("You are now called \(own).\(told)")))
        await updateContext()
    }

    private func part(_ room: RoomName?) async throws {
        if room == nil, conversation.partner != nil { return try await query(nil) }
        guard let room = room ?? conversation.current else { throw CommandError.noRoom }
        let previous = conversation.current
        guard conversation.part(room) else {
            throw CommandError(
                code: "notInRoom", description: "You are not in \(room); /rooms lists the rooms you are in.")
        }
        try await ask(LeaveRoom(room))
        await updateContext()
        try await show(.reply(.text("You left \(room). \(whereNow(was: previous))")))
    }

    /// Where the next line goes, after a room was left.
    ///
    /// - Parameter previous: the room it would have gone to.
    func whereNow(was previous: RoomName?) -> String {
        if let partner = conversation.partner { return "You are still talking privately with \(shown(partner))." }
        guard let current = conversation.current else { return "You are not in a room now; use /join #room." }
        return current == previous ? "You are still in \(current)." : "You are now in \(current)."
    }

    private func answer(_ typed: String, accept: Bool) async throws {
        let peer = try resolve(typed)
        guard conversation.asking.contains(peer) else {
            throw CommandError(
                code: "notAsked",
                description: "\(shown(peer)) has not asked to connect; use /connect \(shown(peer)) instead.")
        }
        conversation.answered(peer)
        try await ask(AnswerInvitation(PeerReference(peer), accept: accept))
        if !accept { try await show(.reply(.text("You refused \(shown(peer))."))) }
    }

    private func connect(_ typed: String) async throws {
        let target = Conversation.unquoted(typed)
        if let address = try CommandError.address(in: target) {
            try await ask(DialAddress(address))
            return try await show(.reply(.text("Trying \(address) until it answers or you leave.")))
        }
        let named = try await peers().filter { $0.name == target }
        let candidates = named.filter { $0.state != .connected && $0.address != nil && $0.prefix != nil }
        guard let prefix = candidates.first?.prefix else {
            guard let known = named.first else { throw CommandError.unknown(target, nearest: nil) }
            guard known.state != .connected else {
                return try await show(.reply(.text("\(DisplayText.isolated(target)) is already connected.")))
            }
            throw CommandError(
                code: "notInSight",
                description: "I don't know an address of \(DisplayText.isolated(target)); use /connect HOST:PORT.")
        }
        guard candidates.count == 1 else {
            throw CommandError(
                code: "ambiguousName",
                description:
                    "\(candidates.count) people are called \(DisplayText.isolated(target)); /peers shows their addresses, then use /connect HOST:PORT."
            )
        }
        try await ask(InvitePeer(prefix))
        try await show(.reply(.text("Connecting to \(DisplayText.isolated(target)).")))
    }

    private func probe(_ typed: String, _ reply: (PeerID, String, ProbeInfo) -> ChatItem.Reply) async throws {
        let peer = try resolve(typed)
        let probe = try await ask(ProbePeer(PeerReference(peer)))
        try await show(.reply(reply(peer, shown(peer), probe)))
    }

    private func peers() async throws -> [PeerInfo] {
        try await ask(ListPeers()).peers
    }

    private func known(_ typed: String) async throws -> PeerInfo {
        let peer = try resolve(typed)
        if let info = try await peers().first(where: { $0.id == peer }) { return info }
        let me = try await ask(ShowMe())
        guard me.id == peer else { throw CommandError.unknown(typed, nearest: nil) }
        return PeerInfo(
            id: me.id, prefix: me.id.prefix, name: me.name.text, state: .notConnected, hops: 0, isHere: true,
            rooms: me.rooms)
    }

    func resolve(_ typed: String) throws -> PeerID {
        let name = Conversation.unquoted(typed)
        return try one(conversation.roster.meaning(of: name), name, isAnywhere: false)
    }

    /// - Parameter isAnywhere: whether people who are not here count.
    /// - Throws: `CommandError` if the name matches nobody, or several people.
    func one(_ meaning: Roster.Meaning, _ typed: String, isAnywhere: Bool) throws -> PeerID {
        switch meaning {
        case .one(let peer): return peer
        case .nobody(let nearest):
            throw CommandError.unknown(typed, nearest: nearest, takesID: isAnywhere)
        case .several(let names):
            let people = conversation.candidates(for: typed, isAnywhere: isAnywhere)
            throw CommandError.several(names, typed, people, at: settings.now()) {
                conversation.roster.name(of: $0) != nil
            }
        }
    }

    func shown(_ peer: PeerID) -> String { conversation.shownPartner(peer) }

    /// The node's words for an error, except for the length limit: there it uses the sentence of the line editor.
    func words(of error: RequestError) -> String {
        error.code == .lineTooLong ? LineLimit.sentence(bytesMax: settings.textBytesMax) : error.description
    }

    @discardableResult
    func ask<R: Request>(_ request: R) async throws -> R.Reply {
        do { return try await node.perform(request) } catch {
            throw CommandError(code: error.code.rawValue, description: words(of: error))
        }
    }
}
