import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// People: remembers whom this node meets, and keeps blocked peers away.
extension Node {
    func carryOut(_ effects: [Contacts.Effect]) {
        for effect in effects {
            switch effect {
            case .blocked(let peers, let isMore):
                wall?.store.setBlocked(peers)
                announcer.sendAway(personas.visitorIDs.filter(peers.contains), for: self)
                handle(.blockedChanged(peers))
                if isMore { maintenance?.blockedMore() }
            case .trusted(let people): handle(.trustedChanged(people))
            // Before the node is ready nobody listens; fronts ask then.
            case .standing(let standing):
                personas.change(personas.owner.id) { $0.standing = standing }
                if notifier.isReady { tell(.standing(standing)) }
            case .notice(let notice): tellOwner(.notice(notice))
            case .unreadable(let error):
                logger.debug("could not read the list of known people", metadata: ["error": "\(error)"])
            }
        }
    }

    // MARK: - Who comes and goes

    func linkChanged(_ peer: PeerID, _ name: PeerName, _ state: LinkState, _ end: LinkEnd?) {
        if state == .connected { met(peer, name) }
        network.failures.changed(peer, name, state, end)
        logger.info("peer", metadata: ["peer": "\(peer.prefix)", "state": "\(state.rawValue)"])
        let isBrief = mesh.presences.isBrief(peer) || links.introduction(of: peer)?.isBrief ?? false
        tell(
            .peer(
                PeerChange(
                    id: peer, name: name, state: PeerState(state), reason: end.map(LinkEnding.init),
                    isRearranged: end?.isOfNoConsequence ?? false, isBrief: isBrief,
                    isSummedUp: contacts.linkChanged(peer, state, at: Clocks.now))))
    }

    func presenceChanged(of peer: PeerID, _ presence: Presence, hops: UInt8) {
        if presence.isHere { met(peer, presence.name) }
        // A neighbour's visitors are one hop further than it; their host may become known later than this.
        let links = hops == 1 && !mesh.register.isNeighbour(peer) ? 2 : Int(hops)
        tell(
            .presence(
                PresenceChange(
                    id: peer, name: presence.name, isHere: presence.isHere, rooms: presence.rooms, hops: links,
                    isBrief: presence.isBrief,
                    isSummedUp: contacts.presenceChanged(peer, isHere: presence.isHere, at: Clocks.now))))
    }

    /// A peer uses this name, by its own signature or handshake.
    func met(_ peer: PeerID, _ name: PeerName) {
        for event in contacts.met(peer, name, at: clock.now, Clocks.now) { tell(event) }
    }

    /// Asks the contacts of a persona, or changes them.
    func known<Value: Sendable>(
        to persona: Persona,
        _ work: @Sendable (KnownDesk, WallTime) async throws(RequestError) -> KnownDesk.Outcome<Value>
    ) async throws(RequestError) -> Value {
        guard persona.isOwner else { return try await VisitorContacts.ask(persona, on: self, work) }
        guard let book = configuration.people else { throw .noFolder(lacks: .people) }
        // People who just arrived can be named.
        await savePeople()
        let here = Set(mesh.peers().lazy.filter(\.isHere).compactMap(\.peer))
        let desk = KnownDesk(
            book: .file(book), me: mesh.me, mesh: configuration.mesh, name: persona.name, wall: wall, here: here)
        let (value, _) = try await work(desk, clock.now)
        do {
            carryOut(try contacts.read())
        } catch {
            throw RequestError(error, writing: book.path)
        }
        return value
    }

    /// Resolves a reference; a full id needs no search.
    func peer(_ reference: PeerReference, for persona: Persona) async throws(RequestError) -> PeerID {
        if let id = reference.id { return id }
        return try await HandlerTable.all[FindPerson.self].perform(FindPerson(reference), for: persona, on: self).id
    }

    /// A new contact may link now.
    func letIn(_ person: KnownPerson) {
        guard configuration.invitations == .contacts, person.blocked == nil else { return }
        handle(.answered(person.id, accept: true))
    }

    /// Called once a second.
    func lookAfterPeople() async {
        let now = Clocks.now
        carryOut(contacts.look(at: now))
        if contacts.notesPresent(at: now) { noteWhoIsHere() }
        if contacts.saves(at: now) { await savePeople() }
    }

    func noteWhoIsHere() {
        for peer in mesh.peers() where peer.isHere {
            guard let id = peer.peer else { continue }
            if let name = PeerName.announced(peer.name) { met(id, name) }
        }
    }

    /// - Parameter isLast: no more requests come.
    func savePeople(isLast: Bool = false) async {
        guard let (book, batch) = contacts.takeUnsaved() else { return }
        do {
            let (_, _, damaged) = try await book.update { Acquaintances.note(batch, in: &$0) }
            carryOut(Contacts.damage(damaged, in: book))
            if !isLast { carryOut(try contacts.read()) }
        } catch {
            let effects = contacts.couldNotSave(batch, error)
            if !Task.isCancelled { carryOut(effects) }
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
