import LatticeAPI
import LatticeCore

/// People: who is here, whom I ignore, and links with neighbours.
final class ChatPeople {
    private let desk: ChatDesk

    init(_ desk: ChatDesk) { self.desk = desk }

    /// Loads contacts and muted rooms.
    nonisolated(nonsending) func learn() async {
        do {
            let people = try await desk.node.perform(ListKnownPeople()).people
            let muted = try await desk.node.perform(ListMutedRooms()).rooms
            desk.conversation.know(people)
            desk.conversation.take(ContactMarks(people, muted: muted))
        } catch {
            return  // Without stored contacts there is nothing to load.
        }
    }

    /// - Returns: whether the event was about people.
    nonisolated(nonsending) func told(_ event: NodeEvent) async throws(ScreenClosed) -> Bool {
        switch event {
        case .nameClash(let clash):
            desk.conversation.know([clash.newcomer, clash.known])
            let text = KnownLines.clash(clash, at: desk.settings.now(), in: desk.settings.calendar)
            try await desk.show(.nameClash(clash, text: text))
        case .renamed(let peer, let was, let name): try await desk.show(.renamed(peer, was: was, name: name))
        case .contactMarks(let contactMarks): desk.conversation.take(contactMarks)
        default: return false
        }
        return true
    }

    nonisolated(nonsending) func ignore(_ typed: String?) async throws {
        guard let typed else {
            let names = desk.conversation.ignored.map(desk.shown)
            let list = names.isEmpty ? "You ignore nobody." : "You ignore \(names.joined(separator: ", "))."
            return try await desk.show(.reply(.text(list)))
        }
        let peer = try desk.other(typed)
        desk.conversation.ignore(peer)
        let isKept = try await isRemembered(IgnorePerson(PeerReference(peer), true))
        let end = isKept ? "" : " It holds until you leave."
        let name = desk.shown(peer)
        try await desk.show(.reply(.text("You no longer see what \(name) says; /unignore \(name) undoes it.\(end)")))
    }

    nonisolated(nonsending) func unignore(_ typed: String) async throws {
        let peer = try desk.addressee(typed)
        desk.conversation.unignore(peer)
        _ = try await isRemembered(IgnorePerson(PeerReference(peer), false))
        try await desk.show(.reply(.text("You see what \(desk.shown(peer)) says again.")))
    }

    /// Without a folder, contact flags last only as long as the chat.
    nonisolated(nonsending) private func isRemembered(_ request: IgnorePerson) async throws -> Bool {
        do {
            _ = try await desk.node.perform(request)
            return true
        } catch {
            guard error.code == .fileFailed || error.code == .readOnly || error.code == .diskFull else {
                throw CommandError(code: error.code.rawValue, description: desk.words(of: error))
            }
            return false
        }
    }

    nonisolated(nonsending) func answer(_ typed: String, accept: Bool) async throws {
        let peer = try desk.resolve(typed)
        guard desk.conversation.asking.contains(peer) else {
            throw CommandError(
                code: "notAsked",
                description: "\(desk.shown(peer)) has not asked to connect; use /connect \(desk.shown(peer)) instead.")
        }
        desk.conversation.answered(peer)
        try await desk.ask(AnswerInvitation(PeerReference(peer), accept: accept))
        if !accept { try await desk.show(.reply(.text("You refused \(desk.shown(peer))."))) }
    }

    nonisolated(nonsending) func connect(_ typed: String) async throws {
        let target = Conversation.unquoted(typed)
        if let address = try CommandError.address(in: target) {
            try await desk.ask(DialAddress(address))
            return try await desk.show(.reply(.text("Trying \(address) until it answers or you leave.")))
        }
        let named = try await peers().filter { $0.name == target }
        let candidates = named.filter { $0.state != .connected && $0.address != nil && $0.prefix != nil }
        guard let prefix = candidates.first?.prefix else {
            guard let known = named.first else { throw CommandError.unknown(target, nearest: nil) }
            guard known.state != .connected else {
                return try await desk.show(.reply(.text("\(DisplayText.isolated(target)) is already connected.")))
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
        try await desk.ask(InvitePeer(prefix))
        try await desk.show(.reply(.text("Connecting to \(DisplayText.isolated(target)).")))
    }

    nonisolated(nonsending) func showPeers() async throws {
        let peers = try await peers()
        try await desk.show(.reply(.peers(peers, shown: peers.map(desk.conversation.shown))))
    }

    nonisolated(nonsending) func whois(_ typed: String) async throws {
        let peer = try await known(typed)
        try await desk.show(.reply(.whois(peer, shown: desk.conversation.shown(peer))))
    }

    nonisolated(nonsending) func ping(_ typed: String) async throws {
        let (peer, probe) = try await probe(typed)
        try await desk.show(.reply(.ping(peer, shown: desk.shown(peer), probe)))
    }

    nonisolated(nonsending) func trace(_ typed: String) async throws {
        let (peer, probe) = try await probe(typed)
        let path = probe.path.map(desk.conversation.shown)
        try await desk.show(.reply(.trace(peer, shown: desk.shown(peer), probe, path: path)))
    }

    nonisolated(nonsending) private func probe(_ typed: String) async throws -> (PeerID, ProbeInfo) {
        let peer = try desk.resolve(typed)
        return (peer, try await desk.ask(ProbePeer(PeerReference(peer))))
    }

    nonisolated(nonsending) private func peers() async throws -> [PeerInfo] {
        try await desk.ask(ListPeers()).peers
    }

    nonisolated(nonsending) private func known(_ typed: String) async throws -> PeerInfo {
        let peer = try desk.resolve(typed)
        if let info = try await peers().first(where: { $0.id == peer }) { return info }
        let me = try await desk.ask(ShowMe())
        guard me.id == peer else { throw CommandError.unknown(typed, nearest: nil) }
        return PeerInfo(
            id: me.id, prefix: me.id.prefix, name: me.name.text, state: .notConnected, hops: 0, isHere: true,
            rooms: me.rooms)
    }
}
