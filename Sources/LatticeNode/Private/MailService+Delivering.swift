import LatticeAPI
import LatticeCore
import LatticeStore
import Logging

// What a pass over all personas needs of the node, and what it brings.
extension MailService {
    /// The owner's is first.
    static func mailboxes(of node: isolated Node) -> [Mailbox] {
        node.personas.all.compactMap { id in
            guard let persona = node.personas[id], let archive = persona.archive else { return nil }
            return Mailbox(
                visit: persona.visit, archive: archive, isListening: persona.isListening,
                unheard: node.rooms.unheard(by: id, for: node))
        }
    }

    static func isHere(_ visit: Persona.Visit, on node: isolated Node) -> Bool { node.personas[visit] != nil }

    static func wrote(_ id: PeerID, for node: isolated Node) async {
        await node.publisher.wrote(id, for: node)
    }

    static func deliver(_ events: [NodeEvent], in visit: Persona.Visit, by node: isolated Node) {
        node.notifier.deliver(events, in: visit, for: node)
    }

    static func deliver(_ messages: [PrivateMessage], in visit: Persona.Visit, by node: isolated Node) {
        deliver(messages.map { .privateMessage(Contacts.named($0, for: node)) }, in: visit, by: node)
        guard let persona = node.personas[visit] else { return }
        for message in messages { node.notifier.note(message, for: persona) }
    }

    /// Lines of private rooms; a room that the persona has left is skipped.
    static func deliver(_ lines: [Message], in visit: Persona.Visit, by node: isolated Node) {
        guard let persona = node.personas[visit] else { return }
        let lines = lines.filter { persona.rooms.contains($0.room) }
        deliver(lines.map { .message($0) }, in: visit, by: node)
        for line in lines { node.notifier.note(privateLine: line, for: persona) }
    }

    /// What changed about lines of private rooms; a room that the persona has left is skipped.
    static func deliver(_ changes: [LineChange], in visit: Persona.Visit, by node: isolated Node) {
        guard let persona = node.personas[visit] else { return }
        let changes = changes.filter { persona.rooms.contains($0.line.room) }
        deliver(changes.map { .lineChanged($0) }, in: visit, by: node)
        for change in changes { node.notifier.note(privateChange: change, for: persona, at: node.clock.now) }
    }

    /// Delivers changes of pins in private rooms, except in rooms that the persona has left.
    static func deliver(
        _ pinned: [RoomLinesEntered.Pinned], _ desk: RoomDesk, to box: Mailbox, at now: WallTime, by node: Node
    ) async {
        guard !pinned.isEmpty else { return }
        do {
            let changes = try await desk.changes(pinned, except: box.unheard, at: now)
            await deliver(changes, in: box.visit, by: node)
        } catch {
            // The pins are stored. Fronts get them with the next `ListPins`.
            node.logger.debug("could not read pins", metadata: ["error": "\(error)"])
        }
    }

    private static func deliver(_ changes: [PinChange], in visit: Persona.Visit, by node: isolated Node) {
        guard let persona = node.personas[visit] else { return }
        let changes = changes.filter { persona.rooms.contains($0.room) }
        deliver(changes.map { NodeEvent.pinned($0) }, in: visit, by: node)
    }

    /// News of private rooms.
    static func deliver(_ news: [RoomNews], in visit: Persona.Visit, by node: isolated Node) {
        node.rooms.deliver(news, in: visit, for: node)
    }
}
