import LatticeAPI
import LatticeCore

// Ignored people, verified keys and name clashes.
extension ChatFront {
    /// Loads contacts and muted rooms.
    func learnPeople() async {
        do {
            let people = try await node.perform(ListKnownPeople()).people
            let muted = try await node.perform(ListMutedRooms()).rooms
            conversation.know(people)
            conversation.take(Standing(people, muted: muted))
        } catch {
            return  // Without stored contacts there is nothing to load.
        }
    }

    /// - Returns: whether the event was about people.
    func told(_ event: NodeEvent) async throws(ScreenClosed) -> Bool {
        switch event {
        case .nameClash(let clash):
            conversation.know([clash.newcomer, clash.known])
            let text = KnownLines.clash(clash, at: settings.now(), in: settings.calendar)
            try await show(.nameClash(clash, text: text))
        case .renamed(let peer, let was, let name): try await show(.renamed(peer, was: was, name: name))
        case .standing(let standing): conversation.take(standing)
        default: return false
        }
        return true
    }

    func ignore(_ typed: String?) async throws {
        guard let typed else {
            let names = conversation.ignored.map(shown)
            let list = names.isEmpty ? "You ignore nobody." : "You ignore \(names.joined(separator: ", "))."
            return try await show(.reply(.text(list)))
        }
        let peer = try other(typed)
        conversation.ignore(peer)
        let isKept = try await isRemembered(IgnorePerson(PeerReference(peer), true))
        let end = isKept ? "" : " It holds until you leave."
        let name = shown(peer)
        try await show(.reply(.text("You no longer see what \(name) says; /unignore \(name) undoes it.\(end)")))
    }

    func unignore(_ typed: String) async throws {
        let peer = try addressee(typed)
        conversation.unignore(peer)
        _ = try await isRemembered(IgnorePerson(PeerReference(peer), false))
        try await show(.reply(.text("You see what \(shown(peer)) says again.")))
    }

    /// Without a folder, contact flags last only as long as the chat.
    private func isRemembered(_ request: IgnorePerson) async throws -> Bool {
        do {
            _ = try await node.perform(request)
            return true
        } catch {
            guard error.code == .fileFailed || error.code == .readOnly || error.code == .diskFull else {
                throw CommandError(code: error.code.rawValue, description: words(of: error))
            }
            return false
        }
    }
}
