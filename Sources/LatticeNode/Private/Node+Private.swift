import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Private messages: sends those of personas; opens and delivers those of others.
extension Node {
    /// A present or known peer has a name before it writes anything.
    func named(_ message: PrivateMessage) -> PrivateMessage {
        message.named(knownName(of: message.peer))
    }

    /// The name of a known or present peer.
    func knownName(of peer: PeerID) -> PeerName? {
        contacts.known[peer]?.name ?? presentName(of: peer)
    }

    private func presentName(of peer: PeerID) -> PeerName? {
        do {
            return try mesh.peers().first { $0.peer == peer && $0.isHere }.map { try PeerName($0.name) }
        } catch {
            return nil  // An announced name may be invalid.
        }
    }

    // MARK: - What a pass over all personas needs, and what it brings

    func mailboxes() -> [MailService.Mailbox] {
        personas.all.compactMap { id in
            guard let persona = personas[id], let wall = persona.wall else { return nil }
            return MailService.Mailbox(
                visit: persona.visit, wall: wall, isListening: persona.isListening,
                unheard: rooms.unheard(by: id, for: self))
        }
    }

    func isHere(_ visit: Persona.Visit) -> Bool { personas[visit] != nil }

    /// Events for an ended visit are dropped.
    func deliver(_ events: [NodeEvent], in visit: Persona.Visit) {
        guard !events.isEmpty, personas[visit] != nil else { return }
        for event in events { deliver(event, to: visit.id) }
    }

    func deliver(_ messages: [PrivateMessage], in visit: Persona.Visit) {
        deliver(messages.map { .privateMessage(named($0)) }, in: visit)
    }

    /// Lines of private rooms; a room that the persona has left is skipped.
    func deliver(_ lines: [Message], in visit: Persona.Visit) {
        let rooms = personas[visit]?.rooms ?? []
        deliver(lines.filter { rooms.contains($0.room) }.map { .message($0) }, in: visit)
    }

    /// News of private rooms.
    func deliver(_ news: [RoomNews], in visit: Persona.Visit) {
        rooms.deliver(news, in: visit, for: self)
    }

    func tellRelayed(_ letters: [StoredLetter]) {
        for letter in letters {
            deliver(.privateProgress(PrivateProgress(letter)), to: letter.person ?? personas.owner.id)
        }
    }
}
