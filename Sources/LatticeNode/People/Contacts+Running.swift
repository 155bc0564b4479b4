import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Remembers whom this node meets, and keeps blocked peers away.
extension Contacts {
    /// Before the first link.
    static func start(for node: isolated Node) {
        carryOut(node.contacts.start(), for: node)
    }

    private static func carryOut(_ effects: [Effect], for node: isolated Node) {
        for effect in effects {
            switch effect {
            case .blocked(let peers, let isMore):
                node.archive?.store.setBlocked(peers)
                node.announcer.sendAway(node.personas.visitorIDs.filter(peers.contains), for: node)
                node.handle(.blockedChanged(peers))
                if isMore { node.maintenance?.blockedMore() }
            case .trusted(let people): node.handle(.trustedChanged(people))
            // Before the node is ready nobody listens; fronts ask then.
            case .contactMarks(let contactMarks):
                node.personas.change(node.personas.owner.id) { $0.contactMarks = contactMarks }
                if node.notifier.isReady { node.notifier.tell(.contactMarks(contactMarks), for: node) }
            case .notice(let notice): node.notifier.notifyOwner(.notice(notice), for: node)
            case .unreadable(let error):
                node.logger.debug("could not read the list of known people", metadata: ["error": "\(error)"])
            }
        }
    }

    // MARK: Who comes and goes

    static func linkChanged(
        _ peer: PeerID, _ name: PeerName, _ state: LinkState, _ end: LinkEnd?, for node: isolated Node
    ) {
        if state == .connected {
            met(peer, name, for: node)
            // They took their key along and are here with a node of their own now.
            node.announcer.sendAway([peer], isHereOtherwise: true, for: node)
        }
        node.network.failures.changed(peer, name, state, end)
        node.logger.info("peer", metadata: ["peer": "\(peer.prefix)", "state": "\(state.rawValue)"])
        let isBrief = node.mesh.presences.isBrief(peer) || node.links.introduction(of: peer)?.isBrief ?? false
        let change = PeerChange(
            id: peer, name: name, state: PeerState(state), reason: end.map(LinkEnding.init),
            isRearranged: end?.isOfNoConsequence ?? false, isBrief: isBrief,
            isSummedUp: node.contacts.linkChanged(peer, state, at: Clocks.now))
        node.notifier.tell(.peer(change), for: node)
    }

    static func presenceChanged(of peer: PeerID, _ presence: Presence, hops: UInt8, for node: isolated Node) {
        if presence.isHere { met(peer, presence.name, for: node) }
        // A neighbour's visitors are one hop further than it; their host may become known later than this.
        let links = hops == 1 && !node.mesh.register.isNeighbour(peer) ? 2 : Int(hops)
        let change = PresenceChange(
            id: peer, name: presence.name, isHere: presence.isHere, rooms: presence.rooms, hops: links,
            isBrief: presence.isBrief,
            isSummedUp: node.contacts.presenceChanged(peer, isHere: presence.isHere, at: Clocks.now),
            away: presence.away)
        node.notifier.tell(.presence(change), for: node)
    }

    /// A peer uses this name, by its own signature or handshake.
    static func met(_ peer: PeerID, _ name: PeerName, for node: isolated Node) {
        for event in node.contacts.met(peer, name, at: node.clock.now, Clocks.now) {
            node.notifier.tell(event, for: node)
        }
    }

    /// Everybody who is here was seen just now.
    static func noteWhoIsHere(for node: isolated Node) {
        for peer in node.mesh.peers() where peer.isHere {
            guard let id = peer.peer else { continue }
            if let name = PeerName.announced(peer.name) { met(id, name, for: node) }
        }
    }

    // MARK: Requests

    /// Asks the contacts of a persona, or changes them.
    static func ask<Value: Sendable>(
        of persona: Persona, for node: isolated Node,
        _ work: @Sendable (KnownDesk, WallTime) async throws(RequestError) -> KnownDesk.Outcome<Value>
    ) async throws(RequestError) -> Value {
        guard persona.isOwner else { return try await VisitorContacts.ask(persona, on: node, work) }
        let configuration = node.configuration
        guard let book = configuration.people else { throw .noFolder(lacks: .people) }
        // People who just arrived can be named.
        await save(for: node)
        let here = Set(node.mesh.peers().lazy.filter(\.isHere).compactMap(\.peer))
        let desk = KnownDesk(
            book: .file(book), me: node.mesh.me, mesh: configuration.mesh, name: persona.name, archive: node.archive,
            here: here)
        let (value, _) = try await work(desk, node.clock.now)
        do {
            carryOut(try node.contacts.read(), for: node)
        } catch {
            throw RequestError(error, writing: book.path)
        }
        return value
    }

    /// A new contact may link now.
    static func letIn(_ person: KnownPerson, for node: isolated Node) {
        guard node.configuration.invitations.policy == .contacts, person.blocked == nil else { return }
        node.handle(.answered(person.id, accept: true))
    }

    /// A present or known peer has a name before it writes anything.
    static func named(_ message: PrivateMessage, for node: isolated Node) -> PrivateMessage {
        message.named(name(of: message.peer, for: node))
    }

    /// The name of a known or present peer.
    static func name(of peer: PeerID, for node: isolated Node) -> PeerName? {
        if let known = node.contacts.known[peer]?.name { return known }
        return node.mesh.peers().first { $0.peer == peer && $0.isHere }.flatMap { PeerName.announced($0.name) }
    }

    // MARK: The file

    /// Called once a second.
    static func look(for node: isolated Node) async {
        let now = Clocks.now
        carryOut(node.contacts.look(at: now), for: node)
        if node.contacts.notesPresent(at: now) { noteWhoIsHere(for: node) }
        if node.contacts.saves(at: now) { await save(for: node) }
    }

    /// - Parameter isLast: no more requests come.
    static func save(isLast: Bool = false, for node: isolated Node) async {
        guard let (book, batch) = node.contacts.takeUnsaved() else { return }
        do {
            let (_, _, damaged) = try await book.update { Acquaintances.note(batch, in: &$0) }
            carryOut(damage(damaged, in: book), for: node)
            if !isLast { carryOut(try node.contacts.read(), for: node) }
        } catch {
            let effects = node.contacts.couldNotSave(batch, error)
            if !Task.isCancelled { carryOut(effects, for: node) }
        }
    }
}

extension PeerName {
    /// - Returns: `nil` if the announced text is no valid name.
    static func announced(_ text: String) -> PeerName? {
        do {
            return try PeerName(text)
        } catch {
            return nil
        }
    }
}
