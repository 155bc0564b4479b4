import LatticeAPI
package import LatticeCore

extension Conversation {
    /// A node lists as many conversations.
    private static let unnamedMax = 1_000

    package var context: ScreenContext {
        ScreenContext(
            room: current, isPrivate: current.map(privateRooms.contains) ?? false, partner: partner.map(shownPartner),
            names: roster.typed, rooms: knownRooms,
            addressees: roster.typed(besides: partners), unread: unread.text(shownPartner))
    }

    /// - Returns: the item to show; `nil` if the sender is ignored or blocked, or the message was shown already.
    mutating func heard(_ message: PrivateMessage) -> ChatItem? {
        guard message.isMine || !isUnheard(message.peer), shownPrivately.insert(message.number) else {
            return nil
        }
        note(message)
        if message.isMine {
            unread.clear(.peer(message.peer))
        } else if partner != message.peer {
            unread.came(to: .peer(message.peer), isMention: false)
        }
        return .privateMessage(
            message, shown: shownPartner(message.peer), isPast: false, isGoingOut: isGoingOut(message))
    }

    /// - Returns: `nil` if the other is ignored or blocked.
    func changed(_ change: PrivateMessageChange) -> ChatItem? {
        let message = change.message
        guard !isUnheard(message.peer) else { return nil }
        return .privateMessageChanged(
            change, shown: shownPartner(message.peer), change.by == me ? .myAct : message.isMine ? .myLine : .none)
    }

    /// Any connected peer takes a private message and relays it.
    func isGoingOut(_ message: PrivateMessage) -> Bool {
        message.isMine && message.state == .waiting && connectedCount > 0
    }

    /// Past messages, without those of ignored and blocked people, each with the name to show. Marks them as shown.
    mutating func past(_ messages: [PrivateMessage]) -> [(PrivateMessage, shown: String)] {
        let heard = messages.filter { $0.isMine || !isUnheard($0.peer) }
        for message in heard { note(message) }
        return heard.map { message in
            shownPrivately.insert(message.number)
            return (message, shown: shownPartner(message.peer))
        }
    }

    /// Partners of conversations can be addressed wherever they are.
    mutating func note(_ message: PrivateMessage) { notePartner(message.peer, message.peerName) }

    mutating func note(_ info: ConversationInfo) {
        guard case .peer(let reference) = info.conversation, let peer = reference.id else { return }
        notePartner(peer, info.name)
    }

    private mutating func notePartner(_ peer: PeerID, _ name: PeerName?) {
        if let name {
            partners.set(peer, name)
            unnamed.removeAll { $0 == peer }
        } else if partners.name(of: peer) == nil, !unnamed.contains(peer) {
            unnamed.append(peer)
            if unnamed.count > Self.unnamedMax { unnamed.removeFirst() }
        }
    }

    /// The name made safe for a screen, with the short id if the name alone is ambiguous. Without a name, the short id.
    package func shownPartner(_ peer: PeerID) -> String {
        guard let name = roster.name(of: peer) ?? partners.name(of: peer) else { return "#\(peer.short)" }
        let shown = roster.shown(peer, name)
        return shown.hasSuffix("#\(peer.short)") ? shown : partners.shown(peer, name)
    }

    /// Looks up a name among those who are here and partners of conversations. Anybody else needs a full id.
    package func addressee(of typed: String) -> Roster.Meaning {
        let meaning = roster.meaning(of: typed, besides: partners)
        guard case .nobody = meaning else { return meaning }
        let nameless = unnamed.filter { "#\($0.short)" == typed }
        if nameless.count == 1 { return .one(nameless[0]) }
        return PeerID(hex: typed.lowercased()).map { .one($0) } ?? meaning
    }

    /// The people whom the name may mean, with what is known of them.
    func candidates(for typed: String, isAnywhere: Bool) -> [KnownPerson] {
        roster.meant(by: typed, besides: isAnywhere ? partners : nil).map { person in
            var known = acquainted[person.id] ?? person
            (known.name, known.petname) = (person.name, person.petname)
            if contactMarks.verified.contains(person.id) { known.verified = known.verified ?? known.firstSeen }
            return known
        }
    }

    /// Splits what follows `/msg` into a name and a text. A name with blanks must be quoted: otherwise a person whose
    /// name extends another's could receive messages meant for that one.
    package static func split(_ rest: String) -> (name: String, text: String) {
        if let quoted = quoted(rest) { return quoted }
        let name = rest.prefix { !$0.isWhitespace }
        return (String(name), String(rest.dropFirst(name.count).trimming()))
    }

    /// The name without its quotes.
    package static func unquoted(_ typed: String) -> String {
        guard let (name, text) = quoted(typed), text.isEmpty else { return typed }
        return name
    }

    private static func quoted(_ rest: String) -> (name: String, text: String)? {
        guard rest.hasPrefix("\""), let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
        let name = String(rest[rest.index(after: rest.startIndex)..<end])
        return (name, String(rest[rest.index(after: end)...].trimming()))
    }
}
