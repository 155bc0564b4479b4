import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging
import OrderedCollections

// People: remembers whom this node meets, and keeps blocked peers away.
extension Node {
    /// People who are here are saved this often, for their last-seen dates.
    private static let presenceInterval: Duration = .seconds(600)

    /// Runs before the first link.
    func meetKnownPeople() {
        guard let book = configuration.people else { return }
        do {
            tellOfDamage(try read(book), in: book)
        } catch {
            let reason = RequestError(error, writing: book.path).description
            tellOwner(.notice(Notice(.problem, code: "peopleFailed", reason)))
        }
    }

    /// Takes over the file's contents in one step: an answer that was awaited may be older than what was read meanwhile, and
    /// would bring back a lifted block.
    ///
    /// - Returns: the number of damaged lines.
    @discardableResult private func read(_ book: PeopleBook) throws(SystemError) -> Int {
        bookMark = book.mark
        let page = try book.read()
        acquaintances.read(page.known)
        standingChanged()
        trustChanged()
        return page.damagedLines
    }

    // MARK: - Who comes and goes

    func linkChanged(_ peer: PeerID, _ name: PeerName, _ state: LinkState, _ end: LinkEnd?) {
        if state == .connected { met(peer, name) }
        misses.changed(peer, name, state, end)
        logger.info("peer", metadata: ["peer": "\(peer.prefix)", "state": "\(state.rawValue)"])
        let isBrief = mesh.presences.isBrief(peer) || live.values.contains { $0.peer.peer == peer && $0.peer.isBrief }
        tell(
            .peer(
                PeerChange(
                    id: peer, name: name, state: PeerState(state), reason: end?.description,
                    isRearranged: end?.isOfNoConsequence ?? false, isBrief: isBrief,
                    isSummedUp: acquaintances.linkChanged(peer, state, at: Clocks.now))))
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
                    isSummedUp: acquaintances.presenceChanged(peer, isHere: presence.isHere, at: Clocks.now))))
    }

    /// A peer uses this name, by its own signature or handshake.
    func met(_ peer: PeerID, _ name: PeerName) {
        guard configuration.people != nil, peer != mesh.me else { return }
        for event in acquaintances.met(peer, name, at: clock.now, Clocks.now) { tell(event) }
    }

    func known<Value: Sendable>(
        _ work: @Sendable (KnownDesk, WallTime) async throws(RequestError) -> KnownDesk.Outcome<Value>
    ) async throws(RequestError) -> Value {
        guard let book = configuration.people else { throw .noPeople }
        // People who just arrived can be named.
        await savePeople()
        let here = Set(mesh.peers().lazy.filter(\.isHere).compactMap(\.peer))
        let desk = KnownDesk(
            book: book, me: mesh.me, mesh: configuration.mesh, name: personas.owner.name, wall: wall, here: here)
        let (value, _) = try await work(desk, clock.now)
        do {
            try read(book)
        } catch {
            throw RequestError(error, writing: book.path)
        }
        return value
    }

    /// Resolves a reference; a full id needs no search.
    func peer(_ reference: PeerReference) async throws(RequestError) -> PeerID {
        if let id = reference.id { return id }
        return try await perform(FindPerson(reference)).id
    }

    /// A new contact may link now.
    func letIn(_ person: KnownPerson) {
        guard configuration.invitations == .contacts, person.blocked == nil else { return }
        handle(.answered(person.id, accept: true))
    }

    /// Called once a second: reads what another process of this person wrote, and saves who was met.
    func lookAfterPeople() async {
        guard let book = configuration.people else { return }
        if book.mark != bookMark {
            do {
                try read(book)
            } catch {
                logger.debug("could not read the list of known people", metadata: ["error": "\(error)"])
            }
        }
        let now = Clocks.now
        if peopleSeenAt.map({ $0.duration(to: now) >= Self.presenceInterval }) ?? true {
            peopleSeenAt = now
            noteWhoIsHere()
        }
        for notice in acquaintances.summaries(at: now) { tellOwner(.notice(notice)) }
        if acquaintances.savedAt.map({ $0.duration(to: now) >= saveInterval }) ?? true {
            acquaintances.savedAt = now
            await savePeople()
        }
        if isBlockedUnswept { await sweepBlocked() }
    }

    /// Writing takes longer as the file grows: 1 s with few people, 10 s at most.
    private var saveInterval: Duration {
        .milliseconds(1_000 + 9_000 * acquaintances.known.count / KnownLimit.peopleMax)
    }

    func noteWhoIsHere() {
        for peer in mesh.peers() where peer.isHere {
            guard let id = peer.peer else { continue }
            do {
                met(id, try PeerName(peer.name))
            } catch {
                continue  // A merely announced name may be invalid.
            }
        }
    }

    /// - Parameter isLast: no more requests come.
    func savePeople(isLast: Bool = false) async {
        guard let book = configuration.people, !acquaintances.unsaved.isEmpty else { return }
        let batch = acquaintances.takeUnsaved()
        do {
            let (_, _, damaged) = try await book.update { Acquaintances.note(batch, in: &$0) }
            tellOfDamage(damaged, in: book)
            if !isLast { try read(book) }
        } catch {
            acquaintances.putBack(batch)
            guard !hasToldOfPeople, !Task.isCancelled else { return }
            hasToldOfPeople = true
            let text = "people you meet are not remembered: \((error as? SystemError)?.description ?? "\(error)")"
            tellOwner(.notice(Notice(.problem, code: "peopleFailed", text)))
        }
    }

    private func tellOfDamage(_ lines: Int, in book: PeopleBook) {
        guard lines > 0 else { return }
        let text = "\(lines) lines of \(book.path) are damaged; they will be moved to \(book.damagedPath)"
        tellOwner(.notice(Notice(.problem, code: "peopleDamaged", text)))
    }

    // MARK: - Whom not to hear

    private func standingChanged() {
        let people = acquaintances.known
        let now = Standing(people.all, muted: people.muted(in: configuration.mesh))
        guard now != standing else { return }
        let hasMoreBlocked = !now.blocked.subtracting(standing.blocked).isEmpty
        if now.blocked != standing.blocked {
            wall?.store.setBlocked(now.blocked)
            sendAway(personas.visitorIDs.filter(now.blocked.contains))
            handle(.blockedChanged(now.blocked))
        }
        standing = now
        if hasMoreBlocked { isBlockedUnswept = true }
        // Before the node is ready nobody listens; fronts ask then.
        if notifier.isReady { tell(.standing(now)) }
    }

    /// Their presences are never held up because strangers send many.
    private func trustChanged() {
        if let people = acquaintances.takeTrusted() { handle(.trustedChanged(people)) }
    }

    /// Removes their records from the store, a portion at a time, so that others can write in between.
    private func sweepBlocked() async {
        guard let wall else { return isBlockedUnswept = false }
        do {
            for _ in 0..<8 {
                let removed = try await wall.store.removeBlocked(at: clock.now)
                if removed > 0 {
                    hasWritten = true
                    reconciliation?.storeChanged()
                    tell(.changed(.many))
                }
                if removed == 0 { return isBlockedUnswept = false }
            }
        } catch {
            if !Task.isCancelled { tellOnce(error) }
        }
    }
}
